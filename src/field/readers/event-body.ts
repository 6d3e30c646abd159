import { encodeForm, type FormPair } from "../../wire/index.js";
import type { RejectReason } from "./log-reader.js";

/** The fields of a flow post of the time before posts had `event` (docs/reference/webhook.md#flow-fields). */
const flowPost = ["flow", "step", "values"];

/** Why a body is not that of an event; undefined: it is one. */
export function bodyFault(body: string): RejectReason | undefined {
  if (body === "" || body === "-") return "no body";
  if (hasField(body, "event") || flowPost.every((key) => hasField(body, key))) return undefined;
  return /^\s*[[{<]/.test(body) || !body.includes("=") ? "not a form" : "no event";
}

/** Whether a form has a value under a key. */
function hasField(body: string, key: string): boolean {
  const sign = `${key}=`;
  for (let at = body.indexOf(sign); at !== -1; at = body.indexOf(sign, at + 1)) {
    if (at > 0 && body[at - 1] !== "&") continue;
    const after = body[at + sign.length];
    if (after !== undefined && after !== "&") return true;
  }
  return false;
}

/** A request as a log has it. */
export interface LoggedRequest {
  /** Undefined: the log does not say. */
  readonly method: string | undefined;
  /** Path with its query; undefined: the log does not say. */
  readonly path: string | undefined;
  readonly body: string;
}

/**
 * The event in a request. It is the body; where the body is empty, it is a query string with the field `event`, as
 * requests have it that a proxy or a test made by GET. Then the path is reported without it.
 */
export function eventOfRequest({
  method,
  path,
  body,
}: LoggedRequest): { readonly body: string; readonly path: string | undefined } | RejectReason {
  const fault = bodyFault(body);
  if (fault === undefined) return { body, path };
  if (fault === "no body" && path !== undefined) {
    const mark = path.indexOf("?");
    const query = mark === -1 ? "" : path.slice(mark + 1);
    if (query !== "" && bodyFault(query) === undefined) return { body: query, path: path.slice(0, mark) };
  }
  return method === undefined || method === "POST" ? fault : "not a POST";
}

/** The path and query of a URL, of a path, or of a request line's target. */
export function pathOf(url: string): string {
  const match = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*([^#]*)/i.exec(url);
  if (match === null) return url.replace(/#.*$/s, "");
  const [, path = ""] = match;
  return path.startsWith("/") ? path : `/${path}`;
}

/** A form of fields as a source has them: texts, numbers, and JSON for the rest. Null and undefined are left out. */
export function formOf(fields: Iterable<readonly [key: string, value: unknown]>): string {
  const pairs: FormPair[] = [];
  for (const [key, value] of fields) {
    if (value === null || value === undefined) continue;
    pairs.push([key, typeof value === "string" ? value : JSON.stringify(value)]);
  }
  return encodeForm(pairs);
}
