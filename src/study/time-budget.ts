/** A short trial of the ramp, or one that counts. */
export type TrialLength = "probe" | "trial";

/** A probe lasts this long: it has to find the place, not to judge. Wall milliseconds. */
const PROBE_MS = 3000;

/** Trials that a search has to pay from its budget after the ramp. */
const TRIALS = 7;

/** Where the tool chooses, a trial lasts from so long to so long. Wall milliseconds. */
const LEAST_MS = 6000;
const MOST_MS = 15_000;

/** So many short trials and so many that count a search usually makes. */
const USUAL_PROBES = 5;
const USUAL_TRIALS = 5;

/** A trial takes longer than its length by this much, until it is known better: start, drain, recovery. */
const OVERHEAD_MS = 2500;

/** How many of the last trials say how much longer the next one takes than its length. */
const RECENT = 4;

/** The wall time of a search: how long its trials may be, and whether another one fits. All spans are wall milliseconds. */
export class TimeBudget {
  readonly #now: () => number;
  readonly #endsAt: number;
  readonly #fixedMs: number | undefined;
  readonly #probeMs: number;
  #chosenMs: number | undefined;
  readonly #overheads: number[] = [];

  /**
   * @param options - `limitMs`: Infinity for none; `trialMs`: how long a trial has to be, absent: it is chosen; `isWhole`: a
   *   short trial is not possible
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

  /** The length of the next trial; that of trials that count is chosen when the first of them is due. */
  lengthMs(length: TrialLength): number {
    if (length === "probe") return this.#probeMs;
    if (this.#fixedMs !== undefined) return this.#fixedMs;
    const affordable = this.leftMs / TRIALS - this.#overheadMs;
    return (this.#chosenMs ??= Math.round(Math.min(MOST_MS, Math.max(LEAST_MS, affordable))));
  }

  /** A trial of a length has taken so long in all. */
  played(lengthMs: number, tookMs: number): void {
    this.#overheads.push(Math.max(0, tookMs - lengthMs));
  }

  /** Whether another trial would end in time. */
  fits(length: TrialLength): boolean {
    const overheadMs = Math.max(this.#overheadMs, ...this.#overheads.slice(-RECENT));
    return this.#endsAt === Infinity || this.lengthMs(length) + overheadMs <= this.leftMs;
  }

  /** Until the limit. Infinity: there is none. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#now());
  }

  /** What a search usually takes from now on: an estimate, at most what is left. */
  get expectedMs(): number {
    const played = this.#overheads.length;
    const probes = Math.max(0, USUAL_PROBES - played);
    const trials = Math.max(1, USUAL_TRIALS - Math.max(0, played - USUAL_PROBES));
    if (this.#fixedMs === undefined) return this.leftMs;
    const lengths = probes * this.#probeMs + trials * this.#fixedMs;
    return Math.min(this.leftMs, lengths + (probes + trials) * this.#overheadMs);
  }

  /** The mean of the recent ones. */
  get #overheadMs(): number {
    const last = this.#overheads.slice(-RECENT);
    return last.length === 0 ? OVERHEAD_MS : last.reduce((sum, ms) => sum + ms, 0) / last.length;
  }
}
