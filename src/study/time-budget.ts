/** A short trial of the ramp, or one that counts. */
export type TrialLength = "probe" | "trial";

/** Length of a probe, which only has to find the range. Wall milliseconds. */
const PROBE_MS = 3000;

/** Number of trials after the ramp among which the budget is divided. */
const PLANNED_TRIALS = 7;

/** Bounds of the length of a trial that the study chooses. Wall milliseconds. */
const TRIAL_MIN_MS = 6000;
const TRIAL_MAX_MS = 15_000;

/** Usual numbers of short trials and of trials that count, for the estimate of the remaining time. */
const USUAL_PROBES = 5;
const USUAL_TRIALS = 5;

/** Initial estimate of a trial's overhead: start, drain, recovery. Wall milliseconds. */
const OVERHEAD_MS = 2500;

/** Number of recent trials from which the overhead is estimated. */
const RECENT = 4;

/** The time budget of a search: the length of trials, and whether another one fits. Durations are wall milliseconds. */
export class TimeBudget {
  readonly #now: () => number;
  readonly #endsAt: number;
  readonly #fixedMs: number | undefined;
  readonly #probeMs: number;
  #chosenMs: number | undefined;
  readonly #overheads: number[] = [];

  /**
   * @param options - `limitMs`: Infinity for none; `trialMs`: fixed length of trials, absent: chosen; `isWhole`: no
   *   short trials
   */
  constructor(options: {
    readonly now: () => number;
    readonly limitMs: number;
    readonly trialMs?: number;
    readonly isWhole?: boolean;
  }) {
    this.#now = options.now;
    this.#endsAt = options.now() + options.limitMs;
    this.#fixedMs = options.trialMs;
    this.#probeMs = Math.min(options.isWhole === true ? Infinity : PROBE_MS, options.trialMs ?? PROBE_MS);
  }

  /** The length of the next trial. The first call for a trial that counts chooses the length of all. */
  lengthMs(length: TrialLength): number {
    if (length === "probe") return this.#probeMs;
    if (this.#fixedMs !== undefined) return this.#fixedMs;
    const affordable = this.leftMs / PLANNED_TRIALS - this.#overheadMs;
    return (this.#chosenMs ??= Math.round(Math.min(TRIAL_MAX_MS, Math.max(TRIAL_MIN_MS, affordable))));
  }

  /** Records the total time of a trial. */
  recordTrial(lengthMs: number, tookMs: number): void {
    this.#overheads.push(Math.max(0, tookMs - lengthMs));
  }

  /** Whether another trial would end within the limit. */
  fits(length: TrialLength): boolean {
    const overheadMs = Math.max(this.#overheadMs, ...this.#overheads.slice(-RECENT));
    return this.#endsAt === Infinity || this.lengthMs(length) + overheadMs <= this.leftMs;
  }

  /** Time until the limit; Infinity: no limit. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#now());
  }

  /** Estimated remaining time of the search, at most `leftMs`. */
  get expectedMs(): number {
    const played = this.#overheads.length;
    const probes = Math.max(0, USUAL_PROBES - played);
    const trials = Math.max(1, USUAL_TRIALS - Math.max(0, played - USUAL_PROBES));
    if (this.#fixedMs === undefined) return this.leftMs;
    const lengths = probes * this.#probeMs + trials * this.#fixedMs;
    return Math.min(this.leftMs, lengths + (probes + trials) * this.#overheadMs);
  }

  /** Mean overhead of the recent trials. */
  get #overheadMs(): number {
    const last = this.#overheads.slice(-RECENT);
    return last.length === 0 ? OVERHEAD_MS : last.reduce((sum, ms) => sum + ms, 0) / last.length;
  }
}
