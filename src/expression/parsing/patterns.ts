import { RE2JS, RE2JSException } from "re2js";
import { spend } from "../values/meter.js";
import { patternSize } from "./pattern-size.js";

/** The groups of a match, the whole match first; a group that did not take part is undefined. */
export type PatternMatch = readonly (string | undefined)[];

/** Larger patterns are rejected. Longer sources are rejected unread. */
const sizeMax = 5_000;
const sourceLengthMax = 10_000;
/**
 * Units of work to compile a character or item of a pattern: RE2 takes up to 6 us. A pattern that was compiled before
 * counts as much, so that the work of a run does not depend on what was kept.
 */
const unitsOfCompiling = 6;
/** Units of work to match such a character or item at one character of the text: RE2 takes up to 50 ns. */
const unitsOfStep = 0.05;

/** Compiled patterns by source. Flows test the same few patterns for each contact. */
const compiled = new Map<string, RE2JS | undefined>();
const compiledMax = 200;

/**
 * The first match of a user's regular expression: RE2's dialect, any letter case, `^` and `$` at each line
 * (docs/reference/flows.md#tests). RE2 matches in time proportional to the text and the pattern, whose repetitions
 * count as if they were written out.
 *
 * @returns undefined: no match; `"invalid"`: this is no regular expression; `"too much work"`: the evaluation's
 * work is used up
 */
export function matchPattern(source: string, text: string): PatternMatch | undefined | "invalid" | "too much work" {
  const size = source.length > sourceLengthMax ? Infinity : patternSize(source);
  if (size > sizeMax) return "invalid";
  if (!spend((source.length + size) * (unitsOfCompiling + unitsOfStep * text.length))) return "too much work";
  const found = compile(source);
  if (found === undefined) return "invalid";
  const matcher = found.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
}

function compile(source: string): RE2JS | undefined {
  if (compiled.has(source)) return compiled.get(source);
  const pattern = tryCompile(source);
  if (compiled.size >= compiledMax) compiled.clear();
  compiled.set(source, pattern);
  return pattern;
}

function tryCompile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
