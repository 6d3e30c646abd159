/** Requests and what came of them, as they cross from one thread to the other and back. */
import type { HttpRequest } from "../http-sender.js";
import { type HttpResult, NO_REDIRECTS } from "../http-result.js";
import type { BatchReader, BatchWriter } from "./message-batch.js";

/** Kinds of texts that are often the same one after the other. */
const textKinds = { url: 0, headers: 1, error: 2 } as const;

export function writeRequest(parcel: BatchWriter, request: HttpRequest): void {
  const { url, body, headers, timeoutMs, notBeforeMs = Number.NaN } = request;
  parcel.writeRepeatedText(textKinds.url, url);
  parcel.writeText(body);
  parcel.writeFloat(timeoutMs);
  parcel.writeFloat(notBeforeMs);
  const names = headers === undefined ? [] : Object.keys(headers);
  parcel.writeUint(names.length);
  for (const name of names) {
    parcel.writeText(name);
    parcel.writeText(headers?.[name] ?? "");
  }
}

export function readRequest(parcel: BatchReader): HttpRequest {
  const url = parcel.readRepeatedText(textKinds.url) ?? "";
  const body = parcel.readText() ?? "";
  const timeoutMs = parcel.readFloat();
  const notBeforeMs = nullable(parcel.readFloat()) ?? undefined;
  const count = parcel.readUint();
  if (count === 0) return { url, body, timeoutMs, notBeforeMs };
  const headers: Record<string, string> = {};
  for (let index = 0; index < count; index++) headers[parcel.readText() ?? ""] = parcel.readText() ?? "";
  return { url, body, headers, timeoutMs, notBeforeMs };
}

export function writeResult(parcel: BatchWriter, exchange: HttpResult): void {
  parcel.writeFloat(exchange.postedWallMs ?? Number.NaN);
  parcel.writeFloat(exchange.sentWallMs ?? Number.NaN);
  parcel.writeFloat(exchange.durationMs);
  parcel.writeUint(exchange.status ?? 0);
  parcel.writeRepeatedText(textKinds.error, exchange.error);
  parcel.writeRepeatedText(textKinds.headers, exchange.headers);
  parcel.writeBytes(exchange.body);
  parcel.writeFloat(exchange.bodyBytes);
  parcel.writeUint(exchange.redirects.length);
  for (const url of exchange.redirects) parcel.writeText(url);
}

export function readResult(parcel: BatchReader): HttpResult {
  return {
    postedWallMs: nullable(parcel.readFloat()),
    sentWallMs: nullable(parcel.readFloat()),
    durationMs: parcel.readFloat(),
    status: parcel.readUint() || null,
    error: parcel.readRepeatedText(textKinds.error),
    headers: parcel.readRepeatedText(textKinds.headers),
    body: parcel.readBytes(),
    bodyBytes: parcel.readFloat(),
    redirects: readRedirects(parcel),
  };
}

function readRedirects(parcel: BatchReader): readonly string[] {
  const count = parcel.readUint();
  return count === 0 ? NO_REDIRECTS : Array.from({ length: count }, () => parcel.readText() ?? "");
}

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
