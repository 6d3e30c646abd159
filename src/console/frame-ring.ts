/** An encoded frame. */
export interface EncodedFrame {
  readonly frame: number;
  readonly bytes: Buffer;
}

/** Ring buffer of the newest frames, for clients that reconnect. Bounded by count and bytes. */
export class FrameRing {
  readonly #most: { readonly frames: number; readonly bytes: number };
  readonly #frames: EncodedFrame[] = [];
  #bytes = 0;

  constructor(most: { readonly frames: number; readonly bytes: number }) {
    this.#most = most;
  }

  /** Adds the next frame; drops the oldest ones beyond the bounds. */
  push(frame: EncodedFrame): void {
    this.#frames.push(frame);
    this.#bytes += frame.bytes.length;
    while (this.#frames.length > this.#most.frames || this.#bytes > this.#most.bytes) {
      const dropped = this.#frames.shift();
      if (dropped === undefined) return;
      this.#bytes -= dropped.bytes.length;
    }
  }

  /** The frames after a number; undefined: some of them were dropped. */
  after(frame: number): readonly EncodedFrame[] | undefined {
    const first = this.#frames[0]?.frame;
    const last = this.#frames.at(-1)?.frame;
    if (first === undefined || last === undefined || frame < first - 1 || frame > last) return undefined;
    return this.#frames.slice(frame - first + 1);
  }

  clear(): void {
    this.#frames.length = 0;
    this.#bytes = 0;
  }
}
