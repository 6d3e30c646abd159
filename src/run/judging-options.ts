import { LabError } from "../base/index.js";
import { type CheckSpec, type MetricExpectation, readBound, readCheck } from "../scenario/index.js";

/** The checks that options name; their braces may be left out. @throws LabError `bad-options`, with the place */
export function readChecks(texts: readonly string[]): CheckSpec[] {
  return texts.map((text) => {
    const isBraced = /^\s*\{/.test(text);
    const { check, diagnostics } = readCheck(isBraced ? text : `{ ${text} }`, "--check");
    if (check !== undefined) return check;
    const [{ message, hint, column } = { message: "is no check", hint: undefined, column: 1 }] = diagnostics;
    const at = isBraced ? column : Math.max(1, column - 2);
    throw new LabError(
      "bad-options",
      `--check '${text}', column ${at}: ${message}`,
      hint === undefined ? {} : { hint },
    );
  });
}

/** The bounds that options name. @throws LabError `bad-options` */
export function readBounds(texts: readonly string[]): MetricExpectation[] {
  return texts.map((text) => {
    const { bound, problem } = readBound(text);
    if (bound !== undefined) return bound;
    const { message = "is no bound", hint } = problem ?? {};
    throw new LabError("bad-options", `--expect '${text}' ${message}`, hint === undefined ? {} : { hint });
  });
}
