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
/** How much of an answer's headers is kept. */
const KEPT_HEADER_BYTES: number = 8 * 1024;

/** What a small compressed body may grow to; a larger one is kept as it came. */
const MAX_DECODED_BYTES = 1024 * 1024;

/** Collects a body as it comes in: counts all of it, keeps its beginning. */
export class BodyKeeper {
  /** Length of what came. */
  bytes = 0;
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;

  add(chunk: Uint8Array): void {
    this.bytes += chunk.length;
    const room = KEPT_BODY_BYTES - this.#kept;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#kept += kept.length;
    this.#chunks.push(kept);
  }

  /**
   * The beginning of the body, decoded; null when nothing came. A body that is not what its encoding says, or that
   * grows beyond all measure, is given as it came.
   *
   * @param encoding - the `Content-Encoding` header; a server may use one although none was asked for
   */
  beginning(encoding: string | undefined): Uint8Array | null {
    if (this.#kept === 0) return null;
    const raw = Buffer.concat(this.#chunks);
    return decode(raw, encoding)?.subarray(0, KEPT_BODY_BYTES) ?? raw;
  }
}

/** `Name: value` lines of raw headers, cut at 8 KiB. */
export function headerLines(raw: readonly string[]): string {
  let lines = "";
  for (let index = 0; index + 1 < raw.length && lines.length < KEPT_HEADER_BYTES; index += 2) {
    lines += `${lines === "" ? "" : "\n"}${raw[index]}: ${raw[index + 1]}`;
  }
  return lines.slice(0, KEPT_HEADER_BYTES);
}

/** Only the beginning of the compressed bytes may be there, so the decoders are told not to ask for the end. */
const zlibOptions: ZlibOptions = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: MAX_DECODED_BYTES };
const brotliOptions: BrotliOptions = {
  finishFlush: constants.BROTLI_OPERATION_FLUSH,
  maxOutputLength: MAX_DECODED_BYTES,
};

function decode(raw: Uint8Array, encoding: string | undefined): Uint8Array | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return attempt(() => gunzipSync(raw, zlibOptions));
    case "deflate":
      // Some servers send the bare stream, without zlib's frame.
      return attempt(() => inflateSync(raw, zlibOptions)) ?? attempt(() => inflateRawSync(raw, zlibOptions));
    case "br":
      return attempt(() => brotliDecompressSync(raw, brotliOptions));
    default:
      return undefined;
  }
}

function attempt(decoder: () => Uint8Array): Uint8Array | undefined {
  try {
    return decoder();
  } catch {
    return undefined;
  }
}
