import type { BodyCollector } from "./body.js";
import { HeadReader } from "./head.js";

/** Maximum length of chunk extensions in one answer; Node's limit. */
const MAX_EXTENSION_BYTES = 16 * 1024;

const CR = 0x0d;
const LF = 0x0a;

/** The part of the chunk that comes next. */
type ChunkState = "first-digit" | "size" | "extension" | "size-lf" | "data" | "data-cr" | "data-lf" | "trailer";

/**
 * Parses a chunked body (RFC 9112, 7.1) from input of any granularity. Extensions are skipped; trailers are parsed and
 * dropped.
 *
 * Errors: `HPE_INVALID_CHUNK_SIZE`, `HPE_CHUNK_EXTENSIONS_OVERFLOW`, `HPE_CR_EXPECTED`, `HPE_LF_EXPECTED`, and those
 * of `HeadReader` for the trailer.
 */
export class ChunkReader {
  isWhole = false;
  error: string | undefined;
  #state: ChunkState = "first-digit";
  #size = 0;
  #extensionBytes = 0;
  #trailer: HeadReader | undefined;

  /** Starts a new body. */
  reset(): void {
    this.isWhole = false;
    this.error = undefined;
    this.#state = "first-digit";
    this.#size = 0;
    this.#extensionBytes = 0;
  }

  /** Continues at `at`, at most to `end`. @returns where it stopped: `end`, after the body, or at an error */
  read(buffer: Buffer, at: number, end: number, body: BodyCollector): number {
    while (at < end && !this.isWhole && this.error === undefined) {
      if (this.#state === "data") {
        const until = Math.min(end, at + this.#size);
        body.add(buffer, at, until);
        this.#size -= until - at;
        if (this.#size === 0) this.#state = "data-cr";
        at = until;
      } else if (this.#state === "trailer") {
        at = this.#readTrailer(buffer, at, end);
      } else {
        this.#readByte(buffer[at++] ?? 0);
      }
    }
    return at;
  }

  #readByte(byte: number): void {
    switch (this.#state) {
      case "first-digit":
      case "size":
        this.#readSizeByte(byte);
        break;
      case "extension":
        if (byte === CR) this.#state = "size-lf";
        else if (byte === LF) this.error = "HPE_CR_EXPECTED";
        else if (byte === 0 || ++this.#extensionBytes > MAX_EXTENSION_BYTES) {
          this.error = byte === 0 ? "HPE_INVALID_CHUNK_SIZE" : "HPE_CHUNK_EXTENSIONS_OVERFLOW";
        }
        break;
      case "size-lf":
        if (byte !== LF) this.error = "HPE_LF_EXPECTED";
        else this.#state = this.#size === 0 ? "trailer" : "data";
        if (this.#state === "trailer") this.#trailer?.reset();
        break;
      case "data-cr":
        if (byte !== CR) this.error = "HPE_CR_EXPECTED";
        this.#state = "data-lf";
        break;
      default:
        if (byte !== LF) this.error = "HPE_LF_EXPECTED";
        this.#state = "first-digit";
        this.#size = 0;
    }
  }

  #readSizeByte(byte: number): void {
    const digit = hexDigit(byte);
    const isFirst = this.#state === "first-digit";
    if (digit >= 0) {
      this.#state = "size";
      this.#size = this.#size * 16 + digit;
      if (!Number.isSafeInteger(this.#size)) this.error = "HPE_INVALID_CHUNK_SIZE";
    } else if (!isFirst && byte === CR) this.#state = "size-lf";
    else if (!isFirst && byte === 0x3b) this.#state = "extension";
    else this.error = "HPE_INVALID_CHUNK_SIZE";
  }

  #readTrailer(buffer: Buffer, at: number, end: number): number {
    const trailer = (this.#trailer ??= new HeadReader("trailer"));
    const stoppedAt = trailer.read(buffer, at, end);
    this.error = trailer.error;
    this.isWhole = trailer.isWhole;
    return stoppedAt;
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
