import type { SimTime } from "../../sim/index.js";

/**
 * A battery: a level that is worked out when it is looked at, from the rate in force since the last look. So an idle
 * phone costs no events.
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

  /** From now on the level changes by so many percentage points an hour. */
  setRate(perHour: number, nowMs: SimTime): void {
    this.#update(nowMs);
    this.#rate = perHour / 3_600_000;
  }

  set(level: number, nowMs: SimTime): void {
    this.#level = clamp(level);
    this.#sinceMs = nowMs;
  }

  /** Takes so many percentage points at once. */
  drain(percent: number, nowMs: SimTime): void {
    this.#update(nowMs);
    this.#level = clamp(this.#level - percent);
  }

  /** When the level passes this one at the present rate; Infinity when it never does, now when it has. */
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
