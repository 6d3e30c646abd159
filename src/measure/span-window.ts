import type { MeasuredAttempt } from "./measurements.js";
import { Latency, type PackedLatency } from "./latency.js";
import type { SpanFamily } from "./metric.js";
import type { Tags } from "./tags.js";

/**
 * Spans of the latest seconds: what a moving window of time is held against. The seconds are cut by whoever calls
 * `cut`, once in each. A second keeps eight bytes for each value that occurred in it, some 2 KiB: 15 minutes, the longest
 * window, 2 MiB.
 */
export class SpanWindow {
  readonly tags: Tags;
  readonly #family: SpanFamily;
  readonly #seconds: number;
  readonly #current = new Latency();
  readonly #past: PackedLatency[] = [];

  /** @param options - `seconds`: so many are kept; Infinity: all since it began, in one histogram */
  constructor(options: { readonly family: SpanFamily; readonly tags: Tags; readonly seconds: number }) {
    this.tags = options.tags;
    this.#family = options.family;
    this.#seconds = options.seconds;
  }

  recordAttempt({ status, outcome, latencyMs, durationMs, latenessMs }: MeasuredAttempt): void {
    switch (this.#family) {
      case "delivery":
        if (status !== null || outcome === "timeout") this.#current.record(latencyMs);
        return;
      case "service":
        if (status !== null || outcome === "timeout") this.#current.record(durationMs);
        return;
      case "lateness":
        if (latenessMs !== null) this.#current.record(latenessMs);
        return;
      case "roundtrip":
        return;
      default:
        this.#family satisfies never;
    }
  }

  recordRoundTrip(ms: number): void {
    if (this.#family === "roundtrip") this.#current.record(ms);
  }

  /** A second is over. */
  endSecond(): void {
    if (this.#seconds === Infinity) return;
    this.#past.push(this.#current.pack());
    this.#current.clear();
    if (this.#past.length > this.#seconds) this.#past.shift();
  }

  /** Forgets what was so far. */
  clear(): void {
    this.#past.length = 0;
    this.#current.clear();
  }

  /** What is in the window now, the second under way included. */
  total(): Latency {
    if (this.#seconds === Infinity) return this.#current;
    const sum = new Latency();
    for (const second of this.#past) sum.addPacked(second);
    sum.add(this.#current);
    return sum;
  }
}
