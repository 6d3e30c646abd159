import { Latency } from "./latency.js";
import type { MeasuredAttempt } from "./measurements.js";

/** How well a replay kept the recorded spacing of its events. */
export interface SpacingResult {
  /** Wall milliseconds from the due time of an event to its first request, by percentile. */
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** How much longer than recorded the replay took, as a share: 0.001 is 0.1 %. Below 0: it was faster. */
  readonly drift: number;
}

/**
 * Measures the spacing of a replay: how late each event's first request was written, the wait for a connection included.
 *
 * The drift is the slope of the regression line of lateness over due time, so single late requests do not change it.
 */
export class Spacing {
  readonly #late = new Latency();
  #firstDueMs: number | undefined;
  #meanDueMs = 0;
  #meanLateMs = 0;
  /** Sums of squares and products of the differences from the means (Welford's method). */
  #dueSquares = 0;
  #products = 0;

  /** Counts the first attempt at an event; one that was never written has no spacing. */
  recordAttempt({ try: tryNumber, sentWallMs, durationMs, latencyMs, latenessMs }: MeasuredAttempt): void {
    if (tryNumber > 1 || sentWallMs === null || latenessMs === null) return;
    // The answer came at sent + duration, and latency counts to it from the due time.
    const lateMs = Math.max(0, latencyMs - durationMs);
    const dueMs = sentWallMs - lateMs;
    this.#late.record(lateMs);
    this.#firstDueMs ??= dueMs;
    const { count } = this.#late;
    const fromMean = dueMs - this.#firstDueMs - this.#meanDueMs;
    this.#meanDueMs += fromMean / count;
    this.#meanLateMs += (lateMs - this.#meanLateMs) / count;
    this.#dueSquares += fromMean * (dueMs - this.#firstDueMs - this.#meanDueMs);
    this.#products += fromMean * (lateMs - this.#meanLateMs);
  }

  /** Undefined: no request was written. */
  result(): SpacingResult | undefined {
    const late = this.#late;
    const [p50, p99, p999] = [late.percentile(50), late.percentile(99), late.percentile(99.9)];
    if (p50 === null || p99 === null || p999 === null) return undefined;
    return { p50, p99, p999, drift: this.#dueSquares === 0 ? 0 : this.#products / this.#dueSquares };
  }
}
