import { RE2JS, RE2JSException } from "re2js";
import { patternSize } from "./pattern-size.js";

/** The groups of a match, the whole match first; a group that did not take part is undefined. */
export type PatternMatch = readonly (string | undefined)[];

/** Larger patterns are rejected: with 5,000 states, compiling takes 50 ms and 2 MB. */
const sizeMax = 5_000;
/** Largest product of a pattern's size and a text's length. A step takes 70 to 200 ns, so a match takes up to 4 s. */
const stepsMax = 20_000_000;

interface Compiled {
  readonly pattern: RE2JS;
  readonly size: number;
}

/** Compiled patterns by source. Flows test the same few patterns for each contact. */
const compiled = new Map<string, Compiled | undefined>();
const compiledMax = 200;

/**
 * The first match of a user's regular expression: RE2's dialect, any letter case, `^` and `$` at each line
 * (docs/reference/flows.md#tests). RE2 matches in time proportional to the text and the pattern, whose repetitions
 * count as if they were written out.
 *
 * @returns undefined: no match; `"invalid"`: this is no regular expression, or matching it could take seconds
 */
export function matchPattern(source: string, text: string): PatternMatch | undefined | "invalid" {
  const found = compile(source);
  if (found === undefined || found.size * text.length > stepsMax) return "invalid";
  const matcher = found.pattern.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
}

function compile(source: string): Compiled | undefined {
  if (compiled.has(source)) return compiled.get(source);
  const size = patternSize(source);
  const pattern = size > sizeMax ? undefined : tryCompile(source);
  if (compiled.size >= compiledMax) compiled.clear();
  const found = pattern && { pattern, size };
  compiled.set(source, found);
  return found;
}

function tryCompile(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
  } catch (error) {
    if (error instanceof RE2JSException) return undefined;
    throw error;
  }
}
