import type { Measurements, Meter, MetricUnit, Tags } from "../measure/index.js";

/** The meter's counts at an instant. */
interface Reading {
  readonly atMs: number;
  readonly count: number;
  readonly among: number;
}

/** A count, share or rate over a moving window: the difference between its last and its first reading. */
export class CountWindow {
  readonly #tags: Tags;
  readonly #count: (cell: Measurements) => number;
  readonly #among: ((cell: Measurements) => number) | undefined;
  readonly #seconds: number;
  /** Oldest first; the first is the start of the window. */
  readonly #readings: Reading[] = [{ atMs: 0, count: 0, among: 0 }];

  /** @param options - `seconds`: its length, Infinity: since its start; `among`: the denominator of a share */
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

  /** Restarts the window with the next `endSecond`. */
  clear(): void {
    this.#readings.length = 0;
  }

  /** Adds a reading. @param atMs - wall milliseconds since the start of the run */
  endSecond(meter: Meter, atMs: number): void {
    const { atMs: lastMs } = this.#readings.at(-1) ?? { atMs: -1 };
    if (atMs <= lastMs) return;
    this.#readings.push({
      atMs,
      count: meter.sum(this.#tags, this.#count),
      among: this.#among === undefined ? 0 : meter.sum(this.#tags, this.#among),
    });
    if (this.#readings.length > this.#seconds + 1) this.#readings.shift();
    // A window of unlimited length needs only its first and its last reading.
    if (this.#seconds === Infinity && this.#readings.length > 2) this.#readings.splice(1, 1);
  }

  /** Null: fewer than two readings, or a share with denominator 0. */
  value(unit: MetricUnit): number | null {
    const [first] = this.#readings;
    const last = this.#readings.at(-1);
    if (first === undefined || last === undefined || first === last) return null;
    const count = last.count - first.count;
    if (unit === "share") return last.among === first.among ? null : count / (last.among - first.among);
    return unit === "rate" ? (1000 * count) / (last.atMs - first.atMs) : count;
  }
}
