import fc from "fast-check";
import { RE2JS } from "re2js";
import { describe, expect, it } from "vitest";
import { patternSize } from "../../src/expression/parsing/pattern-size.js";

describe("patternSize", () => {
  it.each([
    ["", 0],
    ["abc", 3],
    [String.raw`\d+[a-z]*x?`, 3],
    ["a{3}", 3],
    ["a{2,5}b", 6],
    ["a{4,}", 4],
    ["(ab){3}", 9],
    ["(?:a{3}b){10}", 50],
    ["((a{30}){10})", 311],
    [String.raw`[]{3}]{5}\{3}`, 8],
    ["[[:alpha:]]{7}", 7],
    ["(?P<year>[0-9]{4})", 5],
    ["(", 0],
    [")))a", 4],
  ])("of %s is %i", (source, expected) => {
    expect(patternSize(source)).toBe(expected);
  });

  it("is at least an eighth of RE2's program", () => {
    const atoms = fc.constantFrom("a", ".", "[a-z]", String.raw`\d`, "[^x]", String.raw`\pL`);
    const patterns = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        atoms,
        fc.tuple(tie("pattern"), tie("pattern")).map((parts) => parts.join("")),
        fc.tuple(tie("pattern"), tie("pattern")).map((parts) => `(${parts.join("|")})`),
        fc.tuple(tie("pattern"), fc.integer({ min: 1, max: 9 })).map(([inner, count]) => `(?:${inner}){0,${count}}`),
        tie("pattern").map((inner) => `(${inner})*`),
      ),
    })).pattern;
    fc.assert(
      fc.property(patterns, (source) => {
        const program = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE).programSize();
        expect(8 * patternSize(source) + 8).toBeGreaterThanOrEqual(program);
      }),
    );
  });
});
