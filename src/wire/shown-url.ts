/**
 * An address as people are shown it: `http://…@host/path?…`. A name, a password or a query may be a secret, and what is
 * shown ends up in logs.
 */
export function shownUrl(url: string): string {
  return url.replace(/\?.*$/s, "?…").replace(/\/\/[^/]*@/, "//…@");
}
