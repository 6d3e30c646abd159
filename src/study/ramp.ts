import type { Levels } from "./levels.js";
import type { SearchOptions } from "./search-options.js";
import { keptUp, type TrialOutcome } from "./trial-outcome.js";

/** Steps of the ramp: usually, after a sparse trial, and after a scarce one. */
const STEP = 4;
const SPARSE_STEP = 10;
const SCARCE_STEP = 100;

/** How often the ramp divides the value if the first one fails: down to a thousandth. */
const MAX_DESCENTS = 5;

/** The estimated limit is this share of the throughput under overload: most receivers break slightly below it. */
const BELOW_ESTIMATE = 0.97;

/**
 * The estimate is checked at this multiple of the throughput under overload. A receiver that handles the same under
 * overload as before fails there within a short trial; one that handles less under overload may hold it.
 */
const CHECK = 1.4;

/** Values that differ by less than this factor count as equal. */
const APART = 1.1;

/** Short trials narrow the range down to this factor; trials that count do the rest. */
const WIDE = 1.7;

/** What keeps the ramp from harder values; undefined: a trial failed, or the search must end. */
export type RampEnd = "bound" | "scenario" | "load" | undefined;

/** What the ramp needs of the search. */
export interface RampContext {
  readonly options: SearchOptions;
  readonly levels: Levels;
  /** Plays a short trial. @returns undefined: the search must end */
  readonly playProbe: (value: number) => Promise<TrialOutcome | undefined>;
}

/**
 * The ramp of short trials. It multiplies the value until a trial fails, and then closes in on the limit: by the
 * throughput of the saturated receiver, or by bisection if the receiver held more than it handles under overload.
 */
export class Ramp {
  readonly #context: RampContext;
  #held: number | undefined;
  #failed: number | undefined;
  /** What the saturated receiver handled, as a value. */
  #handled: number | undefined;
  #isFailureDoubtful = false;
  #isFailureSaturated = false;
  /** Values at which short trials failed, the hardest first. */
  #failures: number[] = [];
  #generatorLimit: number | undefined;

  constructor(context: RampContext) {
    this.#context = context;
  }

  /** The hardest value at which a short trial held. */
  get held(): number | undefined {
    return this.#held;
  }

  /** The easiest value at which a short trial failed. */
  get failed(): number | undefined {
    return this.#failed;
  }

  /** Whether other programs may be why the easiest failed trial failed. */
  get isFailureDoubtful(): boolean {
    return this.#isFailureDoubtful;
  }

  /** Whether the receiver was saturated in the easiest failed trial, so it is hardly an accident. */
  get isFailureSaturated(): boolean {
    return this.#isFailureSaturated;
  }

  /** The limit estimated from the throughput of the saturated receiver; undefined: never saturated, or disproved. */
  get estimate(): number | undefined {
    return this.#handled === undefined ? undefined : this.#context.levels.harder(this.#handled, BELOW_ESTIMATE);
  }

  /** From this value on the generator fell behind its schedule. */
  get generatorLimit(): number | undefined {
    return this.#generatorLimit;
  }

  /** Notes that the generator cannot play a value. */
  limitGenerator(value: number): void {
    this.#generatorLimit = this.#context.levels.easier(value, this.#generatorLimit);
  }

