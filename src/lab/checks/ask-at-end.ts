import { judgeCheck, sumChecks } from "../../expect/index.js";
import type { ExpectationResult } from "../../measure/index.js";
import type { CheckSpec } from "../../scenario/index.js";
import { askCheck, type CheckSurroundings } from "./ask-check.js";

/** Asks checks one after the other, each once. @param isAsked - false: none is asked, because the run did not end by itself */
export async function askChecks(
  checks: readonly CheckSpec[],
  { isAsked, ...surroundings }: CheckSurroundings & { readonly isAsked: boolean },
): Promise<ExpectationResult[]> {
  const results: ExpectationResult[] = [];
  for (const check of checks) {
    const from = performance.now();
    const verdict = isAsked ? judgeCheck(check, await askCheck(check, surroundings)) : undefined;
    const ms = Math.round(10 * (performance.now() - from)) / 10;
    results.push(sumChecks(check.text, verdict === undefined ? [] : [{ atMs: null, ...verdict, ms }], 1));
  }
  return results;
}
