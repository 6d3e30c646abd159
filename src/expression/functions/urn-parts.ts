/** The parts of a URN in text form. */
export interface UrnParts {
  readonly scheme: string;
  readonly path: string;
  /** `""` if it has none. */
  readonly display: string;
}

const pattern = /^([A-Za-z][A-Za-z0-9+.-]*):([^?#]+)(?:\?[^#]*)?(?:#(.*))?$/s;

/** Splits `scheme:path?query#display`; undefined: the text is no URN. */
export function urnParts(text: string): UrnParts | undefined {
  const match = pattern.exec(text);
  const [, scheme, path, display = ""] = match ?? [];
  return scheme === undefined || path === undefined ? undefined : { scheme, path, display };
}
