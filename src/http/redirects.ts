import { mayHaveBody } from "./message/method.js";
import type { Headers } from "./message/request.js";
import { resolveLocation, type Target } from "./url-target.js";

/** One request of a series of redirects. */
export interface Hop {
  readonly target: Target;
  /**
   * After 301, 302 or 303 a POST becomes a GET without a body (docs/reference/webhook.md#transport), and so does every
   * other method except HEAD.
   */
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Headers;
}

/** Headers that are not sent to another origin. */
const originHeaders = new Set(["authorization", "cookie", "host"]);

/** Whether an answer with a `Location` leads elsewhere. */
export function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
}

/**
 * The request that follows a redirect. Credentials stay with their origin, as in other clients.
 *
 * @param location - the header's bytes as Latin-1
 * @returns null when the `Location` is not an http or https URL
 */
export function redirectedHop(from: Hop, status: number, location: string): Hop | null {
  // A path beyond ASCII is read as UTF-8.
  const target = resolveLocation(Buffer.from(location, "latin1").toString(), from.target);
  if (target === null) return null;
  const method = status >= 307 || from.method === "HEAD" ? from.method : "GET";
  const isElsewhere = target.origin !== from.target.origin;
  const headers = Object.entries(from.headers).filter(
    ([name]) => !(name === "content-type" && !mayHaveBody(method)) && !(isElsewhere && originHeaders.has(name)),
  );
  const auth = target.auth ?? (isElsewhere ? undefined : from.target.auth);
  return { target: { ...target, auth }, method, headers: Object.fromEntries(headers) };
}
