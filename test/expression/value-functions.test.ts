import { describe, expect, it } from "vitest";
import { Decimal } from "../../src/expression/index.js";
import { messageOf, textOf, valueOf } from "./evaluated.js";

function table(cases: readonly (readonly [string, string])[]): void {
  it.each(cases)("%s is %s", (expression, expected) => {
    expect(textOf(expression)).toBe(expected);
  });
}

describe("conversions", () => {
  table([
    ['text(array(1, null, object("k", true)))', "[1, , {k: true}]"],
    ['number(" -12.50 ")', "-12.5"],
    ['number(".5")', "0.5"],
    ['number("1e3")', "ERROR"],
    ['number("+5")', "ERROR"],
    ['number("1,000")', "ERROR"],
    ["number(true)", "ERROR"],
    ["number(null)", "ERROR"],
    ["boolean(0) & boolean(0.1) & boolean(null)", "falsetruefalse"],
    ['boolean("FALSE") & boolean("no") & boolean("")', "falsetruefalse"],
    ['boolean(array()) & boolean(object("a", null)) & boolean(upper)', "falsetruetrue"],
    ['boolean(time("0:00")) & boolean(time("0:01"))', "falsetrue"],
    ["array(1, 1 / 0)", "ERROR"],
    ['object("b", 1, "a", 2, "b", 3)', "{a: 2, b: 3}"],
    ['object("__default__", 5, "a", 1) + 1', "6"],
    ['object("a")', "ERROR"],
    ["time(7) & time(24)", "07:00:00.00000000:00:00.000000"],
    ["time(25)", "ERROR"],
    ['date("30/2/2024")', "ERROR"],
    ['date(datetime("2024-02-29T22:30:00Z"))', "2024-03-01"],
    ["datetime(date_from_parts(2024, 3, 1))", "2024-03-01T00:00:00.000000+02:00"],
  ]);
});

describe("logic", () => {
  table([
    ['if("", 1, 2)', "2"],
    ["if(1 / 0, 1, 2)", "ERROR"],
    ['and(1, "x", true) & and(1, 0, 1 / 0)', "truefalse"],
    ['or(0, "", null) & or(0, 5, 1 / 0)', "falsetrue"],
    ["is_error(1 / 0) & is_error(null) & is_error(nobody.home)", "truefalsetrue"],
    ['default("", "none") & default(1 / 0, "none") & default(0, "none")', "nonenone0"],
    ["default(array(), 5)", "[]"],
  ]);
});

describe("numbers", () => {
  table([
    ["abs(-1.5)", "1.5"],
    ["round(2.5) & round(-2.5) & round(2.449, 1)", "3-32.4"],
    ['round(1250, -2) & " " & round(12.3, 99)', "1300 12.3"],
    ["round_up(-2.1) & round_up(2.001, 2)", "-22.01"],
    ["round_down(-2.1) & round_down(19, -1)", "-310"],
    ['max(3, "10", 7) & min(3, "10", 7)', "103"],
    ["mean(1, 2, 2)", "1.6666666666666667"],
    ["mod(7, 3) & mod(-7, 3) & mod(7.5, 2)", "1-11.5"],
    ["mod(1, 0)", "ERROR"],
    ["2 / 3", "0.6666666666666667"],
    ["-2 / 3", "-0.6666666666666667"],
    ["0.1 + 0.2", "0.3"],
    ["0 * -1", "0"],
    ["2 ^ 0.5", "1.4142135623730951"],
    ['2 ^ -2 & " " & 0 ^ 0', "0.25 1"],
    ["0 ^ -1", "ERROR"],
    ["(-8) ^ 0.5", "ERROR"],
    ["10 ^ 100 / 10 ^ 99", "10"],
    ["10 ^ 101", "ERROR"],
    ["123456789012345678 * 123456789012345678", "15241578753238836527968299765279684"],
    ["1234567890123456789 * 12345678901234567891", "ERROR"],
    ["1 ^ 99999999999 & (-1) ^ 99999999999", "1-1"],
  ]);

  it("draw from the environment's chance", () => {
    const random = (): number => 0.75;
    expect(textOf("rand()", { random })).toBe("0.75");
    expect(textOf("rand_between(1, 4)", { random })).toBe("4");
    expect(textOf("rand_between(-2, -1)", { random: () => 0 })).toBe("-2");
  });
});

