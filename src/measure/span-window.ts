import type { MeasuredAttempt } from "./measurements.js";
import { Latency, type PackedLatency } from "./latency.js";
import type { SpanFamily } from "./metric.js";
import type { Tags } from "./tags.js";
import { showsLatency } from "./trouble-code.js";

/**
 * Durations of a moving window over the latest seconds. The caller ends each second with `endSecond`. A second keeps
 * eight bytes per distinct value, about 2 KiB; the longest window, 15 minutes, takes 2 MiB.
 */
export class SpanWindow {
  readonly tags: Tags;
  readonly #family: SpanFamily;
  readonly #seconds: number;
  readonly #current = new Latency();
  readonly #past: PackedLatency[] = [];

  /** @param options - `seconds`: length of the window; Infinity: everything since the start, in one histogram */
  constructor(options: { readonly family: SpanFamily; readonly tags: Tags; readonly seconds: number }) {
    this.tags = options.tags;
    this.#family = options.family;
    this.#seconds = options.seconds;
  }

  recordAttempt(attempt: MeasuredAttempt): void {
    const { latencyMs, durationMs, latenessMs } = attempt;
    switch (this.#family) {
      case "delivery":
        if (showsLatency(attempt)) this.#current.record(latencyMs);
        return;
      case "service":
        if (showsLatency(attempt)) this.#current.record(durationMs);
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

  /** Ends the current second. */
  endSecond(): void {
    if (this.#seconds === Infinity) return;
    this.#past.push(this.#current.pack());
    this.#current.clear();
    if (this.#past.length > this.#seconds) this.#past.shift();
  }

  /** Removes and returns the values of the current second. */
  takeSecond(): PackedLatency {
    const values = this.#current.pack();
    this.#current.clear();
    return values;
  }

  /** Drops all values. */
  clear(): void {
    this.#past.length = 0;
    this.#current.clear();
  }

  /** The values in the window, including the current second. */
  total(): Latency {
    if (this.#seconds === Infinity) return this.#current;
    const sum = new Latency();
    for (const second of this.#past) sum.addPacked(second);
    sum.add(this.#current);
    return sum;
  }
}
