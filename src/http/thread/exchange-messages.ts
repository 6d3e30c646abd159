/** Requests and what came of them, as they cross from one thread to the other and back. */
import type { PostRequest } from "../http-sender.js";
import { type Exchange, NO_REDIRECTS } from "../http-result.js";
import type { ParcelReader, ParcelWriter } from "./message-batch.js";

/** Kinds of texts that are often the same one after the other. */
const texts = { url: 0, headers: 1, error: 2 } as const;

export function writeRequest(parcel: ParcelWriter, request: PostRequest): void {
  const { url, body, headers, timeoutMs, notBeforeMs = Number.NaN } = request;
  parcel.repeated(texts.url, url);
  parcel.text(body);
  parcel.float(timeoutMs);
  parcel.float(notBeforeMs);
  const names = headers === undefined ? [] : Object.keys(headers);
  parcel.uint(names.length);
  for (const name of names) {
    parcel.text(name);
    parcel.text(headers?.[name] ?? "");
  }
}

export function readRequest(parcel: ParcelReader): PostRequest {
  const url = parcel.repeated(texts.url) ?? "";
  const body = parcel.text() ?? "";
  const timeoutMs = parcel.float();
  const notBeforeMs = nullable(parcel.float()) ?? undefined;
  const count = parcel.uint();
  if (count === 0) return { url, body, timeoutMs, notBeforeMs };
  const headers: Record<string, string> = {};
  for (let index = 0; index < count; index++) headers[parcel.text() ?? ""] = parcel.text() ?? "";
  return { url, body, headers, timeoutMs, notBeforeMs };
}

export function writeExchange(parcel: ParcelWriter, exchange: Exchange): void {
  parcel.float(exchange.postedWallMs ?? Number.NaN);
  parcel.float(exchange.sentWallMs ?? Number.NaN);
  parcel.float(exchange.durationMs);
  parcel.uint(exchange.status ?? 0);
  parcel.repeated(texts.error, exchange.error);
  parcel.repeated(texts.headers, exchange.headers);
  parcel.bytes(exchange.body);
  parcel.float(exchange.bodyBytes);
  parcel.uint(exchange.redirects.length);
  for (const url of exchange.redirects) parcel.text(url);
}

export function readExchange(parcel: ParcelReader): Exchange {
  return {
    postedWallMs: nullable(parcel.float()),
    sentWallMs: nullable(parcel.float()),
    durationMs: parcel.float(),
    status: parcel.uint() || null,
    error: parcel.repeated(texts.error),
    headers: parcel.repeated(texts.headers),
    body: parcel.bytes(),
    bodyBytes: parcel.float(),
    redirects: redirectsIn(parcel),
  };
}

function redirectsIn(parcel: ParcelReader): readonly string[] {
  const count = parcel.uint();
  return count === 0 ? NO_REDIRECTS : Array.from({ length: count }, () => parcel.text() ?? "");
}

function nullable(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}
