import {
  type BrotliOptions,
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  type ZlibOptions,
} from "node:zlib";

/** Maximum length of the kept start of an answer's body; a reply has at most 480 characters. */
const KEPT_BODY_BYTES: number = 64 * 1024;
/** Maximum length of a body; a longer one fails with `body-too-large`. */
export const MAX_BODY_BYTES: number = 32 * 1024 * 1024;
/** Maximum length after decompression; a longer body is kept compressed. */
const MAX_DECODED_BYTES = 1024 * 1024;

/** Maximum length of a cached body. */
const SHORT_BODY_BYTES = 64;

/** Cache of one body, shared by the connections to a server. */
export interface BodyCache {
  /**
   * The last short body or piece. It is returned again when the same bytes come again, so it must not be written to.
   */
  body: Buffer | undefined;
}

/** Collects a body: counts all of its bytes, keeps its start. */
export class BodyCollector {
  /** Bytes received. */
  bytes = 0;
  #kept = 0;
  /** Most bodies come in one piece, which needs no array. */
  #first: Buffer | undefined;
  #others: Buffer[] | undefined;
  readonly #cache: BodyCache;

  constructor(cache: BodyCache) {
    this.#cache = cache;
  }

  /** Starts a new body. Buffers that were returned before stay unchanged. */
  reset(): void {
    this.bytes = 0;
    this.#kept = 0;
    this.#first = undefined;
    this.#others = undefined;
  }

  /** Adds the bytes `start` to `end` of `buffer`, copying what is kept. */
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
   * The start of the body, decoded; null when no byte came. A body that does not decode, or decodes to more than 1
   * MiB, is returned undecoded.
   *
   * @param encoding - the `Content-Encoding` header; a server may set one although the request accepts `identity` only
   */
  decodedStart(encoding: string | undefined): Uint8Array | null {
    if (this.#first === undefined) return null;
    const raw = this.#others === undefined ? this.#first : Buffer.concat([this.#first, ...this.#others]);
    if (encoding === undefined) return raw;
    return decode(raw, encoding)?.subarray(0, KEPT_BODY_BYTES) ?? raw;
  }
}

/** Compares in JavaScript: for 64 bytes or less, the call into native code costs more. */
function equalsAt(buffer: Buffer, start: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index++) if (bytes[index] !== buffer[start + index]) return false;
  return true;
}

function copyOf(buffer: Buffer, start: number, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, start, start + length);
  return copy;
}

/** The compressed bytes may be truncated: these flush modes decode them without an error. */
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
      // Some servers send a raw deflate stream without the zlib header.
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
