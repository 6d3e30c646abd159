import { Collapse } from "./collapse.js";
import { type DescribedKnee, type KneePrior, type Knee, kneeOf } from "./knee.js";
import { type Contradiction, type Level, Levels, type LevelVerdict } from "./levels.js";
import { Ramp, type RampEnd } from "./ramp.js";
import type { SearchOptions } from "./search-options.js";
import type { TrialLength } from "./time-budget.js";
import { keptUp, type PlayTrial, type TrialOutcome } from "./trial-outcome.js";

export type { Level, PlayTrial, SearchOptions, TrialOutcome, LevelVerdict };

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
  /** What the overloaded receiver handled, if that is clearly less than its limit. Only for a `knee`. */
  readonly collapsesTo?: number;
  /** From this value on the generator fell behind its schedule. */
  readonly generatorLimit?: number;
  /**
   * What limits the result: the bound `to`, the generator, our connections, this machine (too busy to judge harder
   * values), the scenario (it has no harder value), the load (its phones report no more), the number of trials, or the
   * reason from `endsBy`.
   */
  readonly limitedBy?:
    "bound" | "generator" | "connections" | "busy" | "scenario" | "load" | "trials" | "time" | "stopped" | "receiver";
  /** The search ended before any trial that counts: the result comes from the ramp alone. */
  readonly isProvisional?: boolean;
  /** False: a value failed although a harder one passed. */
  readonly isMonotone: boolean;
  /** The receiver is not steady: several trials failed far below a value that held. */
  readonly contradiction?: Contradiction;
}

/** Upper bound of trials, so that the search ends for a receiver with random behaviour. */
const MAX_TRIALS = 120;

/** This many more void trials than others at a value mean that the generator cannot play it; fewer may be accidents. */
const MAX_VOIDS = 3;

/** A receiver that handles less than this share is overloaded, even if other programs took part of its time. */
const CLEARLY_OVERLOADED = 0.5;

/** The prior of the limit begins at this share of the estimate or above, however easy the last value that held. */
const LEAST_OF_ESTIMATE = 0.4;

/** The search ends if our connections are the limit at a value within this factor above one that held. */
const NEAR = 1.1;

/** A value is tried at most this often, times `trials`: adjacent whole numbers cannot be separated further. */
const MAX_REPEATS = 3;

