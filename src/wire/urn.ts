import { normalisePhone, phoneKind } from "./phone.js";

/** A contact's address, `scheme:path`: `tel:+12065550142` (service.md, "Resources and their fields"). */
export interface Urn {
  /** Lower case: `tel`, `mailto`, `ext`… */
  readonly scheme: string;
  /** Not empty; a `#display` part, where there is one, stays in it. */
  readonly path: string;
}

/** Longest URN in characters (service-api.md 1.12). */
const urnLengthMax = 255;

const pattern = /^([A-Za-z][A-Za-z0-9+.-]*):(.+)$/su;

/**
 * Reads `scheme:path` of any scheme. Space around either is dropped. The path of a `tel` becomes E.164 where it is such
 * a number in another dress; short codes and names stay as they are (service-api.md 1.12).
 *
 * @returns undefined when it is no URN, is longer than 255 characters, or its `tel` path cannot be a phone
 */
export function parseUrn(text: string): Urn | undefined {
  if (text.length > urnLengthMax) return undefined;
  const match = pattern.exec(text.trim());
  const scheme = match?.[1]?.toLowerCase();
  const path = match?.[2]?.trim();
  if (scheme === undefined || path === undefined || path === "") return undefined;
  if (scheme !== "tel") return { scheme, path };
  const phone = normalisePhone(path) ?? (phoneKind(path) === undefined ? undefined : path);
  return phone === undefined ? undefined : { scheme, path: phone };
}

/** The text of a URN. */
export function formatUrn(urn: Urn): string {
  return `${urn.scheme}:${urn.path}`;
}

/** The URN of a phone: an E.164 number, short code or name of a sender. */
export function telUrn(phone: string): string {
  return `tel:${phone}`;
}
