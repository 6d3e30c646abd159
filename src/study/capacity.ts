import { type DescribedKnee, type KneePrior, type Knee, kneeOf } from "./knee.js";
import { type Level, Levels, type Verdict } from "./levels.js";
import type { TrialLength } from "./time-budget.js";

export type { Level, Verdict };

/** The result of a trial, as far as the search needs it. */
export interface TrialOutcome {
  readonly verdict: Verdict;
  /** Too few attempts to judge: the ramp takes a larger step. */
  readonly isSparse?: boolean;
  /** Fewer attempts than in a sparse trial: the ramp takes an even larger step. */
  readonly isScarce?: boolean;
  /** The receiver was saturated and handled this share of the value. */
  readonly handled?: number;
  /** Void because the generator was late all the time, so the load exceeds it. Absent: single stalls made it late. */
  readonly isBeyondGenerator?: boolean;
  /** Passed, but hardly more attempts came due than at a much easier value: the phones limit the load. */
  readonly isFlat?: boolean;
  /** The user stopped the trial: it does not count, and the search ends. */
  readonly isStopped?: boolean;
}

/** Parameters of a search. */
export interface SearchOptions {
  /** First value; > 0. */
  readonly from: number;
  /** The hardest value of interest; absent: unbounded. Below `from`: smaller values are harder. */
  readonly to?: number;
  /** Whether `from` is the easiest value of interest. Else the search tries easier values if `from` fails. */
  readonly isFromEasiest: boolean;
  /** Maximum of consecutive trials of a value; odd, so there is a majority. */
  readonly trials: number;
  /** The search ends when the knee is known within this share on either side. */
  readonly precision: number;
  /** Trials of the ramp have full length, so they count. */
  readonly probesCount?: boolean;
  /** Rounds to the nearest value that can be played. */
  readonly round: (value: number) => number;
  /** Whether a value can be played; default: every value. */
  readonly isPossible?: (value: number) => boolean;
  /** Why the search must end before the next trial; undefined: it continues. */
  readonly endsBy?: (length: TrialLength) => "time" | "stopped" | "receiver" | undefined;
}

/** The result of a search. */
export interface Capacity {
  /**
   * `knee`: the limit is known; `at-least`: nothing failed up to `holds`; `below`: even the easiest value failed;
   * `unknown`: no trial counted.
   */
  readonly kind: "knee" | "at-least" | "below" | "unknown";
  /** Ascending. */
  readonly levels: readonly Level[];
  /** The value at which half of the trials pass, and its credible interval. Only for a `knee`. */
  readonly knee?: DescribedKnee;
  /** The hardest value up to the knee at which most trials passed. */
  readonly holds?: number;
  /** The easiest value at which most trials failed, beyond `holds`. */
  readonly breaks?: number;
  /** From this value on the generator fell behind its schedule. */
  readonly generatorLimit?: number;
  /**
   * What limits the result: the bound `to`, the generator, the scenario (it has no harder value), the load (its phones
   * report no more), the number of trials, or the reason from `endsBy`.
   */
  readonly limitedBy?: "bound" | "generator" | "scenario" | "load" | "trials" | "time" | "stopped" | "receiver";
  /** The search ended before any trial that counts: the result comes from the ramp alone. */
  readonly isProvisional?: boolean;
  /** False: a value failed although a harder one passed. */
  readonly isMonotone: boolean;
}

/** Plays a trial of a value; an exception ends the search. */
export type PlayTrial = (value: number, length: TrialLength) => Promise<TrialOutcome>;

/** Upper bound of trials, so that the search ends for a receiver with random behaviour. */
const MAX_TRIALS = 120;

/** Steps of the ramp: usually, after a sparse trial, and after a scarce one. */
const STEP = 4;
const SPARSE_STEP = 10;
const SCARCE_STEP = 100;

/** How often the ramp divides the value if the first one fails: down to a thousandth. */
const MAX_DESCENTS = 5;

/** This many more void trials than others at a value mean that the generator cannot play it; fewer may be accidents. */
const MAX_VOIDS = 3;

/** A value is tried at most this often, times `trials`: adjacent whole numbers cannot be separated further. */
const MAX_REPEATS = 3;

