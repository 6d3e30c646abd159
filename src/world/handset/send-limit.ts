import type { SimTime } from "../../sim/index.js";

/** The sends of one app package within the window. */
interface Pack {
  readonly atMs: SimTime[];
  readonly segments: number[];
  total: number;
}

/**
 * The send limit that Android counts for each app package (docs/reference/handset.md#send-runner and
 * docs/reference/handset.md#android-limits): segments within a sliding window. Packages are tried round robin, starting
 * after the one used last.
 */
export class SendLimit {
  readonly #packs: Pack[] = [];
  readonly #limit: number;
  readonly #windowMs: number;
  #last = -1;

  /** @param options - `packs` packages, each of which sends at most `limit` segments in any `windowMs` */
  constructor(options: { readonly packs: number; readonly limit: number; readonly windowMs: number }) {
    for (let pack = 0; pack < options.packs; pack++) this.#packs.push({ atMs: [], segments: [], total: 0 });
    this.#limit = options.limit;
    this.#windowMs = options.windowMs;
  }

  /** Counts the segments of a text against the next package with room; false when no package has room. */
  countSend(segments: number, nowMs: SimTime): boolean {
    for (let step = 1; step <= this.#packs.length; step++) {
      const index = (this.#last + step) % this.#packs.length;
      const pack = this.#packs[index] as Pack;
      this.#dropExpired(pack, nowMs);
      if (pack.total + segments > this.#limit) continue;
      pack.atMs.push(nowMs);
      pack.segments.push(segments);
      pack.total += segments;
      this.#last = index;
      return true;
    }
    return false;
  }

  /** When `countSend` will first succeed if no other text is sent; Infinity when never. */
  roomAtMs(segments: number, nowMs: SimTime): SimTime {
    let earliest = Infinity;
    if (segments > this.#limit) return earliest;
    for (const pack of this.#packs) {
      this.#dropExpired(pack, nowMs);
      let total = pack.total;
      let at = nowMs;
      for (let index = 0; total + segments > this.#limit; index++) {
        total -= pack.segments[index] ?? total;
        at = (pack.atMs[index] ?? nowMs) + this.#windowMs;
      }
      earliest = Math.min(earliest, at);
    }
    return earliest;
  }

  #dropExpired(pack: Pack, nowMs: SimTime): void {
    let gone = 0;
    while (gone < pack.atMs.length && (pack.atMs[gone] as number) + this.#windowMs <= nowMs) {
      pack.total -= pack.segments[gone] as number;
      gone++;
    }
    if (gone > 0) {
      pack.atMs.splice(0, gone);
      pack.segments.splice(0, gone);
    }
  }
}
