import { stripVTControlCharacters } from "node:util";

/** How much of a stream is kept, in bytes. */
const TAIL_BYTES = 64 * 1024;

/** The last 64 KiB of what a process writes. */
export class OutputTail {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #isCut = false;

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    for (let first = this.#chunks[0]; first !== undefined; first = this.#chunks[0]) {
      if (this.#bytes - first.length < TAIL_BYTES) return;
      this.#chunks.shift();
      this.#bytes -= first.length;
      this.#isCut = true;
    }
  }

  /** As text without colours. Of a longer output the first line is a whole one. */
  text(): string {
    const all = Buffer.concat(this.#chunks);
    const isCut = this.#isCut || all.length > TAIL_BYTES;
    const kept = new TextDecoder().decode(all.subarray(Math.max(0, all.length - TAIL_BYTES)));
    return stripVTControlCharacters(isCut ? kept.slice(kept.indexOf("\n") + 1) : kept);
  }
}
