import type { MeasuredAttempt } from "./measurements.js";

/** An attempt is late when the generator makes it more than this after its due time. Wall milliseconds. */
export const LATE_MS = 100;

/** A run fell behind its schedule when more than this share of its attempts is late, which affects its p99. */
const LATE_SHARE = 0.01;

/** Maximum length in seconds, eleven days. Later attempts count in the last second. */
const MAX_SECONDS = 1_000_000;

/** How well a run kept to its schedule. */
export interface Punctuality {
  /** More than one in a hundred attempts was late. */
  readonly fellBehind: boolean;
  /** Share of the attempts that were late, 0..1. */
  readonly lateShare: number;
  /** Wall seconds with due attempts, and those of them with late attempts. */
  readonly seconds: number;
  readonly lateSeconds: number;
  /** The greatest lateness, and its time in seconds after the first due attempt. Null when no attempt was late. */
  readonly worst: { readonly atS: number; readonly latenessMs: number } | null;
}

/**
 * Measures whether attempts were made on time, in each second of the run. A late generator measures itself instead of
 * the receiver, so reports state this first.
 */
export class PunctualityMeter {
  #latestMs = new Float32Array(64);
  /** By second: 1 if an attempt was due. */
  #isBusy = new Uint8Array(64);
  #seconds = 0;
  #firstDueMs: number | undefined;
  #count = 0;
  #late = 0;

  /** Records an attempt; without a schedule it does not count. */
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
