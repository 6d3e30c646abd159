import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callFunction, evaluateTemplate, fromJson, isKnownFunction, type Value } from "../../src/expression/index.js";
import { environment } from "./environment.js";
import { contextFrom, messageOf, textOf } from "./evaluated.js";
import { runs } from "../support/effort.js";

/** Evaluates and says how it ended, and that it ended soon. */
function outcome(expression: string): string {
  const startMs = performance.now();
  const message = messageOf(expression);
  expect(performance.now() - startMs).toBeLessThan(10_000);
  return message?.replace(/^(?:error calling [^ ]+: )+/, "") ?? "fine";
}

describe("an evaluation ends", () => {
  const thousand = `split(repeat("a ", 1000))`;
  it.each([
    [`repeat("x", 2000000000)`, "text is longer than 1000000 characters"],
    [`repeat(repeat("x", 100000), 11)`, "text is longer than 1000000 characters"],
    [`replace(repeat("x", 10000), "", repeat("y", 10000))`, "text is longer than 1000000 characters"],
    [
      `((d) => d(d(d(d(d("0123456789"))))))((x) => x & x & x & x & x & x & x & x & x & x & x & x)`,
      "text is longer than 1000000 characters",
    ],
    [`split(repeat("a ", 200000))`, "array has more than 100000 items"],
    [`((f) => f(f))((f) => f(f))`, "expression is nested too deeply"],
    [`((f) => f(f, 0))((f, n) => f(f, n + 1))`, "expression is nested too deeply"],
    [`foreach(${thousand}, (a) => foreach(${thousand}, (b) => a & b))`, "expression takes too much work"],
    [
      `foreach(${thousand}, (a) => foreach(${thousand}, (b) => foreach(${thousand}, (c) => 1)))`,
      "expression takes too much work",
    ],
    [`foreach(${thousand}, repeat, 10000)`, "text is longer than 1000000 characters"],
    [`join(foreach(${thousand}, (x) => array(repeat("y", 900))), "")`, "fine"],
    [`9 ^ 9 ^ 9 ^ 9`, "number has too many digits"],
    [`9 ^ 99999`, "number value is out of permitted range"],
    [`1.000001 ^ 99999`, "number value is out of permitted range"],
    [`2 ^ -99999`, "fine"],
    ["9".repeat(5000), "number value is out of permitted range"],
    [`number("${"9".repeat(5000)}")`, `unable to convert "${"9".repeat(200)}" to a number`],
    [`round(1 / 3, 2000000000) & round(1 / 3, -2000000000)`, "fine"],
    [`regex_match(repeat("a", 50000), "(a*)*(a*)*b")`, "invalid regular expression group"],
    [`regex_match(repeat("a", 100000), "${"a?".repeat(900)}b")`, "text is too long for the pattern"],
    [`regex_match("a", "((a{1,100}){1,100}){1,100}")`, "invalid regular expression"],
    [`parse_json(repeat("[", 50000))`, "invalid JSON"],
    [`parse_json(repeat("[", 400) & repeat("]", 400))`, "fine"],
    [`json(parse_json(repeat("[", 400) & repeat("]", 400)))`, "fine"],
    [`datetime_add(now(), 2000000000, "W")`, "datetime is out of range"],
    [`date_from_parts(2000000000, 1, 1)`, "date is out of range"],
    [`format_date(now(), repeat("Y", 1000))`, "format is too long"],
    [`${"(".repeat(100)}1${")".repeat(100)}`, "fine"],
    [`${"(".repeat(100_000)}1${")".repeat(100_000)}`, "expression is nested too deeply"],
    [`${"array(".repeat(5000)}1${")".repeat(5000)}`, "expression is nested too deeply"],
    [`${"-".repeat(50_000)}1`, "fine"],
    [`1${" + 1".repeat(50_000)}`, "fine"],
    [`upper${"(1)".repeat(50_000)}`, "upper(1) is not a function"],
    [`array(1)${"[0]".repeat(50_000)}`, "1 doesn't support lookups"],
    [`1 ${"^ (1 ".repeat(5000)}${")".repeat(5000)}`, "expression is nested too deeply"],
  ])("case %#", (expression, expected) => {
    expect(outcome(expression)).toBe(expected);
  });

  it("also in a template with thousands of expressions", () => {
    const { text, errors } = evaluateTemplate(environment(), contextFrom({ a: 1 }), "@(a + 1) @a.b ".repeat(5000));
    expect([text.length, errors.length]).toEqual([10_000, 5000]);
  });

  it("also when each of many expressions works hard", () => {
    const hard = '@(upper(repeat("x", 900000)))';
    const startMs = performance.now();
    const { text, errors } = evaluateTemplate(environment(), contextFrom({}), hard.repeat(300));
    expect([text, errors.at(-1)]).toEqual([
      `${"X".repeat(9_997)}...`,
      `error evaluating ${hard}: expression takes too much work`,
    ]);
    const long = '@(repeat("x", 900000))'.repeat(20);
    const uncut = evaluateTemplate(environment(), contextFrom({}), long, { isCut: false });
    expect(uncut.text).toHaveLength(10_000_000);
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });

  it("also with a context that is nested deeply", () => {
    let json: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) json = depth % 2 === 0 ? [json] : { a: json };
    const { errors } = evaluateTemplate(
      environment(),
      contextFrom({ deep: json }),
      "@deep @(json(deep)) @(format(deep))",
    );
    expect(errors).toHaveLength(3);
  });
});

