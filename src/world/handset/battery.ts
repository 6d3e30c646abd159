import type { SimTime } from "../../sim/index.js";

/**
 * A battery. Its level is computed on read from the rate since the last update, so an idle phone costs no kernel
 * events.
 */
export class Battery {
  #level: number;
  /** Percentage points per millisecond; negative while discharging. */
  #rate = 0;
  #sinceMs: SimTime = 0;

  /** @param level - percent, 0..100 */
  constructor(level: number) {
    this.#level = clamp(level);
  }

  /** Percent, 0..100. */
  level(nowMs: SimTime): number {
    return clamp(this.#level + this.#rate * (nowMs - this.#sinceMs));
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
    const gap = level - this.level(nowMs);
    if (gap === 0) return nowMs;
    if (this.#rate === 0 || gap > 0 !== this.#rate > 0) return Infinity;
    return nowMs + Math.ceil(gap / this.#rate);
  }

  #update(nowMs: SimTime): void {
    this.#level = this.level(nowMs);
    this.#sinceMs = nowMs;
  }
}

function clamp(level: number): number {
  return Math.min(100, Math.max(0, level));
}
