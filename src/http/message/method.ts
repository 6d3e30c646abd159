/** Methods whose requests have no body (RFC 9110, 9.3.1 and 9.3.2). */
const withoutBody = new Set(["GET", "HEAD"]);
/** Methods that send a body even if it is empty: the others leave out `content-length: 0` (RFC 9110, 8.6). */
const alwaysWithBody = new Set(["POST", "PUT", "PATCH"]);

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Checks a request's method.
 *
 * @throws RangeError when it is not a token (RFC 9110, 9.1), or is CONNECT, whose answer would begin a tunnel
 */
export function checkMethod(method: string): string {
  if (!token.test(method)) throw new RangeError(`method '${method}' cannot be sent: it is not an HTTP token`);
  if (method === "CONNECT") throw new RangeError("method 'CONNECT' cannot be sent: there is no tunnel");
  return method;
}

/** Whether requests of this method can have a body. */
export function mayHaveBody(method: string): boolean {
  return method === "POST" || !withoutBody.has(method);
}

/** The body that a request is sent with; null: none. */
export function sentBody(method: string, body: string): string | null {
  if (method === "POST") return body;
  return alwaysWithBody.has(method) || (body !== "" && mayHaveBody(method)) ? body : null;
}
