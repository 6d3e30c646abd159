import type { Measurements, Meter, MetricUnit, Tags } from "../measure/index.js";

/** How the counts stood at an instant. */
interface Stand {
  readonly atMs: number;
  readonly count: number;
  readonly among: number;
}

/** A count, a share or a rate over the latest seconds: what it came to, less what it was when the window began. */
export class CountWindow {
  readonly #tags: Tags;
  readonly #count: (cell: Measurements) => number;
  readonly #among: ((cell: Measurements) => number) | undefined;
  readonly #seconds: number;
  /** The first one is where the window begins. */
  readonly #stands: Stand[] = [{ atMs: 0, count: 0, among: 0 }];

  /** @param options - `seconds`: its length, Infinity: all since it began; `among`: what a share is of */
  constructor(options: {
    readonly tags: Tags;
    readonly count: (cell: Measurements) => number;
    readonly among: ((cell: Measurements) => number) | undefined;
    readonly seconds: number;
  }) {
    this.#tags = options.tags;
    this.#count = options.count;
    this.#among = options.among;
    this.#seconds = options.seconds;
  }

  /** It begins with the next `take`. */
  clear(): void {
    this.#stands.length = 0;
  }

  /** A second is over. @param atMs - wall milliseconds after the run began */
  take(meter: Meter, atMs: number): void {
    const { atMs: lastMs } = this.#stands.at(-1) ?? { atMs: -1 };
    if (atMs <= lastMs) return;
    this.#stands.push({
      atMs,
      count: meter.sum(this.#tags, this.#count),
      among: this.#among === undefined ? 0 : meter.sum(this.#tags, this.#among),
    });
    if (this.#stands.length > this.#seconds + 1) this.#stands.shift();
    // Of a window without an end, where it began is enough.
    if (this.#seconds === Infinity && this.#stands.length > 2) this.#stands.splice(1, 1);
  }

  /** Null where a share is of nothing. */
  value(unit: MetricUnit): number | null {
    const [first] = this.#stands;
    const last = this.#stands.at(-1);
    if (first === undefined || last === undefined || first === last) return null;
    const count = last.count - first.count;
    if (unit === "share") return last.among === first.among ? null : count / (last.among - first.among);
    return unit === "rate" ? (1000 * count) / (last.atMs - first.atMs) : count;
  }
}
