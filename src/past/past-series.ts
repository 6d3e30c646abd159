import type { PastPoint } from "../console/index.js";
import type { LabReadings } from "../control/index.js";

/** Most spans of a series. */
const SPANS_MAX = 150;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Spans with round lengths. */
const spans = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
];

/** The length of a series' spans, in virtual milliseconds. */
export function seriesSpanMs(untilMs: number): number {
  const leastMs = untilMs / SPANS_MAX;
  return spans.find((spanMs) => spanMs >= leastMs) ?? Math.ceil(leastMs / DAY) * DAY;
}

/** Counts events of a re-executed lab in spans of virtual time. */
export class PastSeries {
  readonly #shown: LabReadings;
  readonly #latency: ReturnType<LabReadings["measureLatency"]>;
  readonly #spanMs: number;
  readonly #untilMs: number;
  #fromMs: number;
  #counts: ReturnType<LabReadings["counts"]>;

  /** @param range - the range of the lab's session */
  constructor(
    shown: LabReadings,
    range: { readonly fromMs: number; readonly untilMs: number; readonly spanMs: number },
  ) {
    this.#shown = shown;
    this.#latency = shown.measureLatency();
    this.#counts = shown.counts();
    this.#spanMs = range.spanMs;
    this.#fromMs = range.fromMs;
    this.#untilMs = range.untilMs;
  }

  /** The end of the current span; Infinity after the last span. */
  get endsAtMs(): number {
    if (this.#fromMs >= this.#untilMs) return Infinity;
    const endMs = this.#fromMs + this.#spanMs;
    // A short remainder would have a meaningless rate, so the previous span includes it.
    return this.#untilMs - endMs < this.#spanMs / 2 ? this.#untilMs : endMs;
  }

  /**
   * Ends the span. Call it when the lab has reached `endsAtMs`. @param waitingOnPhones - messages and reports at that
   * instant
   */
  end(waitingOnPhones: number): PastPoint {
    const [fromMs, atMs] = [this.#fromMs, this.endsAtMs];
    const [before, counts] = [this.#counts, this.#shown.counts()];
    this.#fromMs = atMs;
    this.#counts = counts;
    return {
      fromMs,
      atMs,
      events: counts.events - before.events,
      accepted: counts.accepted - before.accepted,
      failures: counts.failures - before.failures,
      ...this.#latency.read(),
      waitingOnPhones,
    };
  }
}
