import { onOneLine } from "./printable.js";

/**
 * A URL for screens and logs: `http://…@host/path?…`. User name, password and query are hidden, as they may be secrets.
 */
export function redactedUrl(url: string): string {
  return onOneLine(url.replace(/\?.*$/s, "?…").replace(/\/\/[^/]*@/, "//…@"));
}

/** A URL without user name and password, for recordings. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}
