/** Serializes requests and results between the two threads. */
import type { CutAt, HttpRequest } from "../http-sender.js";
import { type HttpResult, NO_REDIRECTS } from "../http-result.js";
import type { BatchReader, BatchWriter } from "./message-batch.js";

/** Kinds of texts that are delta encoded. */
const textKinds = { url: 0, headers: 1, error: 2, method: 3 } as const;

/** Value for a request without `maxRedirects`. */
const UNSET = 0xffff_ffff;

/** Places at which a request is cut, by their number; 0: none. */
const cuts: readonly (CutAt | undefined)[] = [undefined, "headers", "body", "answer"];
/** Added to that number where a rate follows. */
const IS_SLOW = 4;

/** Writes a request; `readRequest` reads it. */
export function writeRequest(batch: BatchWriter, request: HttpRequest): void {
  const { url, method = null, body, headers, timeoutMs, notBeforeMs = Number.NaN, maxRedirects = UNSET } = request;
  batch.writeRepeatedText(textKinds.url, url);
  batch.writeRepeatedText(textKinds.method, method);
  batch.writeText(body);
  batch.writeFloat(timeoutMs);
  batch.writeFloat(notBeforeMs);
  batch.writeUint(maxRedirects);
  const { cut, bytesPerS } = request;
  batch.writeUint(cuts.indexOf(cut) + (bytesPerS === undefined ? 0 : IS_SLOW));
  if (bytesPerS !== undefined) batch.writeFloat(bytesPerS);
  const names = headers === undefined ? [] : Object.keys(headers);
  batch.writeUint(names.length);
  for (const name of names) {
    batch.writeText(name);
    batch.writeText(headers?.[name] ?? "");
  }
}

/** Reads what `writeRequest` wrote. */
export function readRequest(batch: BatchReader): HttpRequest {
  const url = batch.readRepeatedText(textKinds.url) ?? "";
  const method = batch.readRepeatedText(textKinds.method) ?? undefined;
  const body = batch.readText() ?? "";
  const timeoutMs = batch.readFloat();
  const notBeforeMs = nullable(batch.readFloat()) ?? undefined;
  const redirects = batch.readUint();
  const maxRedirects = redirects === UNSET ? undefined : redirects;
  const craft = batch.readUint();
  const cut = cuts[craft % IS_SLOW];
  const bytesPerS = craft >= IS_SLOW ? batch.readFloat() : undefined;
  const count = batch.readUint();
  if (count === 0) return { url, method, body, timeoutMs, notBeforeMs, maxRedirects, cut, bytesPerS };
  const headers: Record<string, string> = {};
  for (let index = 0; index < count; index++) headers[batch.readText() ?? ""] = batch.readText() ?? "";
  return { url, method, body, headers, timeoutMs, notBeforeMs, maxRedirects, cut, bytesPerS };
}

/** Writes a result; `readResult` reads it. */
export function writeResult(batch: BatchWriter, result: HttpResult): void {
  batch.writeFloat(result.postedWallMs ?? Number.NaN);
  batch.writeFloat(result.sentWallMs ?? Number.NaN);
  batch.writeFloat(result.durationMs);
  batch.writeUint(result.status ?? 0);
  batch.writeRepeatedText(textKinds.error, result.error);
  batch.writeRepeatedText(textKinds.headers, result.headers);
  batch.writeBytes(result.body);
  batch.writeFloat(result.bodyBytes);
  batch.writeUint(result.redirects.length);
  for (const url of result.redirects) batch.writeText(url);
  batch.writeText(result.refusedUrl ?? null);
}

/** Reads what `writeResult` wrote. */
export function readResult(batch: BatchReader): HttpResult {
  const result = {
    postedWallMs: nullable(batch.readFloat()),
    sentWallMs: nullable(batch.readFloat()),
    durationMs: batch.readFloat(),
    status: batch.readUint() || null,
    error: batch.readRepeatedText(textKinds.error),
    headers: batch.readRepeatedText(textKinds.headers),
    body: batch.readBytes(),
    bodyBytes: batch.readFloat(),
    redirects: readRedirects(batch),
  };
  const refusedUrl = batch.readText();
  return refusedUrl === null ? result : { ...result, refusedUrl };
}

function readRedirects(batch: BatchReader): readonly string[] {
  const count = batch.readUint();
  return count === 0 ? NO_REDIRECTS : Array.from({ length: count }, () => batch.readText() ?? "");
}

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