/**
 * Searches for the value at which trials begin to fail. A ramp of short trials multiplies the value until one fails, and
 * closes in on the limit by the throughput of the saturated receiver. Then trials that count are played at the middle of
 * the knee's credible interval until it is narrow enough, and finally at both ends. Ends after 120 trials at the latest.
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
  readonly #ramp: Ramp;
  readonly #collapse = new Collapse();
  /** Values at which our connections were the limit of a trial. */
  readonly #crowded = new Set<number>();
  #count = 0;
  #limitedBy: Capacity["limitedBy"];
  /** Whether the search must end with the current result. */
  #isOver = false;

  constructor(play: PlayTrial, options: SearchOptions) {
    this.#play = play;
    this.#options = options;
    this.#levels = new Levels(options.to !== undefined && options.to < options.from ? -1 : 1);
    this.#ramp = new Ramp({ options, levels: this.#levels, playProbe: (value) => this.#playProbe(value) });
  }

  async run(): Promise<void> {
    const { from, round } = this.#options;
    this.#noteEnd(await this.#ramp.playTrialsFrom(round(from)));
    // A short trial may fail by accident: if trials that count passed beyond it, the ramp continues from there.
    while (!this.#isOver && (await this.#confirm()) === "held-beyond") {
      this.#noteEnd(await this.#ramp.continueFrom(this.#levels.hardestPassed ?? from));
    }
  }

  #noteEnd(end: RampEnd): void {
    if (end !== undefined) this.#limitedBy = end;
  }

  /**
   * Plays a short trial. Repeats it if it was void, or failed without saturation, which may be an accident. If other
   * programs disturbed it, what it handled meanwhile is enough for the ramp.
   */
  async #playProbe(value: number): Promise<TrialOutcome | undefined> {
    const first = await this.#playOne(value, "probe");
    if (first === undefined || keptUp(first)) return first;
    const { verdict, handled, isRough, doubt } = first;
    const isMeasured = handled !== undefined && (isRough !== true || handled < CLEARLY_OVERLOADED);
    const isSure = isMeasured && (verdict === "failed" || doubt !== undefined);
    return isSure ? first : this.#playOne(value, "probe");
  }

  /**
   * Plays trials that count: at the middle of the knee's interval until it is narrow enough, then at both ends.
   *
   * @returns `held-beyond`: all passed, even at a value at which a short trial had failed
   */
  async #confirm(): Promise<"known" | "held-beyond"> {
    const { precision, from, round } = this.#options;
    const { held, failed, generatorLimit } = this.#ramp;
    if (failed === undefined || held === undefined) {
      const easiest = held ?? failed ?? generatorLimit ?? round(from);
      const verdict = this.#levels.verdictAt(easiest) ?? (await this.#playPatiently(easiest));
      if (verdict === undefined || verdict === "void") return "known";
      if (verdict === "passed" && failed === undefined) {
        if (generatorLimit !== undefined) this.#limitedBy = "generator";
        return "known";
      }
      if (verdict === "failed" && held === undefined) return "known";
      if (this.#hasHeldBeyond()) return "held-beyond";
    }
    this.#limitedBy = undefined;
    for (let ends: ("low" | "high")[] = ["low", "high"]; ;) {
      const knee = this.#knee();
      const isNarrow = knee.high - knee.low <= 2 * Math.log1p(precision);
      if (this.#isCrowdedAbove()) return "known";
      if (!isNarrow) ends = ["low", "high"];
      const end = isNarrow ? ends.shift() : "middle";
      if (end === undefined) return "known";
      const value = this.#nextValue(knee, end);
      if (value === undefined || (await this.#playMajority(value)) === undefined) return "known";
      if (this.#hasHeldBeyond()) return "held-beyond";
    }
  }

  /** Whether our connections are the limit just above a value that held. More precision would only measure them. */
  #isCrowdedAbove(): boolean {
    const { hardestPassed, hardness } = this.#levels;
    if (hardestPassed === undefined) return false;
    const isNear = (value: number): boolean => hardness(value) - hardness(hardestPassed) <= Math.log(NEAR);
    return [...this.#crowded].some(isNear);
  }

  #hasHeldBeyond(): boolean {
    const { hardestPassed, easiestFailed, hardness } = this.#levels;
    const { failed } = this.#ramp;
    if (hardestPassed === undefined || easiestFailed !== undefined || failed === undefined) return false;
    return hardness(hardestPassed) >= hardness(failed);
  }

  /** The next value to try; undefined: another trial would add nothing. */
  #nextValue(knee: Knee, end: keyof Knee): number | undefined {
    const { precision, trials, round } = this.#options;
    const wanted = [...new Set<keyof Knee>([end, "middle", "low", "high"])];
    const values = wanted.map((one) => round(roundWithin(this.#levels.valueOf(knee[one]), precision / 4)));
    const open = values.filter((value) => !this.#isBarred(value) && !this.#isBeyondBound(value));
    const playedCount = (value: number): number =>
      this.#levels.judgedCount(value) + this.#levels.countsAt(value).doubts.length;
    const found = open.find((value) => playedCount(value) < MAX_REPEATS * trials);
    if (found === undefined && open.length < values.length) this.#limitedBy = "generator";
    return found;
  }

  /** Too many trials of the value were void. */
  #isBarred(value: number): boolean {
    const { passed, failed, voided, doubts } = this.#levels.countsAt(value);
    return voided - doubts.length >= MAX_VOIDS + passed + failed;
  }

  #isBeyondBound(value: number): boolean {
    const { to, isPossible = () => true } = this.#options;
    const { hardness } = this.#levels;
    return (to !== undefined && hardness(value) > hardness(to)) || !isPossible(value);
  }

  /** Calls `#playMajority`, and repeats it while this machine may be why a trial failed. */
  async #playPatiently(value: number): Promise<LevelVerdict | undefined> {
    let verdict: LevelVerdict | undefined;
    for (let tries = 0; tries < MAX_VOIDS; tries++) {
      verdict = await this.#playMajority(value);
      if (verdict !== "void" || this.#levels.countsAt(value).doubts.length === 0) break;
    }
    return verdict;
  }

  /** Plays trials of a value until a majority. @returns undefined: the search must end */
  async #playMajority(value: number): Promise<LevelVerdict | undefined> {
    const majority = Math.floor(this.#options.trials / 2) + 1;
    const now = { passed: 0, failed: 0, void: 0 };
    while (now.passed < majority && now.failed < majority) {
      const outcome = await this.#playOne(value, "trial");
      if (outcome === undefined) return undefined;
      // The doubtful trial has changed the knee's interval, so the search chooses the next value again.
      if (outcome.doubt !== undefined) return "void";
      now[outcome.verdict]++;
      if (now.void >= MAX_VOIDS + now.passed + now.failed) {
        // If a harder value was judged, the load was not what made the generator late.
        if (!this.#levels.isJudgedBeyond(value)) this.#ramp.limitGenerator(value);
        return "void";
      }
    }
    if (now.passed < majority) return "failed";
    this.#ramp.notePass(value);
    return "passed";
  }

  /** Plays one trial. @returns undefined: no further trial may begin */
  async #playOne(value: number, length: TrialLength): Promise<TrialOutcome | undefined> {
    const end = this.#count >= MAX_TRIALS ? "trials" : this.#options.endsBy?.(length);
    if (end !== undefined) return this.#endSearch(end);
    this.#count++;
    const outcome = await this.#play(value, length);
    if (outcome.isStopped === true) return this.#endSearch("stopped");
    if (outcome.isByConnections === true) this.#crowded.add(value);
    else this.#noteThroughput(value, outcome);
    if (length === "trial" || this.#options.probesCount === true)
      this.#levels.add(value, outcome.verdict, outcome.doubt);
    return outcome;
  }

  #endSearch(limitedBy: Capacity["limitedBy"]): undefined {
    this.#limitedBy = limitedBy;
    this.#isOver = true;
  }

  #noteThroughput(value: number, { verdict, handled, isRough, doubt }: TrialOutcome): void {
    const isOverload = verdict === "failed" || (doubt !== undefined && isRough !== true);
    if (!isOverload || handled === undefined) return;
    this.#collapse.add(this.#levels.hardness(this.#levels.harder(value, handled)));
  }

  #knee(): Knee {
    const { hardness, evidence } = this.#levels;
    const { held, failed, isFailureSaturated, estimate } = this.#ramp;
    const least = estimate === undefined ? -Infinity : hardness(this.#levels.harder(estimate, LEAST_OF_ESTIMATE));
    const expected: KneePrior = {
      low: Math.max(hardness(held ?? this.#options.from), least),
      high: hardness(failed ?? held ?? this.#options.from),
      isHighSure: isFailureSaturated,
      estimate: estimate === undefined ? undefined : hardness(estimate),
    };
    return kneeOf(evidence, { step: Math.min(0.02, this.#options.precision / 5), expected });
  }

  result(): Capacity {
    const levels = this.#levels;
    const { easiestFailed, hardestPassed } = levels;
    const contradiction = levels.contradiction((value) => this.#crowded.has(value));
    const { held, failed, isFailureDoubtful, generatorLimit } = this.#ramp;
    const probedFailed = isFailureDoubtful ? undefined : failed;
    const isBracketed = (easiestFailed ?? probedFailed) !== undefined && (hardestPassed ?? held) !== undefined;
    const knee = isBracketed ? this.#knee() : undefined;
    const isProvisional = !levels.hasEvidence;
    const { holds, breaks } = isProvisional ? { holds: held, breaks: probedFailed } : levels.bracketKnee(knee?.middle);
    const isCrowded = this.#crowded.has(breaks ?? failed ?? NaN);
    const isBusy = knee === undefined && holds !== undefined && (isFailureDoubtful || levels.hasDoubtsBeyond(holds));
    const isOwnEnd = this.#limitedBy === "stopped" || this.#limitedBy === "receiver";
    const limitedBy = isCrowded ? "connections" : isBusy && !isOwnEnd ? "busy" : this.#limitedBy;
    const collapse =
      knee === undefined || holds === undefined ? undefined : this.#collapse.below(levels.hardness(holds));
    return {
      kind: knee !== undefined ? "knee" : holds !== undefined ? "at-least" : breaks !== undefined ? "below" : "unknown",
      levels: levels.list(),
      knee: knee && levels.describeKnee(knee),
      holds,
      breaks,
      collapsesTo: collapse === undefined ? undefined : levels.valueOf(collapse),
      generatorLimit,
      limitedBy,
      ...(isProvisional && { isProvisional }),
      isMonotone: levels.isMonotone,
      contradiction,
    };
  }
}

/** The number with the fewest digits within a relative tolerance of a value. */
function roundWithin(value: number, tolerance: number): number {
  for (let digits = 1; digits < 6; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.abs(rounded / value - 1) <= tolerance) return rounded;
  }
  return value;
}
