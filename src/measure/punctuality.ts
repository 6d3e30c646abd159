import type { MeasuredAttempt } from "./measurements.js";

/** An attempt that is made so long after it was due, by our own doing, is late: wall milliseconds. */
export const LATE_MS = 100;

/** Where more than this share of a run's attempts is late, the run fell behind its schedule: its p99 is touched. */
const LATE_SHARE = 0.01;

/** Seconds that are looked at apart: eleven days. What comes later counts with the last of them. */
const MAX_SECONDS = 1_000_000;

/** How well a run kept to its schedule. */
export interface Punctuality {
  /** More than one in a hundred attempts was late. */
  readonly fellBehind: boolean;
  /** Share of the attempts that were late, 0..1. */
  readonly lateShare: number;
  /** Seconds of wall time in which something was due, and those of them in which anything was made late. */
  readonly seconds: number;
  readonly lateSeconds: number;
  /** Where an attempt was latest: seconds after the first due one; and by how much. Null where none was late. */
  readonly worst: { readonly atS: number; readonly latenessMs: number } | null;
}

/**
 * Whether attempts were made when they were due, second by second: eight bytes for each second of the run. A generator
 * that is late measures itself; whoever reads its numbers must be told before anything else.
 */
export class PunctualityMeter {
  #latestMs = new Float32Array(64);
  /** Whether anything was due in a second. */
  #isBusy = new Uint8Array(64);
  #seconds = 0;
  #firstDueMs: number | undefined;
  #count = 0;
  #late = 0;

  /** Told of each attempt; those of runs without a schedule do not count. */
  recordAttempt({ latenessMs, sentWallMs, durationMs, latencyMs }: MeasuredAttempt): void {
    if (latenessMs === null) return;
    this.#count++;
    if (latenessMs > LATE_MS) this.#late++;
    if (sentWallMs === null) return;
    // The answer came at sent + duration, and latency counts back from there.
    const dueMs = sentWallMs + durationMs - latencyMs;
    this.#firstDueMs ??= dueMs;
    const second = Math.min(Math.max(0, Math.floor((dueMs - this.#firstDueMs) / 1000)), MAX_SECONDS - 1);
    if (second >= this.#seconds) this.#reach(second + 1);
    this.#isBusy[second] = 1;
    if (latenessMs > (this.#latestMs[second] ?? 0)) this.#latestMs[second] = latenessMs;
  }

  get bytes(): number {
    return this.#latestMs.byteLength + this.#isBusy.byteLength;
  }

  punctuality(): Punctuality {
    let [seconds, lateSeconds, worstAt] = [0, 0, 0];
    for (let second = 0; second < this.#seconds; second++) {
      const latest = this.#latestMs[second] ?? 0;
      seconds += this.#isBusy[second] ?? 0;
      if (latest > LATE_MS) lateSeconds++;
      if (latest > (this.#latestMs[worstAt] ?? 0)) worstAt = second;
    }
    const lateShare = this.#count === 0 ? 0 : this.#late / this.#count;
    const worst = lateSeconds === 0 ? null : { atS: worstAt, latenessMs: this.#latestMs[worstAt] ?? 0 };
    return { fellBehind: lateShare > LATE_SHARE, lateShare, seconds, lateSeconds, worst };
  }

  #reach(seconds: number): void {
    this.#seconds = seconds;
    if (seconds <= this.#latestMs.length) return;
    const length = Math.min(MAX_SECONDS, 2 * seconds);
    const [latest, busy] = [new Float32Array(length), new Uint8Array(length)];
    latest.set(this.#latestMs);
    busy.set(this.#isBusy);
    this.#latestMs = latest;
    this.#isBusy = busy;
  }
}
