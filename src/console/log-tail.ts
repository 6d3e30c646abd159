import type { LogEntry } from "./protocol/index.js";

/** Most entries of one frame. More would be unreadable, and formatting them would slow the lab. */
const ENTRIES_PER_FRAME = 40;

/** Entries in a snapshot. */
const ENTRIES_KEPT = 200;

/** The newest happenings for the next frame, and the newest entries of earlier frames. */
export class LogTail<H> {
  readonly #entryOf: (happening: H) => LogEntry | undefined;
  /** A ring: the happening with number n is at n % ENTRIES_PER_FRAME. */
  readonly #pending: H[] = [];
  #count = 0;
  #kept: LogEntry[] = [];

  constructor(entryOf: (happening: H) => LogEntry | undefined) {
    this.#entryOf = entryOf;
  }

  /** Adds a happening. It is called for every event and attempt, so it only stores a reference. */
  readonly add = (happening: H): void => {
    this.#pending[this.#count++ % ENTRIES_PER_FRAME] = happening;
  };

  /** Ends the frame. @returns its entries, oldest first, and how many more there were */
  endFrame(): { readonly entries: readonly LogEntry[]; readonly skipped: number } {
    const count = this.#count;
    const first = Math.max(0, count - ENTRIES_PER_FRAME);
    const entries: LogEntry[] = [];
    for (let at = first; at < count; at++) {
      const entry = this.#entryOf(this.#pending[at % ENTRIES_PER_FRAME] as H); // every slot up to `count` is filled
      if (entry !== undefined) entries.push(entry);
    }
    this.#pending.length = 0;
    this.#count = 0;
    if (entries.length > 0) this.#kept = [...this.#kept, ...entries].slice(-ENTRIES_KEPT);
    return { entries, skipped: first };
  }

  /** The newest entries of all frames, oldest first. */
  get kept(): readonly LogEntry[] {
    return this.#kept;
  }
}
