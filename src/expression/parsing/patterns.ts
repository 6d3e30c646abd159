import { RE2JS, RE2JSException } from "re2js";

/** The groups of a match, the whole match first; a group that did not take part is undefined. */
export type PatternMatch = readonly (string | undefined)[];

/** Longer patterns are rejected: the time of a match grows with the product of pattern and text. */
const lengthMax = 2_000;

/** Compiled patterns by source. Flows test the same few patterns for each contact. */
const compiled = new Map<string, RE2JS | undefined>();
const compiledMax = 200;

/**
 * The first match of a user's regular expression: RE2's dialect, any letter case, `^` and `$` at each line
 * (docs/reference/flows.md#tests). RE2 matches in time proportional to the text.
 *
 * @returns undefined: no match; `"invalid"`: this is no regular expression, or a longer one than 2,000 characters
 */
export function matchPattern(source: string, text: string): PatternMatch | undefined | "invalid" {
  const pattern = compile(source);
  if (pattern === undefined) return "invalid";
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return undefined;
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
}

function compile(source: string): RE2JS | undefined {
  if (compiled.has(source)) return compiled.get(source);
  const pattern = source.length > lengthMax ? undefined : tryCompile(source);
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
