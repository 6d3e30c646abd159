import { type DescribedKnee, type Expected, type Knee, kneeOf } from "./knee.js";
import { type Level, Levels, type Verdict } from "./levels.js";
import type { TrialLength } from "./time-budget.js";

export type { Level, Verdict };

/** What a trial tells the search. */
export interface Outcome {
  readonly verdict: Verdict;
  /** Too few attempts for a judgement: the load may grow faster. */
  readonly isSparse?: boolean;
  /** Hardly any attempts: the load may grow even faster than after a sparse trial. */
  readonly isScarce?: boolean;
  /** The receiver was saturated, and this share of the value is what it handled. */
  readonly handled?: number;
  /** A void trial: the generator was late all the time, so the load is beyond it. Else single stalls made it late. */
  readonly isBeyondGenerator?: boolean;
  /** It passed, but hardly more came due than at a much easier value: phones hold the rest back. */
  readonly isFlat?: boolean;
  /** The trial was stopped by hand: it says nothing, and the search ends. */
  readonly isStopped?: boolean;
}

/** How a search goes. */
export interface SearchOptions {
  /** Where it begins; > 0. */
  readonly from: number;
  /** The hardest value of interest; absent: none. Below `from`: the smaller the harder. */
  readonly to?: number;
  /** Whether `from` is the easiest value of interest; else easier ones are tried when it fails. */
  readonly isFromEasiest: boolean;
  /** At most so many trials are made of a level in one go: an odd number, so that there is a majority. */
  readonly trials: number;
  /** The search ends when the knee is known to so much on either side, a share. */
  readonly precision: number;
  /** A trial of the ramp is as long as one that counts, and so counts, too. */
  readonly probesCount?: boolean;
  /** The nearest value that can be tried. */
  readonly round: (value: number) => number;
  /** Whether there can be such a value at all; default: all. */
  readonly isPossible?: (value: number) => boolean;
  /** Why it is to end now instead of another trial, with what is known; undefined: it is not. */
  readonly endsBy?: (length: TrialLength) => "time" | "stopped" | "receiver" | undefined;
}

/** What a search has found. */
export interface Capacity {
  /**
   * `knee`: where it breaks is known; `at-least`: nothing failed, up to `holds`; `below`: even the easiest value failed;
   * `unknown`: no trial counted.
   */
  readonly kind: "knee" | "at-least" | "below" | "unknown";
  /** Ascending. */
  readonly levels: readonly Level[];
  /** Where half of the trials pass, and an interval that holds it with `confidence`. Only for a `knee`. */
  readonly knee?: DescribedKnee;
  /** The hardest value at which most trials passed, short of the knee. */
  readonly holds?: number;
  /** The easiest value at which most trials failed, beyond `holds`. */
  readonly breaks?: number;
  /** From this value on our own side fell behind its schedule. */
  readonly generatorLimit?: number;
  /**
   * Why it is not known better: the bound `to`, our own side, what a scenario can say, what its
   * phones can report (`load`), no more trials, or see `endsBy`.
   */
  readonly limitedBy?: "bound" | "generator" | "scenario" | "load" | "trials" | "time" | "stopped" | "receiver";
  /** It ended before any trial that counts: short trials of the ramp are all that is known. */
  readonly isProvisional?: boolean;
  /** False: a value failed although a harder one passed. */
  readonly isMonotone: boolean;
}

/** Plays a trial of a value; what it throws ends the search. */
export type PlayTrial = (value: number, length: TrialLength) => Promise<Outcome>;

/** More trials than this are never made: a receiver whose answers follow no rule would keep the search busy for ever. */
const MOST_TRIALS = 120;

/** The ramp multiplies the value by this, and by the others where there were too few attempts to judge, or hardly any. */
const STEP = 4;
const SPARSE_STEP = 10;
const SCARCE_STEP = 100;

/** The ramp divides the value so often where even the first one fails: to a thousandth. */
const MOST_DESCENTS = 5;

/** So many more void trials of a value than others mean that our own side cannot do it. Fewer may be an accident. */
const MOST_VOIDS = 3;

/** A value is tried so often at most, times `trials`: whole numbers beside each other cannot be told apart further. */
const MOST_REPEATS = 3;

/** An estimate by throughput is approached from below: most receivers break a little before it. */
const BELOW_ESTIMATE = 0.97;