/** Factor of the estimate by throughput: most receivers break slightly below it. */
const BELOW_ESTIMATE = 0.97;

/**
 * Searches for the value at which trials begin to fail. A ramp of short trials multiplies the value until one fails;
 * the throughput of a saturated receiver estimates the limit. Then trials that count are played at the middle of the
 * knee's credible interval until it is narrow enough, and finally at both ends. Ends after 120 trials at the latest.
 */
export async function searchCapacity(play: PlayTrial, options: SearchOptions): Promise<Capacity> {
  const search = new Search(play, options);
  await search.run();
  return search.result();
}

class Search {
  readonly #play: PlayTrial;
  readonly #options: SearchOptions;
  readonly #levels: Levels;
  #count = 0;
  /** The hardest value at which a short trial held, and the easiest at which one failed. */
  #probedHeld: number | undefined;
  #probedFailed: number | undefined;
  #estimate: number | undefined;
  #generatorLimit: number | undefined;
  #limitedBy: Capacity["limitedBy"];
  /** The search must end with the current result. */
  #isOver = false;

  constructor(play: PlayTrial, options: SearchOptions) {
    this.#play = play;
    this.#options = options;
    this.#levels = new Levels(options.to !== undefined && options.to < options.from ? -1 : 1);
  }

  async run(): Promise<void> {
    const { from, round } = this.#options;
    await this.#ramp(round(from));
    // A short trial may fail by accident: if trials that count passed beyond it, the ramp continues from there.
    while (!this.#isOver && (await this.#confirm()) === "held-beyond") {
      const passed = this.#levels.hardestPassed ?? from;
      [this.#probedHeld, this.#probedFailed, this.#estimate] = [passed, undefined, undefined];
      const next = this.#harderThan(passed, 2);
      if (next === undefined) return;
      await this.#ramp(next);
    }
  }

  /** Plays short trials of harder values until one fails or the bound is reached; of easier values until one holds. */
  async #ramp(from: number): Promise<void> {
    const { isFromEasiest, round } = this.#options;
    let value = from;
    for (let descents = 0; ;) {
      const outcome = await this.#playProbe(value);
      if (outcome === undefined) return;
      let next: number | undefined;
      if (keptUp(outcome) && outcome.isFlat === true && this.#probedHeld !== undefined) {
        this.#limitedBy = "load";
        return;
      }
      if (keptUp(outcome)) {
        this.#probedHeld = value;
        const limit = this.#probedFailed ?? this.#generatorLimit;
        if (limit !== undefined) return this.#approachGeneratorLimit();
        next = this.#harderThan(value, stepAfter(outcome));
      } else {
        if (outcome.isBeyondGenerator === true) this.#generatorLimit = value;
        else this.#noteFailure(value, outcome);
        if (this.#probedHeld !== undefined) return this.#approachGeneratorLimit();
        if (isFromEasiest || descents++ === MAX_DESCENTS) return;
        next = round(this.#levels.harder(value, outcome.handled === undefined ? 1 / STEP : 0.7 * outcome.handled));
        if (next === value || next <= 0) return;
      }
      if (next === undefined) return;
      value = next;
    }
  }

  /**
   * Bisects between the hardest value that held and the generator's limit, until a value fails or the gap is narrow.
   */
  async #approachGeneratorLimit(): Promise<void> {
    const { round, precision } = this.#options;
    while (this.#probedFailed === undefined && this.#generatorLimit !== undefined && this.#probedHeld !== undefined) {
      const [low, high] = [this.#probedHeld, this.#generatorLimit].map((value) => this.#levels.hardness(value));
      const between = round(this.#levels.valueOf(((low ?? 0) + (high ?? 0)) / 2));
      const isNarrow = (high ?? 0) - (low ?? 0) <= 2 * Math.log1p(precision);
      if (isNarrow || between === this.#probedHeld || between === this.#generatorLimit) return;
      const outcome = await this.#playProbe(between);
      if (outcome === undefined) return;
      if (keptUp(outcome)) this.#probedHeld = between;
      else if (outcome.isBeyondGenerator === true) this.#generatorLimit = between;
      else this.#noteFailure(between, outcome);
    }
  }

  #noteFailure(value: number, { handled }: TrialOutcome): void {
    this.#probedFailed = value;
    this.#estimate = handled === undefined ? undefined : this.#levels.harder(value, handled * BELOW_ESTIMATE);
  }

  /** The next harder value within the bound. @returns undefined: there is none, and `#limitedBy` is set */
  #harderThan(value: number, times: number): number | undefined {
    const { to, round, isPossible = () => true } = this.#options;
    const { hardness } = this.#levels;
    if (to !== undefined && hardness(value) >= hardness(to)) return void (this.#limitedBy = "bound");
    const harder = round(this.#levels.harder(value, times));
    const next = to !== undefined && hardness(harder) > hardness(to) ? to : harder;
    if (next !== value && isPossible(next)) return next;
    return times > 2 ? this.#harderThan(value, 2) : void (this.#limitedBy = "scenario");
  }

  /** Plays a short trial, and repeats it if it was void, or failed without saturation, which may be an accident. */
  async #playProbe(value: number): Promise<TrialOutcome | undefined> {
    const first = await this.#playOne(value, "probe");
    const isSure = first?.verdict === "failed" && first.handled !== undefined;
    return first === undefined || keptUp(first) || isSure ? first : this.#playOne(value, "probe");
  }

  /**
   * Plays trials that count: at the middle of the knee's interval until it is narrow enough, then at both ends.
   *
   * @returns `held-beyond`: all passed, even at a value at which a short trial had failed
   */
  async #confirm(): Promise<"known" | "held-beyond"> {
    const { precision, from, round } = this.#options;
    if (this.#probedFailed === undefined || this.#probedHeld === undefined) {
      const easiest = this.#probedHeld ?? this.#probedFailed ?? this.#generatorLimit ?? round(from);
      const verdict = this.#levels.verdictAt(easiest) ?? (await this.#playMajority(easiest));
      if (verdict === undefined || verdict === "void") return "known";
      if (verdict === "passed" && this.#probedFailed === undefined) {
        if (this.#generatorLimit !== undefined) this.#limitedBy = "generator";
        return "known";
      }
      if (verdict === "failed" && this.#probedHeld === undefined) return "known";
      if (this.#hasHeldBeyond()) return "held-beyond";
    }
    this.#limitedBy = undefined;
    for (let ends: ("low" | "high")[] = ["low", "high"]; ;) {
      const knee = this.#knee();
      const isNarrow = knee.high - knee.low <= 2 * Math.log1p(precision);
      if (!isNarrow) ends = ["low", "high"];
      const end = isNarrow ? ends.shift() : "middle";
      if (end === undefined) return "known";
      const value = this.#nextValue(knee, end);
      if (value === undefined || (await this.#playMajority(value)) === undefined) return "known";
      if (this.#hasHeldBeyond()) return "held-beyond";
    }
  }

  #hasHeldBeyond(): boolean {
    const { hardestPassed, easiestFailed, hardness } = this.#levels;
    if (hardestPassed === undefined || easiestFailed !== undefined || this.#probedFailed === undefined) return false;
    return hardness(hardestPassed) >= hardness(this.#probedFailed);
  }

  /** The next value to try; undefined: another trial would add nothing. */
  #nextValue(knee: Knee, end: keyof Knee): number | undefined {
    const { precision, trials, round } = this.#options;
    const wanted = [...new Set<keyof Knee>([end, "middle", "low", "high"])];
    const values = wanted.map((one) => round(roundWithin(this.#levels.valueOf(knee[one]), precision / 4)));
    const open = values.filter((value) => !this.#isBarred(value) && !this.#isBeyondBound(value));
    const found = open.find((value) => this.#levels.judgedCount(value) < MAX_REPEATS * trials);
    if (found === undefined && open.length < values.length) this.#limitedBy = "generator";
    return found;
  }

  /** Too many trials of the value were void. */
  #isBarred(value: number): boolean {
    const { passed, failed, voided } = this.#levels.countsAt(value);
    return voided >= MAX_VOIDS + passed + failed;
  }

  #isBeyondBound(value: number): boolean {
    const { to, isPossible = () => true } = this.#options;
    const { hardness } = this.#levels;
    return (to !== undefined && hardness(value) > hardness(to)) || !isPossible(value);
  }

  /** Plays trials of a value until a majority. @returns undefined: the search must end */
  async #playMajority(value: number): Promise<Verdict | undefined> {
    const majority = Math.floor(this.#options.trials / 2) + 1;
    const now = { passed: 0, failed: 0, void: 0 };
    while (now.passed < majority && now.failed < majority) {
      const outcome = await this.#playOne(value, "trial");
      if (outcome === undefined) return undefined;
      now[outcome.verdict]++;
      if (now.void >= MAX_VOIDS + now.passed + now.failed) {
        // If a harder value was judged, the load was not what made the generator late.
        if (!this.#levels.isJudgedBeyond(value))
          this.#generatorLimit = this.#levels.easier(value, this.#generatorLimit);
        return "void";
      }
    }
    return now.passed >= majority ? "passed" : "failed";
  }

  /** Plays one trial. @returns undefined: no further trial may begin */
  async #playOne(value: number, length: TrialLength): Promise<TrialOutcome | undefined> {
    const end = this.#count >= MAX_TRIALS ? "trials" : this.#options.endsBy?.(length);
    if (end !== undefined) return this.#endSearch(end);
    this.#count++;
    const outcome = await this.#play(value, length);
    if (outcome.isStopped === true) return this.#endSearch("stopped");
    if (length === "trial" || this.#options.probesCount === true) this.#levels.add(value, outcome.verdict);
    return outcome;
  }

  #endSearch(limitedBy: Capacity["limitedBy"]): undefined {
    this.#limitedBy = limitedBy;
    this.#isOver = true;
  }

  #knee(): Knee {
    const { hardness, evidence } = this.#levels;
    const expected: KneePrior = {
      low: hardness(this.#probedHeld ?? this.#options.from),
      high: hardness(this.#probedFailed ?? this.#probedHeld ?? this.#options.from),
      ...(this.#estimate !== undefined && { estimate: hardness(this.#estimate) }),
    };
    return kneeOf(evidence, { step: Math.min(0.02, this.#options.precision / 5), expected });
  }

  result(): Capacity {
    const levels = this.#levels;
    const { easiestFailed, hardestPassed } = levels;
    const isBracketed =
      (easiestFailed ?? this.#probedFailed) !== undefined && (hardestPassed ?? this.#probedHeld) !== undefined;
    const knee = isBracketed ? this.#knee() : undefined;
    const isProvisional = !levels.hasEvidence;
    const { holds, breaks } = isProvisional
      ? { holds: this.#probedHeld, breaks: this.#probedFailed }
      : levels.bracketKnee(knee?.middle);
    return {
      kind: knee !== undefined ? "knee" : holds !== undefined ? "at-least" : breaks !== undefined ? "below" : "unknown",
      levels: levels.list(),
      ...(knee !== undefined && { knee: levels.describeKnee(knee) }),
      ...(holds !== undefined && { holds }),
      ...(breaks !== undefined && { breaks }),
      ...(this.#generatorLimit !== undefined && { generatorLimit: this.#generatorLimit }),
      ...(this.#limitedBy !== undefined && { limitedBy: this.#limitedBy }),
      ...(isProvisional && { isProvisional }),
      isMonotone: levels.isMonotone,
    };
  }
}

/** Whether the ramp may continue: the trial passed, or only stalls of this machine made it void and no queue grew. */
function keptUp({ verdict, handled, isBeyondGenerator }: TrialOutcome): boolean {
  return verdict === "passed" || (verdict === "void" && handled === undefined && isBeyondGenerator !== true);
}

function stepAfter({ isSparse, isScarce }: TrialOutcome): number {
  if (isScarce === true) return SCARCE_STEP;
  return isSparse === true ? SPARSE_STEP : STEP;
}

/** The number with the fewest digits within a relative tolerance of a value. */
function roundWithin(value: number, tolerance: number): number {
  for (let digits = 1; digits < 6; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.abs(rounded / value - 1) <= tolerance) return rounded;
  }
  return value;
}
