import type { FleetGroup, Traffic } from "../../protocol/index.js";

/** Period of the counts that stand for motion, milliseconds. */
const COUNTED_MS = 10_000;

/** Texts and messages of a village in the last ten seconds. */
export interface Counted {
  readonly texts: number;
  readonly messages: number;
}

/** Counts the texts and messages of each village in the last ten seconds. Pure: the caller passes the time. */
export class RecentCounts {
  #frames: { readonly atMs: number; readonly counts: Traffic["counts"] }[] = [];
  #last: readonly Counted[] = [];

  add(counts: Traffic["counts"], nowMs: number): void {
    this.#frames.push({ atMs: nowMs, counts });
  }

  /** The counts in the order of the groups: the same list as before if none has changed. */
  at(nowMs: number, groups: readonly FleetGroup[]): readonly Counted[] {
    this.#frames = this.#frames.filter(({ atMs }) => nowMs - atMs < COUNTED_MS);
    const sums = new Map<number, { texts: number; messages: number }>();
    for (const { counts } of this.#frames) {
      for (const [first = 0, texts = 0, messages = 0] of counts) {
        const before = sums.get(first);
        sums.set(first, {
          texts: (before?.texts ?? 0) + texts,
          messages: (before?.messages ?? 0) + messages,
        });
      }
    }
    const counted = groups.map(({ firstChannel }) => sums.get(firstChannel) ?? { texts: 0, messages: 0 });
    const isSame =
      counted.length === this.#last.length &&
      counted.every((one, at) => one.texts === this.#last[at]?.texts && one.messages === this.#last[at].messages);
    if (!isSame) this.#last = counted;
    return this.#last;
  }

  clear(): void {
    this.#frames = [];
  }
}
