import { validateHeaderName } from "node:http";
import type { Target } from "../url-target.js";

/** Header fields by name. */
export type Headers = Readonly<Record<string, string>>;

/** Serialized request line and headers without `content-length`; Latin-1. */
export interface RequestHead {
  /** With `connection: keep-alive`. */
  readonly keepAlive: string;
  /** With `connection: close`. */
  readonly close: string;
}

/** Headers that frame a request; callers cannot set them, since a wrong value would break the connection. */
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

/** Characters not allowed in a value (RFC 9110, 5.5). */
const unsendable = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Serializes request line and headers. `Host` comes first (RFC 9110, 7.2). Credentials of the URL become a Basic
 * header, unless `headers` has a non-empty `authorization`.
 *
 * @param headers - checked; names in lower case
 */
export function requestHeadFor(method: string, target: Target, headers: Headers): RequestHead {
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
 * Serializes a whole request, for one write; a string is to be written as Latin-1.
 *
 * @param start - `keepAlive` or `close` of a `RequestHead`
 * @param lines - further header lines, each with CR LF
 * @param body - null for a request without one
 */
export function serializeRequest(start: string, lines: string, body: string | null): string | Uint8Array {
  if (body === null) return `${start}${lines}\r\n`;
  const bytes = Buffer.byteLength(body);
  const head = `${start}${lines}content-length: ${bytes}\r\n\r\n`;
  if (bytes === body.length) return head + body;
  const whole = Buffer.allocUnsafe(head.length + bytes);
  whole.write(head, 0, "latin1");
  whole.write(body, head.length, "utf8");
  return whole;
}

/** Serializes headers, each line with CR LF. */
export function headerLines(headers: Headers): string {
  let lines = "";
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}

/**
 * Checks headers and puts their names in lower case.
 *
 * @throws RangeError for a header that cannot be sent or that the client sets itself
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

/**
 * Headers that somebody else wrote, as a client sends them: those that frame a request are left out, and values are
 * UTF-8.
 */
export function sendableHeaders(headers: Headers): Record<string, string> {
  const sendable: Record<string, string> = {};
  for (const name in headers) {
    if (!framing.has(name.toLowerCase())) sendable[name] = Buffer.from(headers[name] ?? "").toString("latin1");
  }
  return sendable;
}

/** Cache of checked names, in lower case: a run has a few, checked for each request. */
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

/** Flattens a concatenated string (V8 rope) once, instead of at each write. */
function flatten(text: string): string {
  return Buffer.from(text, "latin1").toString("latin1");
}
