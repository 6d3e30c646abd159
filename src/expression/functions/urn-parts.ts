/** The parts of a URN in text form. */
export interface UrnParts {
  readonly scheme: string;
  readonly path: string;
  /** `""` if it has none. */
  readonly display: string;
}

/** The path may have colons; query and display are optional and occur once. */
const pattern = /^([^:?#]+):([^?#]+)(?:\?[^?#]*)?(?:#([^?#]*))?$/;

/**
 * Splits `scheme:path?query#display`; undefined: the text is no URN. Inside the parts `#`, `?` and `%` are escaped:
 * `%23`, `%3F` and `%25`.
 */
export function urnParts(text: string): UrnParts | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, scheme = "", path = "", display = ""] = match;
  return { scheme: unescaped(scheme), path: unescaped(path), display: unescaped(display) };
}

function unescaped(part: string): string {
  return part.replace(/%(?:23|25|3F)/gi, (escape) => String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
