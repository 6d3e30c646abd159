/** Number of attempts kept. */
const KEPT = 20;

interface SlowAttempt {
  readonly row: number;
  readonly latencyMs: number;
}

/** Keeps the attempts with the longest latency. */
export class SlowestAttempts {
  readonly #kept: SlowAttempt[] = [];
  #leastMs = -1;

  add(row: number, latencyMs: number): void {
    if (latencyMs <= this.#leastMs) return;
    this.#kept.push({ row, latencyMs });
    if (this.#kept.length <= KEPT) return;
    this.#kept.sort((a, b) => b.latencyMs - a.latencyMs || a.row - b.row);
    this.#kept.length = KEPT;
    this.#leastMs = this.#kept.at(-1)?.latencyMs ?? -1;
  }

  /** Longest first. */
  rows(): number[] {
    return this.#kept.toSorted((a, b) => b.latencyMs - a.latencyMs || a.row - b.row).map(({ row }) => row);
  }
}
