import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageOf, textOf } from "./evaluated.js";

describe("an expression", () => {
  it.each([
    // Operators and their strength.
    ["7 - 2 - 1", "4"],
    ["64 / 4 / 2", "8"],
    ["2 ^ 3 ^ 2", "64"],
    ["-3 ^ 2", "9"],
    ["- - 4", "4"],
    ["2 * -3", "-6"],
    ["2 + 3 * 4 ^ 2", "50"],
    ["(2 + 3) * 4", "20"],
    ["1 + 1 = 2 & 2 > 1", "truetrue"],
    ['"n=" & 1 = 1', "n=true"],
    ["1 < 2 = true", "true"],
    ['5 & 4 + 1 & "x"', "55x"],
    // Equality compares text forms.
    ["1 = 1.0", "true"],
    ['1 = "1"', "true"],
    ['"a" = "A"', "false"],
    ['null = ""', "true"],
    ['true != "true"', "false"],
    ["array(1, 2) = array(1, 2)", "true"],
    // Literals.
    ["TRUE & False & NULL", "truefalse"],
    [String.raw`"a\tb\n\"\\ \u00e9 \U0001F600"`, 'a\tb\n"\\ é 😀'],
    [String.raw`"\w+\.\d"`, String.raw`\w+\.\d`],
    [String.raw`"\n and \d"`, String.raw`\n and \d`],
    [String.raw`"\ud800"`, String.raw`\ud800`],
    ['"two\nlines"', "two\nlines"],
    ["007.50", "7.5"],
    // Look-ups.
    ["array(1, 2, 3)[1 + 1]", "3"],
    ["array(1, 2, 3)[-3]", "1"],
    ['object("A", 5).a', "5"],
    ['object("a b", 5)["A B"]', "5"],
    ['object("a", 5)["b"]', ""],
    ["array(array(1), array(2))[1][0]", "2"],
    ['parse_json("{\\"a\\": [{\\"b\\": 7}]}").a.0.b', "7"],
    // Functions are values.
    ["upper", "upper"],
    ['array(lower, upper)[1]("x")', "X"],
    ['((a, b) => b & a)("x", "y")', "yx"],
    ["((x) => (y) => x + y)(1)(2)", "3"],
    ['((upper) => upper & "!")("hey")', "hey!"],
    ['if(false, 1 / 0, "fine")', "fine"],
    [" \t\n\r1 ", "1"],
  ])("%s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });

  it.each([
    ["", "syntax error at "],
    ["1 +", "syntax error at "],
    ["(1", "syntax error at "],
    ["upper(1 2)", "syntax error at 2)"],
    ["upper(1,)", "syntax error at )"],
    ["1 == 1", "syntax error at = 1"],
    ["1.2.3", "syntax error at .3"],
    ['"a".b', "syntax error at .b"],
    ["null[0]", "syntax error at [0]"],
    ["a.b-%", "syntax error at %"],
    ["1 ?\nabcdefghijkl", "syntax error at ?"],
    ["(x, y) + 1", "syntax error at + 1"],
    ['"open', 'syntax error at "open'],
    ["nothing", "context has no property 'nothing'"],
    ["Nothing(1)", "nothing is not a function"],
    ["(1)(2)", "(1) is not a function"],
    ["(1).a", "1 doesn't support lookups"],
    ['("text")[0]', '"text" doesn\'t support lookups'],
    ["array(1)[1]", "index 1 out of range for 1 items"],
    ["array(1)[-2]", "index -2 out of range for 1 items"],
    ["array(1).a", 'unable to convert "a" to a number'],
    ['object("a", 1).b', "object has no property 'b'"],
    ["1 + null", "unable to convert null to a number"],
    ["true < 2", "unable to convert true to a number"],
    ["-array()", "unable to convert array to a number"],
    ["1 / 0", "division by zero"],
    ["(1 / 0).a", "division by zero"],
    ["1 & (1 / 0)", "division by zero"],
    ["upper(lower(1 / 0))", "error calling upper(...): error calling lower(...): division by zero"],
    ["((x) => x)()", "error calling <anon>(...): need 1 argument(s), got 0"],
    ["upper()", "error calling upper(...): need 1 argument(s), got 0"],
    ["max()", "error calling max(...): need at least 1 argument(s), got 0"],
    ["round(1, 2, 3)", "error calling round(...): need 1 to 2 argument(s), got 3"],
  ])("%s fails", (expression, message) => {
    expect(messageOf(expression)).toBe(message);
  });

  it("computes as exactly as whole numbers do", () => {
    const whole = fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n });
    fc.assert(
      fc.property(whole, whole, (a, b) => {
        expect(textOf(`(${a}) + (${b})`)).toBe(String(a + b));
        expect(textOf(`(${a}) * (${b})`)).toBe(String(a * b));
        expect(textOf(`(${a}) < (${b})`)).toBe(String(a < b));
      }),
    );
  });

  it("reads back any text from a literal", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (any) => {
        const literal = any.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "");
        expect(textOf(`"${literal}"`)).toBe(any.replaceAll("\n", ""));
      }),
    );
  });
});
