import { onOneLine } from "./printable.js";

/**
 * An address as people are shown it: `http://…@host/path?…`. A name, a password or a query may be a secret, and what is
 * shown ends up in logs.
 */
export function redactedUrl(url: string): string {
  return onOneLine(url.replace(/\?.*$/s, "?…").replace(/\/\/[^/]*@/, "//…@"));
}

/** An address without user name and password, as recordings keep it. */
export function withoutUserInfo(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, "$1");
}
