/** An address, taken apart for a request. */
export interface Target {
  /** As a person would write it, without the fragment. */
  readonly url: string;
  readonly secure: boolean;
  /** Name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, byte for byte as given. */
  readonly path: string;
  /** `user:password` from the address, to be sent as a Basic header. */
  readonly auth: string | undefined;
}

/** Scheme, authority, path, query; what follows is the fragment. */
const urlParts = /^(https?:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;
/** What may not stand in a request line; everything else goes out as it was given. */
const forbidden = /[^\u0021-\u007e]+/gu;

/**
 * Takes an absolute http or https address apart. The query is kept byte for byte (service.md, "Events"), an empty
 * one too; only what cannot stand in a request line (spaces, control characters, anything not ASCII) is
 * percent-encoded. The fragment is dropped.
 *
 * @returns null when it is not such an address
 */
export function parseTarget(text: string): Target | null {
  const trimmed = text.trim();
  const match = urlParts.exec(trimmed);
  if (match === null || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  const secure = url.protocol === "https:";
  const [, , , path = "", query = ""] = match;
  const requested = `${path === "" ? "/" : path}${query}`.replace(forbidden, encodeWellFormed);
  return {
    url: `${url.origin}${requested}`,
    secure,
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    origin: url.origin,
    path: requested,
    auth: url.username === "" && url.password === "" ? undefined : `${decode(url.username)}:${decode(url.password)}`,
  };
}

/**
 * Where a redirect leads.
 *
 * @returns null when the `Location` is no http or https address
 */
export function resolveLocation(location: string, from: Target): Target | null {
  if (urlParts.test(location)) return parseTarget(location);
  return URL.canParse(location, from.url) ? parseTarget(new URL(location, from.url).href) : null;
}

/** `encodeURIComponent` refuses half of a surrogate pair; UTF-8 writes it as U+FFFD. */
function encodeWellFormed(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
