import { countOf } from "./number-format.js";
import type { RunResult } from "./result.js";

/**
 * Why a run of the same scenario and seed may have another digest: attempts without an answer, which only this run had.
 * Their retries come minutes later, and so do replies and all that follows. Undefined: there are none, trouble of the
 * scenario explains them, or the digest is not reproducible anyway.
 */
export function digestNote({ model, errors = {}, findings = [] }: RunResult): string | undefined {
  if (model !== "lockstep" || findings.some(({ cause }) => cause === "story")) return undefined;
  const own = Object.entries(errors).filter(([code]) => !code.startsWith("delivery:"));
  const count = own.reduce((sum, [, number]) => sum + number, 0);
  if (count === 0) return undefined;
  const codes = own.map(([code, number]) => `${code} ${number}`).join(", ");
  return (
    `${countOf(count, "attempt")} got no answer (${codes}): a run in which ${count === 1 ? "it does" : "they do"} may have ` +
    "another digest. `handset report RECORDING --compare OTHER` names the first attempt that differs."
  );
}
