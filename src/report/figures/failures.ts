import { type Axis, bucketOf } from "./axis.js";
import type { FailureKind } from "./figures.js";

/**
 * Limit of separate kinds, so a receiver that invents statuses cannot fill the page; further kinds count as `other`.
 */
const KINDS_MAX = 30;

/** Attempts of a kind that are shown with request and answer. */
const SHOWN_MAX = 3;

const OTHER = "other";

interface KindCounts {
  count: number;
  firstMs: number;
  lastMs: number;
  readonly outcomes: Map<string, number>;
  readonly perBucket: Uint32Array;
  readonly rows: number[];
}

/** Counts attempts that were not accepted, by kind, and keeps the rows of the first few of each kind. */
export class FailureCounts {
  readonly #axis: Axis;
  readonly #kinds = new Map<string, KindCounts>();

  constructor(axis: Axis) {
    this.#axis = axis;
  }

  add(failure: {
    readonly kind: string;
    readonly outcome: string;
    readonly dueMs: number;
    readonly row: number;
  }): void {
    const { dueMs, outcome, row } = failure;
    const kind = this.#kindOf(failure.kind);
    kind.count++;
    if (dueMs < kind.firstMs) kind.firstMs = dueMs;
    if (dueMs > kind.lastMs) kind.lastMs = dueMs;
    kind.outcomes.set(outcome, (kind.outcomes.get(outcome) ?? 0) + 1);
    const bucket = bucketOf(this.#axis, dueMs);
    kind.perBucket[bucket] = (kind.perBucket[bucket] ?? 0) + 1;
    if (kind.rows.length < SHOWN_MAX) kind.rows.push(row);
  }

  #kindOf(name: string): KindCounts {
    const known = this.#kinds.get(name);
    if (known !== undefined) return known;
    if (this.#kinds.size >= KINDS_MAX && name !== OTHER) return this.#kindOf(OTHER);
    const kind: KindCounts = {
      count: 0,
      firstMs: Infinity,
      lastMs: -Infinity,
      outcomes: new Map(),
      perBucket: new Uint32Array(this.#axis.count),
      rows: [],
    };
    this.#kinds.set(name, kind);
    return kind;
  }

  /** Most frequent first. */
  kinds(): FailureKind[] {
    return this.#sorted().map(([kind, { count, firstMs, lastMs, outcomes, perBucket }]) => {
      const [outcome = ""] = [...outcomes].toSorted(([, a], [, b]) => b - a)[0] ?? [];
      return { kind, outcome, count, firstMs, lastMs, perBucket: [...perBucket] };
    });
  }

  /** Rows of the first attempts of each kind, most frequent kind first. */
  samples(): { readonly kind: string; readonly row: number }[] {
    return this.#sorted().flatMap(([kind, { rows }]) => rows.map((row) => ({ kind, row })));
  }

  #sorted(): [string, KindCounts][] {
    return [...this.#kinds].toSorted(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1));
  }
}
