import type { Percentiles } from "../../measure/index.js";
import type { BreakdownRow } from "./figures.js";
import { DurationHistograms } from "./duration-histograms.js";

/** Limit of separate names; later names count as `other`. */
const ROWS_MAX = 40;

const OTHER = "other";

/** Counts attempts by a name: the type of the event, or the group of the handset. */
export class Breakdown {
  readonly #indexes = new Map<string, number>();
  readonly #spans = new DurationHistograms(ROWS_MAX + 1);
  readonly #attempts = new Uint32Array(ROWS_MAX + 1);
  readonly #accepted = new Uint32Array(ROWS_MAX + 1);

  /** Index of a name; beyond the limit the index of `other`. */
  indexOf(name: string): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    if (this.#indexes.size >= ROWS_MAX && name !== OTHER) return this.indexOf(OTHER);
    const index = this.#indexes.size;
    this.#indexes.set(name, index);
    return index;
  }

  add(index: number, attempt: { readonly isAccepted: boolean; readonly spanMs: number | null }): void {
    this.#attempts[index] = (this.#attempts[index] ?? 0) + 1;
    if (attempt.isAccepted) this.#accepted[index] = (this.#accepted[index] ?? 0) + 1;
    if (attempt.spanMs !== null) this.#spans.add(index, attempt.spanMs);
  }

  /** The names with attempts, busiest first. */
  rows(): BreakdownRow[] {
    return [...this.#indexes]
      .map(([name, index]) => ({
        name,
        attempts: this.#attempts[index] ?? 0,
        accepted: this.#accepted[index] ?? 0,
        latencyMs: percentilesOf(this.#spans, index),
      }))
      .filter(({ attempts }) => attempts > 0)
      .toSorted((a, b) => b.attempts - a.attempts || (a.name < b.name ? -1 : 1));
  }
}

/** Percentiles of one histogram, accurate within 0.8 %; the maximum is exact. */
export function percentilesOf(spans: DurationHistograms, index: number): Percentiles {
  const [p50 = null, p95 = null, p99 = null] = spans.percentiles(index, [50, 95, 99]);
  return { p50, p95, p99, max: spans.maxMs(index) };
}