  /** Notes that the receiver held a value: an estimate clearly below it is disproved. */
  notePass(value: number): void {
    const { levels } = this.#context;
    if (this.#handled === undefined) return;
    if (levels.hardness(value) > levels.hardness(levels.harder(this.#handled, APART))) this.#handled = undefined;
  }

  /**
   * Continues from a value that passed although a short trial had failed at an easier one: up to the next value at which
   * one failed, or else at twice the value.
   */
  async continueFrom(passed: number): Promise<RampEnd> {
    const { levels } = this.#context;
    this.#failures = this.#failures.filter((value) => levels.hardness(value) > levels.hardness(passed));
    [this.#held, this.#failed, this.#handled] = [passed, this.#failures.at(-1), undefined];
    this.#isFailureSaturated = false;
    if (this.#failed !== undefined) {
      await this.#narrowRange();
      return undefined;
    }
    const next = this.#harderThan(passed, 2);
    return typeof next === "number" ? this.playTrialsFrom(next) : next;
  }

  /** Plays short trials of harder values until one fails or the bound is reached; of easier values until one passes. */
  async playTrialsFrom(from: number): Promise<RampEnd> {
    const { options, levels, playProbe } = this.#context;
    let value = from;
    for (let descents = 0; ;) {
      const outcome = await playProbe(value);
      if (outcome === undefined) return undefined;
      if (keptUp(outcome) && outcome.isFlat === true && this.#held !== undefined) return "load";
      if (keptUp(outcome)) {
        this.#held = value;
        if ((this.#failed ?? this.#generatorLimit) !== undefined) break;
        const next = this.#harderThan(value, stepAfter(outcome));
        if (typeof next !== "number") return next;
        value = next;
      } else {
        this.#noteFailure(value, outcome);
        if (this.#held !== undefined) break;
        if (options.isFromEasiest || descents++ === MAX_DESCENTS) return undefined;
        const next = options.round(
          levels.harder(value, outcome.handled === undefined ? 1 / STEP : 0.7 * outcome.handled),
        );
        if (next === value || next <= 0) return undefined;
        value = next;
      }
    }
    await this.#closeIn();
    return undefined;
  }

  /** Narrows the range, unless a trial failed without saturation: that may be an accident. */
  async #closeIn(): Promise<void> {
    if (this.#failed === undefined || this.#handled !== undefined) await this.#narrowRange();
  }

  /**
   * Plays short trials between the value that held and the limit so far, until the range is narrow or a trial fails
   * without saturation.
   */
  async #narrowRange(): Promise<void> {
    if (this.#held !== undefined) this.notePass(this.#held);
    const isBelowGenerator = this.#failed === undefined;
    for (;;) {
      const isCheck = this.#handled !== undefined;
      const value = isCheck ? this.#checkedValue() : this.#middle();
      if (value === undefined) return;
      const outcome = await this.#context.playProbe(value);
      if (outcome === undefined) return;
      if (keptUp(outcome)) {
        this.#held = value;
        // It held more than its throughput under overload, so that is not the limit.
        this.#handled = undefined;
      } else {
        if (!isBelowGenerator && outcome.handled === undefined) return;
        this.#noteFailure(value, outcome);
        if (isCheck || (isBelowGenerator && this.#failed !== undefined)) return;
        // Once an estimate is disproved, the throughput under overload says nothing.
        if (!isBelowGenerator) this.#handled = undefined;
      }
    }
  }

  /** The value at which a short trial checks the estimate; undefined: a trial has already failed near it. */
  #checkedValue(): number | undefined {
    const { options, levels } = this.#context;
    if (this.#handled === undefined || this.#failed === undefined) return undefined;
    const checked = levels.harder(this.#handled, CHECK);
    const isApart = levels.hardness(checked) < levels.hardness(levels.harder(this.#failed, 1 / APART));
    return isApart ? options.round(checked) : undefined;
  }

  /** The geometric middle of the range; undefined: it is narrow. */
  #middle(): number | undefined {
    const { options, levels } = this.#context;
    const limit = this.#failed === undefined ? this.#generatorLimit : levels.easier(this.#failed, this.#generatorLimit);
    if (this.#held === undefined || limit === undefined) return undefined;
    const [low, high] = [levels.hardness(this.#held), levels.hardness(limit)];
    const width = this.#failed === undefined ? 2 * Math.log1p(options.precision) : Math.log(WIDE);
    const middle = options.round(levels.valueOf((low + high) / 2));
    return high - low <= width || middle === this.#held || middle === limit ? undefined : middle;
  }

  #noteFailure(value: number, { handled, isBeyondGenerator, doubt }: TrialOutcome): void {
    if (isBeyondGenerator === true) this.#generatorLimit = value;
    else {
      this.#failed = value;
      this.#isFailureDoubtful = doubt !== undefined;
      this.#isFailureSaturated = doubt === undefined && handled !== undefined;
      this.#failures.push(value);
      this.#handled = handled === undefined ? undefined : this.#context.levels.harder(value, handled);
    }
  }

  /** The next harder value within the bound, or what limits it. */
  #harderThan(value: number, times: number): number | NonNullable<RampEnd> {
    const { levels, options } = this.#context;
    const { to, round, isPossible = () => true } = options;
    const { hardness } = levels;
    if (to !== undefined && hardness(value) >= hardness(to)) return "bound";
    const harder = round(levels.harder(value, times));
    const next = to !== undefined && hardness(harder) > hardness(to) ? to : harder;
    if (next !== value && isPossible(next)) return next;
    return times > 2 ? this.#harderThan(value, 2) : "scenario";
  }
}

function stepAfter({ isSparse, isScarce }: TrialOutcome): number {
  if (isScarce === true) return SCARCE_STEP;
  return isSparse === true ? SPARSE_STEP : STEP;
}
