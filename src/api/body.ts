import { ownValue } from "../wire/index.js";
import { detailError, wholeBodyError } from "./error.js";
import type { BodyFields } from "./body-fields.js";
import { readMultipart } from "./multipart.js";

/** Maximum nesting of a JSON body; no field of the API needs more. */
const DEPTH_MAX = 64;

/**
 * Reads the body of a POST: JSON, a form, or multipart (docs/reference/service-api.md#content-types). An empty one is
 * `{}`.
 *
 * @param fields - decide which keys of a form are lists and dictionaries
 * @throws ApiError 400 when the body cannot be parsed, 415 for other media types
 */
export function readBody(
  raw: Buffer,
  contentType: string | undefined,
  fields: BodyFields,
): Readonly<Record<string, unknown>> {
  if (raw.length === 0) return {};
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  switch (type) {
    case "application/json":
      return parseJsonBody(raw);
    case "application/x-www-form-urlencoded":
      return parseFormBody(new URLSearchParams(decodeUtf8(raw, "Form")), fields);
    case "multipart/form-data":
      return parseFormBody(parseMultipart(raw, contentType ?? ""), fields);
    default:
      throw detailError(415, `Unsupported media type "${(contentType ?? "").slice(0, 100)}" in request.`);
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(raw: Buffer, what: string): string {
  try {
    return utf8.decode(raw);
  } catch {
    throw detailError(400, `${what} parse error - the body is not UTF-8`);
  }
}

const byteOrderMark = Buffer.from("\uFEFF");

function parseJsonBody(raw: Buffer): Readonly<Record<string, unknown>> {
  if (raw.subarray(0, byteOrderMark.length).equals(byteOrderMark)) {
    throw detailError(400, "JSON parse error - the body begins with a byte order mark (U+FEFF): send it without one");
  }
  const text = decodeUtf8(raw, "JSON");
  if (isTooDeep(text)) throw detailError(400, `JSON parse error - more than ${DEPTH_MAX} levels`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw detailError(400, `JSON parse error - ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw wholeBodyError("The body must be one JSON object");
  }
  return value as Record<string, unknown>;
}

/** Counts brackets outside of strings before the body is parsed, so that no recursion goes deeper than the limit. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isInText) {
      if (code === 0x5c) index++;
      else if (code === 0x22) isInText = false;
    } else if (code === 0x22) isInText = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > DEPTH_MAX) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
  }
  return false;
}

function parseMultipart(raw: Buffer, contentType: string): [string, string][] {
  const fields = readMultipart(raw, contentType);
  if (fields === undefined) throw detailError(400, "Multipart form parse error - the parts cannot be read");
  return fields.map(([name, value]) => [decodeUtf8(name, "Multipart form"), decodeUtf8(value, "Multipart form")]);
}

/** Forms spell lists as repeated keys, dictionaries as `fields[key]=value`; of other repeated keys the last counts. */
function parseFormBody(pairs: Iterable<readonly [string, string]>, fields: BodyFields): Record<string, unknown> {
  const body = Object.create(null) as Record<string, unknown>;
  const lists = new Map<string, string[]>();
  const dictionaries = new Map<string, Map<string, string>>();
  for (const [key, value] of pairs) {
    const bracketed = /^([^[\]]+)\[([^\]]*)\]$/.exec(key);
    const name = bracketed?.[1] ?? key;
    const shape = ownValue(fields, name)?.type.shape;
    if (shape === "list") {
      const values = lists.get(name) ?? [];
      values.push(value);
      lists.set(name, values);
    } else if (shape === "dict" && bracketed !== null) {
      const entries = dictionaries.get(name) ?? new Map<string, string>();
      dictionaries.set(name, entries.set(bracketed[2] ?? "", value));
    } else body[key] = value;
  }
  for (const [name, values] of lists) body[name] = values;
  for (const [name, entries] of dictionaries) body[name] = Object.fromEntries(entries);
  return body;
}
