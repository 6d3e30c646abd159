import {
  type BrotliOptions,
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from "node:zlib";

/** How much of an answer's body is kept: far more than any reply needs (480 characters). */
const KEPT_BODY_BYTES: number = 64 * 1024;
/** How much of an answer's body is read before its sender is cut off with `body-too-large`. */
export const MAX_BODY_BYTES: number = 32 * 1024 * 1024;
/** What a small compressed body may grow to; a larger one is kept as it came. */
const MAX_DECODED_BYTES = 1024 * 1024;

/** Bodies up to this length are often the same one after the other. */
const SHORT_BODY_BYTES = 64;

/** What is kept from body to body. */
export interface BodyCache {
  /** The last short one, or short piece of one: given out again where it comes again, and never written to. */
  body: Buffer | undefined;
}

/** Collects a body as it comes in: counts all of it, keeps its beginning. */
export class BodyCollector {
  /** Length of what came. */
  bytes = 0;
  #kept = 0;
  /** Most bodies come in one piece, so only what follows it has a list. */
  #first: Buffer | undefined;
  #others: Buffer[] | undefined;
  readonly #cache: BodyCache;

  constructor(memory: BodyCache) {
    this.#cache = memory;
  }

  /** Begins a new body. What was given out before stays as it is. */
  reset(): void {
    this.bytes = 0;
    this.#kept = 0;
    this.#first = undefined;
    this.#others = undefined;
  }

  /** Copies from `buffer` what is kept of its bytes `start` to `end`. */
  add(buffer: Buffer, start: number, end: number): void {
    this.bytes += end - start;
    const length = Math.min(end - start, KEPT_BODY_BYTES - this.#kept);
    if (length <= 0) return;
    const piece = length <= SHORT_BODY_BYTES ? this.#shortPiece(buffer, start, length) : copyOf(buffer, start, length);
    this.#kept += length;
    if (this.#first === undefined) this.#first = piece;
    else (this.#others ??= []).push(piece);
  }

  #shortPiece(buffer: Buffer, start: number, length: number): Buffer {
    const last = this.#cache.body;
    if (last?.length === length && equalsAt(buffer, start, last)) return last;
    return (this.#cache.body = copyOf(buffer, start, length));
  }

  /**
   * The beginning of the body, decoded; null when nothing came. A body that is not what its encoding says, or that
   * grows beyond all measure, is given as it came.
   *
   * @param encoding - the `Content-Encoding` header; a server may use one although none was asked for
   */
  decodedStart(encoding: string | undefined): Uint8Array | null {
    if (this.#first === undefined) return null;
    const raw = this.#others === undefined ? this.#first : Buffer.concat([this.#first, ...this.#others]);
    if (encoding === undefined) return raw;
    return decode(raw, encoding)?.subarray(0, KEPT_BODY_BYTES) ?? raw;
  }
}

/** A few bytes: a call into Node would cost more. */
function equalsAt(buffer: Buffer, start: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== buffer[start + index]) return false;
  return true;
}

function copyOf(buffer: Buffer, start: number, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, start, start + length);
  return copy;
}

/** Only the beginning of the compressed bytes may be there, so the decoders are told not to ask for the end. */
const zlibOptions: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DECODED_BYTES };
const brotliOptions: BrotliOptions = {
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
  maxOutputLength: MAX_DECODED_BYTES,
};

function decode(raw: Uint8Array, encoding: string): Uint8Array | undefined {
  switch (encoding.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return tryDecoder(() => gunzipSync(raw, zlibOptions));
    case "deflate":
      // Some servers send the bare stream, without zlib's frame.
      return tryDecoder(() => inflateSync(raw, zlibOptions)) ?? tryDecoder(() => inflateRawSync(raw, zlibOptions));
    case "br":
      return tryDecoder(() => brotliDecompressSync(raw, brotliOptions));
    default:
      return undefined;
  }
}

function tryDecoder(decoder: () => Uint8Array): Uint8Array | undefined {
  try {
    return decoder();
  } catch {
    return undefined;
  }
}
