import { LabError } from "../base/index.js";
import type { Pattern } from "../scenario/index.js";
import { compilePattern } from "../wire/index.js";

/**
 * The test that a pattern makes of a text.
 *
 * @param plain - what plain text means: it is contained in the text, or equal to it
 * @throws LabError `bad-options` for a regular expression that does not compile
 */
export function patternMatcher(pattern: Pattern, plain: "contained" | "equal"): (text: string) => boolean {
  if (pattern.kind === "contains") {
    return plain === "equal" ? (text) => text === pattern.text : (text) => text.includes(pattern.text);
  }
  const compiled = compilePattern(pattern);
  if (typeof compiled === "function") return compiled;
  throw new LabError("bad-options", `the pattern /${pattern.source}/ ${compiled.message}`, { hint: compiled.hint });
}
