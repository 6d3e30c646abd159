import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compilePattern, type PatternTest } from "../../src/wire/index.js";
import { runs } from "../support/effort.js";

function compiled(source: string, flags = ""): PatternTest {
  const found = compilePattern({ source, flags });
  if (typeof found !== "function") throw new Error(found.message);
  return found;
}

describe("the common syntax matches like RegExp", () => {
  const letters = fc.constantFrom(..."abcAB 01-_\n\r\t.é\u00a0\u2028".split(""));
  const texts = fc.string({ unit: letters, maxLength: 12 });
  const set = fc.constantFrom(
    "[a-c]",
    "[^ab]",
    "[A-Z0-9_]",
    "[\\s.]",
    "[\\d-]",
    "[[]",
    "[^]",
    "[]",
    "[\\]a]",
    "[\\b ]",
  );
  const atom = fc.oneof(
    fc.constantFrom(
      "a",
      "b",
      "é",
      "\\.",
      ".",
      "\\d",
      "\\D",
      "\\w",
      "\\W",
      "\\s",
      "\\S",
      "\\u00e9",
      "\\x61",
      "\\/",
      "\\-",
    ),
    set,
  );
  const source = fc.letrec<{ all: string; part: string }>((tie) => ({
    all: fc.array(tie("part"), { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
    part: fc.oneof(
      { maxDepth: 3 },
      atom,
      fc.tuple(atom, fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "*?", "+?")).map(([one, times]) => one + times),
      fc.tuple(tie("all"), tie("all")).map(([one, other]) => `(${one}|${other})`),
      tie("all").map((one) => `(?:${one})?`),
      tie("all").map((one) => `^${one}`),
      tie("all").map((one) => `${one}$`),
      fc.constantFrom("\\b", "\\B"),
    ),
  })).all;

  it("on any text", () => {
    fc.assert(
      fc.property(source, fc.constantFrom("", "i", "s", "is", "u"), texts, (pattern, flags, text) => {
        fc.pre(isRegExp(pattern, flags));
        expect(compiled(pattern, flags)(text)).toBe(new RegExp(pattern, flags).test(text));
      }),
      { numRuns: runs(250) },
    );
  });

  it.each([
    ["^ok$", "m", "no\nok\nno", true],
    ["\\ud83d\\ude91", "", "🚑", true],
    ["\\u{1f691}", "u", "🚑", true],
    ["^.$", "", "🚑", true],
    ["(?<word>yes|no)", "i", "YES", true],
    ["a{,3}", "", "a{,3}", true],
    ["\\cJ", "", "\n", true],
    ["\\0", "", "\u0000", true],
  ])("/%s/%s on %j: %s", (pattern, flags, text, expected) => {
    expect(compiled(pattern, flags)(text)).toBe(expected);
  });

  function isRegExp(pattern: string, flags: string): boolean {
    try {
      return new RegExp(pattern, flags).source.length > 0;
    } catch {
      return false;
    }
  }
});

describe("time", () => {
  it.each(["^(a+)+$", "^(a|a)*$", "^(a|aa)+$", "(x+x+)+y", "(.*)*,(.*)*;", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
    "/%s/ terminates on 100,000 letters",
    (pattern) => {
      expect(compiled(pattern)(`${"a".repeat(100_000)}!`)).toBe(false);
    },
  );

  it.each([
    ["((a{100}){100}){100}", "invalid repeat count"],
    ["a{1001}", "invalid repeat count"],
    ["a".repeat(1001), "at most 1000"],
  ])("/%s/ is refused", (source, why) => {
    expect(compilePattern({ source, flags: "" })).toMatchObject({ message: expect.stringContaining(why) });
  });
});

describe("syntax that RE2 lacks", () => {
  it.each([
    ["yes(?=!)", 3, 6, "a lookahead"],
    ["yes(?!!)", 3, 6, "a lookahead"],
    ["(?<=a)b", 0, 4, "a lookbehind"],
    ["(?<!a)b", 0, 4, "a lookbehind"],
    ["(a)\\1", 3, 5, "a backreference"],
    ["(?<x>a)\\k<x>", 7, 12, "a backreference"],
  ])("/%s/ is refused from %d to %d", (source, from, to, what) => {
    const found = compilePattern({ source, flags: "" });
    expect(found).toMatchObject({ from, to, message: expect.stringContaining(what) });
    expect(found).toHaveProperty("hint", expect.stringMatching(/\w/));
  });

  it.each(["\\(\\?=x", "[(?=]", "\\\\1", "[\\\\]1"])("/%s/ is accepted: it only resembles such syntax", (source) => {
    expect(compilePattern({ source, flags: "" })).toBeTypeOf("function");
  });
});
