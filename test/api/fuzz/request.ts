import type { Draft, Body } from "./draft.js";
import { RawJson, RawQuery } from "./hostile.js";
import { Live, type Pool } from "./live.js";

/** A request, ready to send. */
export interface Request {
  readonly method: string;
  /** Path and query; characters are bytes. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | undefined;
}

const BOUNDARY = "----boundary7f3e2d1c";

const TYPES = {
  json: "application/json",
  urlencoded: "application/x-www-form-urlencoded",
  multipart: `multipart/form-data; boundary=${BOUNDARY}`,
  bytes: "application/json",
} as const;

/** Fills a draft with existing values and encodes it. */
export function render(draft: Draft, pool: Pool, token: string): Request {
  const path = draft.path.replace(/\{(\w+)\}/g, (_, name: string) => encode(pool.fill(draft.inPath[name])));
  const query = draft.query
    .flatMap((piece) => {
      if (piece instanceof RawQuery) return [latin(piece.text)];
      const [name, value] = piece;
      // Clients do not follow unknown cursors or filter by unknown values.
      return value instanceof Live && !pool.has(value) ? [] : [`${encode(name)}=${encode(pool.fill(value))}`];
    })
    .join("&");
  const body = draft.body === undefined ? undefined : bytesOf(draft.body, pool);
  const usual: Record<string, string | undefined> = {
    accept: "application/json",
    authorization: `Token ${token}`,
    // Clients send this even without a body.
    "content-type": draft.body === undefined ? "application/json" : TYPES[draft.body.form],
    ...draft.headers,
  };
  const headers = Object.fromEntries(
    Object.entries(usual).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  return { method: draft.method, target: latin(query === "" ? path : `${path}?${query}`), headers, body };
}

function bytesOf(body: Body, pool: Pool): Buffer {
  if (body.form === "bytes") return body.bytes;
  const value = pool.fill(body.value);
  if (body.form === "json") return Buffer.from(json(value));
  const pairs = pairsOf("", value);
  if (body.form === "urlencoded") {
    return Buffer.from(pairs.map(([name, text]) => `${encode(name)}=${encode(text)}`).join("&"));
  }
  const parts = pairs.map(
    ([name, text]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replace(/["\r\n]/g, "%22")}"\r\n\r\n${text}\r\n`,
  );
  return Buffer.from(`${parts.join("")}--${BOUNDARY}--\r\n`);
}

/** JSON, with raw pieces inserted unchanged. */
function json(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(json).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, item]) => item !== undefined);
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${json(item)}`).join(",")}}`;
}

/**
 * A value as form fields: lists repeat the key, dictionaries are `fields[nickname]`
 * (docs/reference/service-api.md#content-types).
 */
function pairsOf(name: string, value: unknown): [string, string][] {
  if (value instanceof RawJson) return [[name || "raw", value.text]];
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.flatMap((item) => pairsOf(name, item));
  if (typeof value !== "object") return [[name || "value", text(value)]];
  return Object.entries(value).flatMap(([key, item]) => pairsOf(name === "" ? key : `${name}[${key}]`, item));
}

function encode(value: unknown): string {
  // encodeURIComponent rejects a lone surrogate; here it is encoded as the bytes that UTF-8 forbids.
  return text(value).replace(/[\s\S]/gu, (character) =>
    /^[\ud800-\udfff]$/.test(character) ? "%ed%a0%80" : encodeURIComponent(character),
  );
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof RawJson) return value.text;
  return json(value);
}

/** Encodes characters that a request line cannot contain: beyond Latin-1, blanks and controls. */
function latin(target: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what it replaces
  return target.replace(/[^\u0021-\u00ff]|\u007f/g, (character) => encodeURIComponent(character));
}