/** Pieces of which some are expressions, most are nearly so. */
const piece = fc.oneof(
  fc.constantFrom(
    "@",
    "@@",
    "@(",
    ")",
    "(",
    '"',
    "\\",
    "\\u",
    ".",
    ",",
    "[",
    "]",
    "=>",
    "&",
    "+",
    "-",
    "^",
    "=",
    "<",
    " ",
  ),
  fc.constantFrom(
    "contact",
    "fields",
    "age",
    "null",
    "true",
    "x",
    "0",
    "1",
    "99999999999",
    "1.5",
    '"text"',
    "\n",
    "😀",
    "\ud800",
  ),
  fc.constantFrom("upper", "foreach", "word", "repeat", "date", "json", "has_text", "if", "format_datetime", "split"),
  fc.string({ unit: "binary", maxLength: 3 }),
);

describe("anything is evaluated", () => {
  const context = contextFrom({
    contact: { name: "A", __default__: "A" },
    fields: { age: 3 },
    x: [1, null, { a: [] }],
  });

  it("without an exception", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const template = pieces.join("");
        expect(typeof evaluateTemplate(environment(), context, template).text).toBe("string");
        expect(typeof evaluateTemplate(environment(), context, `@(${template})`).text).toBe("string");
      }),
      { numRuns: runs(500) },
    );
  });

  const names =
    "text boolean number date datetime time array object if and or is_error default char code lower upper title clean trim trim_left trim_right text_slice text_length text_compare repeat replace regex_match percent url_encode html_decode split word word_count word_slice remove_first_word field read_chars abs round round_up round_down max min mean mod rand rand_between now today parse_datetime parse_time datetime_from_epoch epoch datetime_diff datetime_add replace_time tz tz_offset date_from_parts time_from_parts weekday week_number count join reverse sort sum unique concat contains slice filter foreach foreach_value extract extract_object keys json parse_json urn_parts format_urn attachment_parts format format_date format_time format_datetime format_number format_location legacy_add has_text has_any_word has_number_between has_date has_pattern has_group has_category has_phone has_state".split(
      " ",
    );

  it("by functions that all exist", () => {
    expect(names.filter((name) => !isKnownFunction(name))).toEqual([]);
    expect(isKnownFunction("UPPER")).toBe(true);
    expect(isKnownFunction("constructor")).toBe(false);
  });

  it("with any arguments", () => {
    const simple = fc.oneof(
      fc.constantFrom(
        null,
        "",
        "a b",
        "5",
        "-1.5",
        "2024-02-29T10:00:00Z",
        "1/2/2024",
        "10:30",
        "tel:+250788123456",
        "D",
        "YYYY",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.double({ noNaN: true }),
      fc.integer(),
      fc.boolean(),
    );
    const value = fc.oneof(
      simple,
      fc.array(simple, { maxLength: 3 }),
      fc.dictionary(fc.string(), simple, { maxKeys: 3 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(value, { maxLength: 4 }), (name, args) => {
        const result: Value = callFunction(environment(), name, args.map(fromJson));
        expect(result).toBeDefined();
        expect(textOf("1")).toBe("1");
      }),
      { numRuns: runs(1250) },
    );
  });

  it("by names that only objects have", () => {
    const template =
      '@(object()["constructor"])@(parse_json("{\\"__proto__\\": 7}").__proto__)@(toString)@contact.valueOf';
    const { text, errors } = evaluateTemplate(environment(), context, template);
    expect([text, errors.length]).toEqual(["7", 2]);
  });
});
