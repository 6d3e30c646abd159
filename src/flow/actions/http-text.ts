import { byteLength } from "../engine/answer-size.js";
import type { HttpAnswer, HttpCall } from "../host.js";

/** The text of a request in HTTP/1.1, as the account sends it. */
export function requestText({ method, url, headers, body }: HttpCall): string {
  const { pathname, search, host } = new URL(url);
  const lines = [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  if (body !== "") lines.push(`Content-Length: ${byteLength(body)}`);
  for (const [name, value] of Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    lines.push(`${name}: ${value}`);
  }
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** The text of an answer in HTTP/1.1; empty: there was none. */
export function responseText({ status, headers, body }: HttpAnswer): string {
  if (status === 0) return "";
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join("\r\n")}\r\n\r\n${body ?? ""}`;
}
