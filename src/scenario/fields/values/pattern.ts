import { compilePattern } from "../../../wire/index.js";
import type { Pattern } from "../../scenario.js";
import type { Read, ReportProblem } from "../../sheet/raw-value.js";
import { readPlainText } from "./scalar.js";

/** `/regular expression/i`, or plain text that must be contained. */
export function readPattern(): Read<Pattern> {
  return (value, report) => {
    const text = readPlainText(value, report, "a text, or a /regular expression/");
    return text === undefined ? undefined : patternOf(text, report);
  };
}

/** A pattern as it is written: a text, or a `/regular expression/` with flags, which may be wrong. */
export function spelledPattern(text: string): Pattern {
  const [, source, flags] = /^\/(.+)\/([a-zA-Z]*)$/s.exec(text) ?? [];
  return source === undefined || flags === undefined ? { kind: "contains", text } : { kind: "regexp", source, flags };
}

function patternOf(text: string, report: ReportProblem): Pattern | undefined {
  const pattern = spelledPattern(text);
  if (pattern.kind === "contains") return pattern;
  const { source, flags } = pattern;
  const wrongFlag = /[^imsu]/.exec(flags)?.[0];
  if (wrongFlag !== undefined) {
    report({ code: "bad-pattern", message: `has no flag '${wrongFlag}'`, hint: "the flags are i, m, s and u" });
    return undefined;
  }
  const compiled = compilePattern(pattern);
  if (typeof compiled === "function") return pattern;
  const { message, hint, from, to } = compiled;
  const isWhole = from === 0 && to === source.length;
  report({ code: "bad-pattern", message, hint, within: isWhole ? undefined : { from: from + 1, to: to + 1 } }); // after the slash
  return undefined;
}