describe("arrays and objects", () => {
  table([
    ['count(array(1, null)) & count(object("a", 1)) & count(null)', "210"],
    ["count(5)", "ERROR"],
    ['join(array(1, "b", true), "-")', "1-b-true"],
    ['join(null, ",")', ""],
    ['join(array("a"), 1 / 0)', "ERROR"],
    ["reverse(array(1, 2, 3))", "[3, 2, 1]"],
    ['sort(array("b", "C", "a", "é"))', "[C, a, b, é]"],
    ["sort(array(10, 9, 1.5))", "[1.5, 9, 10]"],
    ['sort(array(date("2/1/2024"), date("1/2/2023")))', "[2023-02-01, 2024-01-02]"],
    ['sort(array(time("9:30"), time("9:05")))', "[09:05:00.000000, 09:30:00.000000]"],
    [
      'sort(array(datetime("2024-01-01T05:00:00Z"), datetime("2024-01-01T05:00:00+02:00")))',
      "[2024-01-01T05:00:00.000000+02:00, 2024-01-01T05:00:00.000000Z]",
    ],
    ["sort(array(true, false))", "[false, true]"],
    ['sort(array(1, "1"))', "ERROR"],
    ["sort(array(array(1)))", "ERROR"],
    ['sum(array(1, "2", 3.5))', "6.5"],
    ['unique(array(1, 1.0, "1", null, null, array(1), array(1)))', "[1, 1, , [1]]"],
    ["concat(array(1), array(2, 3))", "[1, 2, 3]"],
    ['contains(array(1, 2), 2) & contains(array(1, 2), "2")', "truefalse"],
    ['contains(array(object("a", 1)), object("a", 1))', "true"],
    ["slice(array(1, 2, 3, 4), 1, 3) & slice(array(1, 2, 3), -2)", "[2, 3][2, 3]"],
    ["filter(array(1, 5, 10), (n) => n > 3)", "[5, 10]"],
    ["filter(array(1), (n) => n / 0)", "ERROR"],
    ["foreach(array(1, 2), (n, m) => n * m, 10)", "[10, 20]"],
    ['foreach(array("a"), 5)', "ERROR"],
    ['foreach_value(object("a", 1, "b", 2), (n) => n + 1)', "{a: 2, b: 3}"],
    ['extract(object("Name", "Al"), "name") & extract(object(), "x")', "Al"],
    ['extract_object(object("a", 1, "b", 2), "B", "c")', "{B: 2, c: }"],
    ['keys(object("b", 1, "a", 2))', "[a, b]"],
    ["keys(array())", "ERROR"],
  ]);

  it("name the function that failed", () => {
    expect(messageOf("foreach(array(1), (x) => x / 0)")).toBe(
      "error calling foreach(...): error calling <anon>(...): division by zero",
    );
  });
});

describe("values for people", () => {
  table([
    ["format(1234567.891)", "1,234,567.891"],
    ["format(-123) & format(-1234)", "-123-1,234"],
    ['format(true) & format(null) & format("x")', "truex"],
    ['format(date("1/3/2024")) & format(time("15:04"))', "01-03-202415:04"],
    ['format(datetime("2024-02-29T22:30:00Z"))', "01-03-2024 00:30"],
    ['format(array(1, 2000, "x"))', "1, 2,000, x"],
    ['format(object("b", 1, "a", array(1, 2)))', "a: 1, 2\nb: 1"],
    ['format(array(object("a", 1, "b", 2), object("a", 3)))', "-  a: 1\n  b: 2\n-  a: 3".replaceAll("-  ", "- ")],
    ['format(object("o", object("a", 1, "b", 2)))', "o:\n  a: 1\n  b: 2"],
    ["format(1 / 0)", ""],
    ["format_number(1234.5)", "1,234.5"],
    ["format_number(1234.567, 2) & format_number(1234.567, 0, false)", "1,234.571235"],
    ["format_number(5, 2) & format_number(-0.004, 2)", "5.000.00"],
    ["format_number(1, 10)", "ERROR"],
    ['format_location("Rwanda > Kigali City > Gasabo")', "Gasabo"],
  ]);

  it("use the environment's symbols", () => {
    expect(textOf("format_number(1234567.5, 2)", { numberFormat: { decimal: ",", grouping: "." } })).toBe(
      "1.234.567,50",
    );
  });
});

describe("JSON", () => {
  table([
    ['json("a\\"\\n")', '"a\\"\\n"'],
    ['json(object("b", array(1.50, null, true), "a", upper))', '{"a":null,"b":[1.5,null,true]}'],
    ["json(1 / 0)", "ERROR"],
    ['json(array(time("9:00"), date("1/2/2024")))', '["09:00:00.000000","2024-02-01"]'],
    ['parse_json("[1, {\\"a\\": \\"x\\"}, 0.10, -2e2]")', "[1, {a: x}, 0.1, -200]"],
    ['parse_json(" null ") & parse_json("true")', "true"],
    ['parse_json("{\\"__default__\\": 5, \\"x\\": 6}") + 1', "6"],
    ['parse_json("")', ""],
    ['parse_json("{a: 1}")', "ERROR"],
    ['parse_json("[1,]")', "ERROR"],
    ['parse_json("01")', "ERROR"],
    ['parse_json("[1] 2")', "ERROR"],
    ['is_error(parse_json("[1e999]")[0])', "true"],
    [
      'attachment_parts("audio/mp3:https://example.org/a.mp3")',
      "{content_type: audio/mp3, url: https://example.org/a.mp3}",
    ],
    ['attachment_parts("nothing")', "{content_type: , url: nothing}"],
  ]);

  it("keeps all digits of numbers", () => {
    expect(valueOf('parse_json("0.123456789012345678901234567890123456")')).toEqual(
      new Decimal("0.123456789012345678901234567890123456"),
    );
  });
});

describe("what migrated flows add", () => {
  table([
    ['legacy_add(2, "3.5")', "5.5"],
    ['legacy_add("1/3/2024", 30)', "2024-03-31T00:00:00.000000+02:00"],
    ['legacy_add(-1, "1/3/2024 10:00")', "2024-02-29T10:00:00.000000+02:00"],
    ['legacy_add("1/3/2024", "2/3/2024")', "ERROR"],
    ['legacy_add("1/3/2024", 99999999999)', "ERROR"],
    ['legacy_add("x", 1)', "ERROR"],
  ]);
});
