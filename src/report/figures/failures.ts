import { type Axis, bucketOf } from "./axis.js";
import type { FailureKind } from "./figures.js";

/** Kinds that are told apart; a receiver that makes up statuses cannot fill the page. */
const KINDS_MAX = 30;

/** Attempts of a kind that are shown with what went over the wire. */
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

/** Attempts that were not accepted, by kind; of each the first few are remembered by their rows. */
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

  /** The most frequent first. */
  kinds(): FailureKind[] {
    return this.#sorted().map(([kind, { count, firstMs, lastMs, outcomes, perBucket }]) => {
      const [outcome = ""] = [...outcomes].toSorted(([, a], [, b]) => b - a)[0] ?? [];
      return { kind, outcome, count, firstMs, lastMs, perBucket: [...perBucket] };
    });
  }

  /** Rows of attempts worth a look, with their kind: the most frequent kinds first. */
  samples(): { readonly kind: string; readonly row: number }[] {
    return this.#sorted().flatMap(([kind, { rows }]) => rows.map((row) => ({ kind, row })));
  }

  #sorted(): [string, KindCounts][] {
    return [...this.#kinds].toSorted(([a, { count: m }], [b, { count: n }]) => n - m || (a < b ? -1 : 1));
  }
}