/**
 * Searches for the value at which trials begin to fail. A ramp of short trials multiplies the value until one fails; a receiver
 * that is saturated there shows its limit by how much it handles. Then trials that count are made where the knee is most
 * likely, until it is known well enough, and at both ends of where it may be. Ends after 120 trials at the latest.
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
  /** Whether the search has to end with what is known. */
  #isOver = false;

  constructor(play: PlayTrial, options: SearchOptions) {
    this.#play = play;
    this.#options = options;
    this.#levels = new Levels(options.to !== undefined && options.to < options.from ? -1 : 1);
  }

  async run(): Promise<void> {
    const { from, round } = this.#options;
    await this.#ramp(round(from));
    // A short trial may have failed by accident: then the ramp goes on from where all trials that count have passed.
    while (!this.#isOver && (await this.#confirm()) === "held-beyond") {
      const passed = this.#levels.hardestPassed ?? from;
      [this.#probedHeld, this.#probedFailed, this.#estimate] = [passed, undefined, undefined];
      const next = this.#harderThan(passed, 2);
      if (next === undefined) return;
      await this.#ramp(next);
    }
  }

  /** Short trials of ever harder values, up to one that fails or cannot be made; of easier ones, where nothing held yet. */
  async #ramp(from: number): Promise<void> {
    const { isFromEasiest, round } = this.#options;
    let value = from;
    for (let descents = 0; ;) {
      const outcome = await this.#probe(value);
      if (outcome === undefined) return;
      let next: number | undefined;
      if (keptUp(outcome) && outcome.isFlat === true && this.#probedHeld !== undefined) {
        this.#limitedBy = "load";
        return;
      }
      if (keptUp(outcome)) {
        this.#probedHeld = value;
        const limit = this.#probedFailed ?? this.#generatorLimit;
        if (limit !== undefined) return this.#approachGenerator();
        next = this.#harderThan(value, stepAfter(outcome));
      } else {
        if (outcome.isBeyondGenerator === true) this.#generatorLimit = value;
        else this.#noteFailure(value, outcome);
        if (this.#probedHeld !== undefined) return this.#approachGenerator();
        if (isFromEasiest || descents++ === MOST_DESCENTS) return;
        next = round(this.#levels.harder(value, outcome.handled === undefined ? 1 / STEP : 0.7 * outcome.handled));
        if (next === value || next <= 0) return;
      }
      if (next === undefined) return;
      value = next;
    }
  }

  /** Where harder values were void, what lies between is tried by halves, until something fails or it is narrow. */
  async #approachGenerator(): Promise<void> {
    const { round, precision } = this.#options;
    while (this.#probedFailed === undefined && this.#generatorLimit !== undefined && this.#probedHeld !== undefined) {
      const [low, high] = [this.#probedHeld, this.#generatorLimit].map((value) => this.#levels.hardness(value));
      const between = round(this.#levels.valueOf(((low ?? 0) + (high ?? 0)) / 2));
      const isNarrow = (high ?? 0) - (low ?? 0) <= 2 * Math.log1p(precision);
      if (isNarrow || between === this.#probedHeld || between === this.#generatorLimit) return;
      const outcome = await this.#probe(between);
      if (outcome === undefined) return;
      if (keptUp(outcome)) this.#probedHeld = between;
      else if (outcome.isBeyondGenerator === true) this.#generatorLimit = between;
      else this.#noteFailure(between, outcome);
    }
  }

  #noteFailure(value: number, { handled }: Outcome): void {
    this.#probedFailed = value;
    this.#estimate = handled === undefined ? undefined : this.#levels.harder(value, handled * BELOW_ESTIMATE);
  }

  /** A harder value, not beyond the bound. @returns undefined where there is none: `#limitedBy` says why */
  #harderThan(value: number, times: number): number | undefined {
    const { to, round, isPossible = () => true } = this.#options;
    const { hardness } = this.#levels;
    if (to !== undefined && hardness(value) >= hardness(to)) return void (this.#limitedBy = "bound");
    const harder = round(this.#levels.harder(value, times));
    const next = to !== undefined && hardness(harder) > hardness(to) ? to : harder;
    if (next !== value && isPossible(next)) return next;
    return times > 2 ? this.#harderThan(value, 2) : void (this.#limitedBy = "scenario");
  }

  /** One short trial; another one where the first was void, or failed and the receiver was not saturated: by accident, maybe. */
  async #probe(value: number): Promise<Outcome | undefined> {
    const first = await this.#try(value, "probe");
    const isSure = first?.verdict === "failed" && first.handled !== undefined;
    return first === undefined || keptUp(first) || isSure ? first : this.#try(value, "probe");
  }

  /**
   * Trials that count: in the middle of where the knee may be until that is narrow enough, then at both ends.
   *
   * @returns `held-beyond`: all passed, also where a short trial had failed
   */
  async #confirm(): Promise<"known" | "held-beyond"> {
    const { precision, from, round } = this.#options;
    if (this.#probedFailed === undefined || this.#probedHeld === undefined) {
      const easiest = this.#probedHeld ?? this.#probedFailed ?? this.#generatorLimit ?? round(from);
      const verdict = this.#levels.verdictAt(easiest) ?? (await this.#visit(easiest));
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
      const value = this.#next(knee, end);
      if (value === undefined || (await this.#visit(value)) === undefined) return "known";
      if (this.#hasHeldBeyond()) return "held-beyond";
    }
  }

  #hasHeldBeyond(): boolean {
    const { hardestPassed, easiestFailed, hardness } = this.#levels;
    if (hardestPassed === undefined || easiestFailed !== undefined || this.#probedFailed === undefined) return false;
    return hardness(hardestPassed) >= hardness(this.#probedFailed);
  }

  /** The value to be tried next; undefined where another trial would not tell more. */
  #next(knee: Knee, end: keyof Knee): number | undefined {
    const { precision, trials, round } = this.#options;
    const wanted = [...new Set<keyof Knee>([end, "middle", "low", "high"])];
    const values = wanted.map((one) => round(roundest(this.#levels.valueOf(knee[one]), precision / 4)));
    const open = values.filter((value) => !this.#isBarred(value) && !this.#isBeyondBound(value));
    const found = open.find((value) => this.#levels.judged(value) < MOST_REPEATS * trials);
    if (found === undefined && open.length < values.length) this.#limitedBy = "generator";
    return found;
  }

  /** Trials of it were void again and again. */
  #isBarred(value: number): boolean {
    const { passed, failed, voided } = this.#levels.at(value);
    return voided >= MOST_VOIDS + passed + failed;
  }

  #isBeyondBound(value: number): boolean {
    const { to, isPossible = () => true } = this.#options;
    const { hardness } = this.#levels;
    return (to !== undefined && hardness(value) > hardness(to)) || !isPossible(value);
  }

  /** Plays trials of a value up to a majority. @returns undefined where the search is to end */
  async #visit(value: number): Promise<Verdict | undefined> {
    const majority = Math.floor(this.#options.trials / 2) + 1;
    const now = { passed: 0, failed: 0, void: 0 };
    while (now.passed < majority && now.failed < majority) {
      const outcome = await this.#try(value, "trial");
      if (outcome === undefined) return undefined;
      now[outcome.verdict]++;
      if (now.void >= MOST_VOIDS + now.passed + now.failed) {
        // Where a harder value could be judged, it was not the load that made our own side late.
        if (!this.#levels.isJudgedBeyond(value))
          this.#generatorLimit = this.#levels.easier(value, this.#generatorLimit);
        return "void";
      }
    }
    return now.passed >= majority ? "passed" : "failed";
  }

  /** @returns undefined where no further trial may begin */
  async #try(value: number, length: TrialLength): Promise<Outcome | undefined> {
    const end = this.#count >= MOST_TRIALS ? "trials" : this.#options.endsBy?.(length);
    if (end !== undefined) return this.#end(end);
    this.#count++;
    const outcome = await this.#play(value, length);
    if (outcome.isStopped === true) return this.#end("stopped");
    if (length === "trial" || this.#options.probesCount === true) this.#levels.add(value, outcome.verdict);
    return outcome;
  }

  #end(limitedBy: Capacity["limitedBy"]): undefined {
    this.#limitedBy = limitedBy;
    this.#isOver = true;
  }

  #knee(): Knee {
    const { hardness, evidence } = this.#levels;
    const expected: Expected = {
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
      : levels.about(knee?.middle);
    return {
      kind: knee !== undefined ? "knee" : holds !== undefined ? "at-least" : breaks !== undefined ? "below" : "unknown",
      levels: levels.list(),
      ...(knee !== undefined && { knee: levels.described(knee) }),
      ...(holds !== undefined && { holds }),
      ...(breaks !== undefined && { breaks }),
      ...(this.#generatorLimit !== undefined && { generatorLimit: this.#generatorLimit }),
      ...(this.#limitedBy !== undefined && { limitedBy: this.#limitedBy }),
      ...(isProvisional && { isProvisional }),
      isMonotone: levels.isMonotone,
    };
  }
}

/** A short trial need not pass: where only stalls of this machine made it void, the ramp sees that no queue grew. */
function keptUp({ verdict, handled, isBeyondGenerator }: Outcome): boolean {
  return verdict === "passed" || (verdict === "void" && handled === undefined && isBeyondGenerator !== true);
}

function stepAfter({ isSparse, isScarce }: Outcome): number {
  if (isScarce === true) return SCARCE_STEP;
  return isSparse === true ? SPARSE_STEP : STEP;
}

/** The number with the fewest digits that differs from a value by at most a share of it. */
function roundest(value: number, tolerance: number): number {
  for (let digits = 1; digits < 6; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.abs(rounded / value - 1) <= tolerance) return rounded;
  }
  return value;
}
