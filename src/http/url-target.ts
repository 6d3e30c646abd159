/** A parsed URL, as a request needs it. */
export interface Target extends Address {
  /** The URL without credentials and fragment. */
  readonly url: string;
  readonly secure: boolean;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, byte for byte as given. */
  readonly path: string;
  /** `user:password` of the URL, sent as a Basic header. */
  readonly auth: string | undefined;
}

/** Where a server listens. */
export interface Address {
  /** Name or IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** The address of an http or https URL, with the scheme's port if the URL has none. */
export function addressOf({ hostname, port, protocol }: URL): Address {
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
  };
}

/** Scheme, authority, path, query; what follows is the fragment. */
const urlParts = /^(https?:)\/\/([^/?#]*)([^?#]*)(\?[^#]*)?/i;
/** Characters that a request line cannot hold; all others are sent unchanged. */
const forbidden = /[^\u0021-\u007e]+/gu;

/**
 * Parses an absolute http or https URL. The query is kept byte for byte (docs/reference/webhook.md#transport), an empty
 * one too; only what a request line cannot hold (spaces, control characters, anything not ASCII) is
 * percent-encoded. The fragment is dropped.
 *
 * @returns null when it is not such a URL
 */
export function parseTarget(text: string): Target | null {
  const trimmed = text.trim();
  const match = urlParts.exec(trimmed);
  if (match === null || !URL.canParse(trimmed)) return null;
  const url = new URL(trimmed);
  const [, , , path = "", query = ""] = match;
  const requested = `${path === "" ? "/" : path}${query}`.replace(forbidden, encodeWellFormed);
  return {
    url: `${url.origin}${requested}`,
    secure: url.protocol === "https:",
    ...addressOf(url),
    origin: url.origin,
    path: requested,
    auth: url.username === "" && url.password === "" ? undefined : `${decode(url.username)}:${decode(url.password)}`,
  };
}

/**
 * Resolves the `Location` of a redirect.
 *
 * @returns null when the `Location` is not an http or https URL
 */
export function resolveLocation(location: string, from: Target): Target | null {
  if (urlParts.test(location)) return parseTarget(location);
  return URL.canParse(location, from.url) ? parseTarget(new URL(location, from.url).href) : null;
}

/** `encodeURIComponent` throws for a lone surrogate; via UTF-8 it becomes U+FFFD. */
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
