import { ErrorValue } from "./error-value.js";

/**
 * Bounds the work of one evaluation. Anonymous functions can call themselves, and functions of arrays multiply their
 * work, so no bound on the length of an expression bounds its evaluation.
 */
interface Meter {
  /** What may still be spent. */
  left: number;
  /** Calls and operators that are under way. */
  depth: number;
}

/** Evaluates for about a second at most: one unit is a step of the evaluator or 64 characters. */
const workMax = 500_000;
const charactersPerUnit = 64;
/** A level takes up to ten frames of the stack. */
const depthMax = 300;

export const workExceeded = new ErrorValue("expression takes too much work");
export const depthExceeded = new ErrorValue("expression is nested too deeply");

/** The evaluation under way. Evaluation is synchronous, so there is one at a time. */
let current: Meter | undefined;

/** Runs an evaluation with a meter of its own, or inside the one under way. */
export function withMeter<T>(run: () => T): T {
  const outer = current;
  const depth = outer?.depth ?? 0;
  current ??= { left: workMax, depth };
  try {
    return run();
  } finally {
    // An exception skips the calls of `leave`.
    if (outer !== undefined) outer.depth = depth;
    current = outer;
  }
}

/** Whether the evaluation may go on after a step. @param characters - of the text that the step read or made */
export function spend(characters = 0): boolean {
  if (current === undefined) return true;
  current.left -= 1 + characters / charactersPerUnit;
  return current.left > 0;
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
