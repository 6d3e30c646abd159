import { durationLiteral } from "../../scenario/index.js";
import type { ExpectationResult } from "../../measure/index.js";
import type { SimTime } from "../../sim/index.js";
import type { CheckVerdict } from "./judge-check.js";

/** One time that a check was asked. */
export interface AskedCheck extends CheckVerdict {
  /** Virtual time; null: after the run. */
  readonly atMs: SimTime | null;
  /** How long the answer took: wall milliseconds. */
  readonly ms: number;
}

/** Most results that a check keeps for `--json`; failures come first. */
const RESULTS_MAX = 100;

/**
 * The result of a check that was asked once or several times.
 *
 * @param planned - how often it should have been asked; fewer times: the run ended before
 */
export function sumChecks(text: string, answers: readonly AskedCheck[], planned: number): ExpectationResult {
  // In paced runs an answer may come after that of a later question.
  const asked = answers.toSorted(byTime);
  const broken = asked.filter((one) => !one.held);
  const held = broken.length === 0 && asked.length >= planned && asked.length > 0;
  const kept = [...broken, ...asked.filter((one) => one.held)].slice(0, RESULTS_MAX);
  return {
    text,
    held,
    seen: seenOf(asked, broken, planned),
    check: {
      asked: asked.length,
      held: asked.length - broken.length,
      results: kept.toSorted(byTime),
    },
  };
}

function byTime(a: AskedCheck, b: AskedCheck): number {
  if (a.atMs === b.atMs) return 0;
  return (a.atMs ?? Infinity) < (b.atMs ?? Infinity) ? -1 : 1;
}

function seenOf(asked: readonly AskedCheck[], broken: readonly AskedCheck[], planned: number): string {
  const [only] = asked;
  if (only === undefined) return "it was not asked: the run ended before";
  const ended = asked.length < planned ? `; the run ended before the other ${planned - asked.length}` : "";
  if (asked.length === 1 && planned <= 1) return `${only.seen}${at(only)}`;
  const [first] = broken;
  const often = `it held ${asked.length - broken.length} of ${asked.length} times`;
  if (first === undefined) return `${often}${ended}`;
  const how = broken.length === 1 ? "failed" : "first failed";
  return `${often}; ${how}${at(first).replace(",", "")}: ${first.seen}${ended}`;
}

function at({ atMs }: AskedCheck): string {
  return atMs === null ? ", at the end" : `, at ${durationLiteral(atMs)}`;
}
