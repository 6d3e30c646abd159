import { ErrorValue } from "./error-value.js";

/**
 * Bounds the work of one evaluation. Anonymous functions can call themselves, and functions of arrays multiply their
 * work, so no bound on the length of an expression bounds its evaluation.
 */
interface SizeMeter {
  /** Units that may still be spent. */
  left: number;
  /** Calls and operators that are under way. */
  depth: number;
}

/**
 * Work that several evaluations share, in units of about a microsecond. Counted, not timed, so that the same inputs
 * always end in the same way.
 */
export class WorkBudget {
  readonly #units: number;
  #left: number;

  /** @param units - above 0 */
  constructor(units: number) {
    this.#units = units;
    this.#left = units;
  }

  /** Units that were spent: at most the budget. */
  get spent(): number {
    return this.#units - this.#left;
  }

  get isUsedUp(): boolean {
    return this.#left <= 0;
  }

  /** Counts work that is about to be done. @returns false: it would use up what is left, so it must not be done */
  spend(units: number): boolean {
    this.#left -= Math.min(units, this.#left);
    return this.#left > 0;
  }
}

/** Units of one evaluation: 50 ms at most. */
export const unitsMax = 50_000;
/** A step of the evaluator. */
const unitsOfStep = 0.25;
/** Reading or copying a character. Functions that do more with it count more (`Parameters.work`). */
const unitsOfCharacter = 0.002;
/** A level takes up to ten frames of the stack. */
const depthMax = 300;

export const workExceeded = new ErrorValue("expression takes too much work");
export const depthExceeded = new ErrorValue("expression is nested too deeply");

/** The evaluation under way. Evaluation is synchronous, so there is one at a time. */
let current: SizeMeter | undefined;
/** The budget that evaluations share; undefined: none. */
let shared: WorkBudget | undefined;

/** Runs an evaluation with a meter of its own, or inside the one under way. */
export function withMeter<T>(run: () => T): T {
  const outer = current;
  const depth = outer?.depth ?? 0;
  current ??= { left: unitsMax, depth };
  try {
    return run();
  } finally {
    // An exception skips the calls of `leave`.
    if (outer !== undefined) outer.depth = depth;
    current = outer;
  }
}

/** Runs a function. Its evaluations spend from a shared budget. */
export function withBudget<T>(budget: WorkBudget, run: () => T): T {
  const outer = shared;
  shared = budget;
  try {
    return run();
  } finally {
    shared = outer;
  }
}

/**
 * Counts work that the evaluation under way is about to do, and takes it from the shared budget. Work beyond the bound
 * of the evaluation is not taken from the budget, since it is not done.
 *
 * @returns false: the evaluation must end with {@link workExceeded}
 */
export function spend(units: number): boolean {
  if (current !== undefined) {
    if (units >= current.left) current.left = 0;
    else current.left -= units;
    if (current.left === 0) return false;
  }
  return shared?.spend(units) ?? true;
}

/** Whether the evaluation may continue after a step. @param characters - of the text that the step read or made */
export function spendStep(characters = 0): boolean {
  return spend(unitsOfStep + characters * unitsOfCharacter);
}

/** Enters a level; false: too deep, then {@link leave} must not be called. */
export function enter(): boolean {
  if (current === undefined) return true;
  if (current.depth >= depthMax) return false;
  current.depth++;
  return true;
}

/** Leaves a level. */
export function leave(): void {
  if (current !== undefined) current.depth--;
}
