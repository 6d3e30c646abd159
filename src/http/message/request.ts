import { validateHeaderName } from "node:http";
import type { Target } from "../url-target.js";

export type Headers = Readonly<Record<string, string>>;

/** A request up to what differs from one to the next: line and headers, ready to be written. Latin-1. */
export interface RequestHead {
  /** On a connection that is to be kept. */
  readonly keepAlive: string;
  /** On a connection for one request. */
  readonly close: string;
}

/** What frames a request is not the user's to set: a wrong value would break the connection for others. */
const framing = new Set([
  "content-length",
  "transfer-encoding",
  "connection",
  "keep-alive",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);

/** As RFC 9110, 5.5, has it, and every server reads it. */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Line and headers of a request. `Host` goes first (RFC 9110, 7.2) and credentials of the address become a Basic
 * header, unless the headers have their own; an empty one counts as none.
 *
 * @param headers - checked; names in lower case
 */
export function requestHeadFor(method: "POST" | "GET", target: Target, headers: Headers): RequestHead {
  const { path, auth } = target;
  const { host, ...rest } = headers;
  const others: Record<string, string> = rest;
  if (auth !== undefined && !others["authorization"]) {
    others["authorization"] = `Basic ${Buffer.from(auth).toString("base64")}`;
  }
  const text = `${method} ${path} HTTP/1.1\r\nhost: ${host || hostHeaderFor(target)}\r\n${headerLines(others)}`;
  return { keepAlive: flatten(`${text}connection: keep-alive\r\n`), close: flatten(`${text}connection: close\r\n`) };
}

/**
 * A whole request, to be written in one go: as Latin-1 where it is a string.
 *
 * @param outline - `kept` or `single` of an `Outline`
 * @param more - further header lines, each with its end
 * @param body - null for a request without one
 */
export function serializeRequest(outline: string, more: string, body: string | null): string | Uint8Array {
  if (body === null) return `${outline}${more}\r\n`;
  const bytes = Buffer.byteLength(body);
  const head = `${outline}${more}content-length: ${bytes}\r\n\r\n`;
  if (bytes === body.length) return head + body;
  const whole = Buffer.allocUnsafe(head.length + bytes);
  whole.write(head, 0, "latin1");
  whole.write(body, head.length, "utf8");
  return whole;
}

/** Headers as lines, each with its end. */
export function headerLines(headers: Headers): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

/**
 * Headers with their names in lower case.
 *
 * @throws RangeError for one that cannot be sent or that the sender sets itself
 */
export function checkHeaders(headers: Headers): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const name in headers) {
    const value = String(headers[name]);
    if (unsendable.test(value))
      throw new RangeError(`header '${name}' cannot be sent: its value has a control character or one beyond Latin-1`);
    checked[checkName(name)] = value;
  }
  return checked;
}

/** Names that were found good, in lower case: each run has a few, and asks for them again with each request. */
const goodNames = new Map<string, string>();

function checkName(name: string): string {
  const known = goodNames.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  if (framing.has(lower)) throw new RangeError(`header '${name}' is set by the sender; leave it out`);
  try {
    validateHeaderName(name);
  } catch (error) {
    throw new RangeError(`header '${name}' cannot be sent: ${String(error)}`, { cause: error });
  }
  if (goodNames.size < 1000) goodNames.set(name, lower);
  return lower;
}

function hostHeaderFor({ host, port, secure }: Target): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === (secure ? 443 : 80) ? name : `${name}:${port}`;
}

/** A string in one piece: one that was put together would be copied together again for each request. */
function flatten(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
