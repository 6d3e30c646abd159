import { printable } from "../../wire/index.js";

/** A text of only these characters needs no escapes in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** JSON of a text, with the characters escaped that control a terminal. */
export function jsonText(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : printable(JSON.stringify(text));
}

/** JSON of a number. */
export function jsonNumber(value: number): string {
  return Number.isFinite(value) ? String(value) : "null";
}

/** Most texts that `JsonTexts` keeps, and their longest. */
const KEPT_TEXTS = 4096;
const KEPT_CHARACTERS = 256;

/**
 * Cache of the JSON of repeated texts, such as outcomes, URLs and short answers, to avoid searching each for escapes.
 */
export class JsonTexts {
  readonly #known = new Map<string, string>();

  of(text: string): string {
    if (text.length > KEPT_CHARACTERS) return jsonText(text);
    let json = this.#known.get(text);
    if (json === undefined) {
      if (this.#known.size === KEPT_TEXTS) this.#known.clear();
      this.#known.set(text, (json = jsonText(text)));
    }
    return json;
  }
}

/** A buffer of UTF-8 to which JSON is appended. */
export class JsonBytes {
  /** Bytes before `length` are written. `reserve` may replace the buffer. */
  bytes: Buffer;
  length = 0;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
    this.bytes = Buffer.allocUnsafe(size);
  }

  /** Makes room for further bytes. */
  reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + count);
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  /** Appends ASCII. */
  appendPlain(text: string): void {
    this.reserve(text.length);
    const { bytes } = this;
    let { length } = this;
    // For short texts faster than a call of `write`.
    for (let index = 0; index < text.length; index++) bytes[length++] = text.charCodeAt(index);
    this.length = length;
  }

  append(text: string): void {
    this.reserve(3 * text.length);
    this.length += this.bytes.write(text, this.length, "utf8");
  }

  /** Returns the written bytes and starts a new buffer. */
  take(): Uint8Array {
    const written = this.bytes.subarray(0, this.length);
    this.bytes = Buffer.allocUnsafe(this.#size);
    this.length = 0;
    return written;
  }
}
