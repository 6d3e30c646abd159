import type { SimTime } from "../../sim/index.js";

/**
 * Share of the charging rate that is gone at 100 %: a lithium cell is charged at a constant voltage near the end, and
 * the current falls (assumed).
 */
const SLOWING = 0.8;

/**
 * A battery. Its level is computed on read from the rate since the last update, so an idle phone costs no kernel
 * events. It drains linearly and charges linearly up to `taperFrom`; above it the rate falls linearly with the level,
 * to a fifth at 100 %.
 */
export class Battery {
  #level: number;
  /** Percentage points per millisecond; negative while discharging. */
  #rate = 0;
  #sinceMs: SimTime = 0;
  readonly #taperFrom: number;

  /** @param level - percent, 0..100. @param taperFrom - percent; 100: charging never slows down */
  constructor(level: number, taperFrom = 100) {
    this.#level = clamp(level);
    this.#taperFrom = taperFrom;
  }

  /** Percent, 0..100. */
  level(nowMs: SimTime): number {
    const level = this.#level + this.#rate * (nowMs - this.#sinceMs);
    if (this.#rate <= 0 || level <= this.#taperFrom) return clamp(level);
    return this.#level >= 100 ? 100 : this.#taperedLevel(nowMs);
  }

  /** From now on the level changes by `perHour` percentage points an hour. */
  setRate(perHour: number, nowMs: SimTime): void {
    this.#update(nowMs);
    this.#rate = perHour / 3_600_000;
  }

  set(level: number, nowMs: SimTime): void {
    this.#level = clamp(level);
    this.#sinceMs = nowMs;
  }

  /** Drains percentage points at once. */
  drain(percent: number, nowMs: SimTime): void {
    this.#update(nowMs);
    this.#level = clamp(this.#level - percent);
  }

  /** When the level reaches `level` at the present rate; `nowMs` if it is there, Infinity if it never gets there. */
  timeOfLevel(level: number, nowMs: SimTime): SimTime {
    const present = this.level(nowMs);
    const gap = level - present;
    if (gap === 0) return nowMs;
    if (this.#rate === 0 || gap > 0 !== this.#rate > 0) return Infinity;
    if (this.#rate < 0 || level <= this.#taperFrom) return nowMs + Math.ceil(gap / this.#rate);
    const linearMs = Math.max(0, this.#taperFrom - present) / this.#rate;
    const slowdown = Math.log(this.#shareOfRate(Math.max(present, this.#taperFrom)) / this.#shareOfRate(level));
    return nowMs + Math.ceil(linearMs + (slowdown * (100 - this.#taperFrom)) / (SLOWING * this.#rate));
  }

  /** The level above `taperFrom`: the solution of the differential equation `level' = rate × shareOfRate(level)`. */
  #taperedLevel(nowMs: SimTime): number {
    const range = 100 - this.#taperFrom;
    if (range <= 0) return 100;
    const start = Math.max(this.#level, this.#taperFrom);
    const taperedMs = nowMs - this.#sinceMs - (start - this.#level) / this.#rate;
    const share = this.#shareOfRate(start) * Math.exp((-SLOWING * this.#rate * taperedMs) / range);
    return clamp(this.#taperFrom + (range * (1 - share)) / SLOWING);
  }

  /** The share of the charging rate at a level from `taperFrom` on. */
  #shareOfRate(level: number): number {
    return 1 - (SLOWING * (level - this.#taperFrom)) / (100 - this.#taperFrom);
  }

  #update(nowMs: SimTime): void {
    this.#level = this.level(nowMs);
    this.#sinceMs = nowMs;
  }
}

function clamp(level: number): number {
  return Math.min(100, Math.max(0, level));
}
