import { build, type Histogram } from "hdr-histogram-js";

/** Milliseconds, to three significant digits; all null where nothing was recorded. */
export interface Percentiles {
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** Exact. */
  readonly max: number | null;
}

/** One hour: no wall time of an exchange comes near; what is longer counts as this in the percentiles. */
const MAX_MICROSECONDS = 3_600_000_000;

/**
 * Latencies in a histogram of microseconds: its size is fixed (some 200 KiB) however many are recorded, and two of
 * them add up to the histogram of all.
 */
export class Latency {
  readonly #histogram: Histogram = build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: MAX_MICROSECONDS,
    numberOfSignificantValueDigits: 3,
    autoResize: false,
  });
  #maxMs = 0;

  get count(): number {
    return this.#histogram.totalCount;
  }

  /** Records a span in milliseconds; fractions count, less than 0 counts as 0. */
  record(ms: number): void {
    const microseconds = Math.round(ms * 1000);
    this.#histogram.recordValue(Math.min(Math.max(0, microseconds), MAX_MICROSECONDS));
    if (ms > this.#maxMs) this.#maxMs = ms;
  }

  /** Takes in all that another one has recorded. */
  add(other: Latency): void {
    this.#histogram.add(other.#histogram as never);
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
  }

  percentiles(): Percentiles {
    const at = (percentile: number): number =>
      Math.min(this.#histogram.getValueAtPercentile(percentile) / 1000, this.#maxMs);
    return this.count === 0
      ? { p50: null, p95: null, p99: null, max: null }
      : { p50: at(50), p95: at(95), p99: at(99), max: this.#maxMs };
  }
}
