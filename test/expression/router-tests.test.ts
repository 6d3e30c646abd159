import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ArrayValue,
  callFunction,
  Decimal,
  type Environment,
  ErrorValue,
  fromJson,
  isKnownFunction,
  locationTree,
  ObjectValue,
  toText,
  type Value,
} from "../../src/expression/index.js";
import { environment } from "./environment.js";
import { runs } from "../support/effort.js";

const locations = locationTree({
  name: "Uganda",
  children: [
    {
      name: "Central Region",
      aliases: ["Central", "Buganda"],
      children: [{ name: "Wakiso", children: [{ name: "Entebbe" }, { name: "Kira" }] }, { name: "Mukono" }],
    },
    {
      name: "Eastern",
      children: [
        { name: "Jinja", children: [{ name: "Kira" }, { name: "Bugembe Town" }] },
        { name: "Mukono", aliases: ["Mukono East"] },
      ],
    },
    { name: "Gulú", children: [] },
  ],
});

const failure = new ErrorValue("it failed");

/** A test's outcome: the text of its match, `false`, or the error. Checks that the truth of the result agrees. */
function outcome(
  name: string,
  args: readonly Value[],
  changes: Partial<Environment> = {},
): string | false | ErrorValue {
  const result = callFunction(environment({ locations, ...changes }), name, args);
  if (result instanceof ErrorValue) return result;
  expect(result).toBeInstanceOf(ObjectValue);
  const { defaultValue } = result as ObjectValue;
  const match = (result as ObjectValue).get("match");
  if (defaultValue === false) {
    expect(match).toBe("");
    return false;
  }
  expect(defaultValue).toBe(true);
  return toText(environment(), match ?? null) as string;
}

/** What a test adds to its match. */
function extraOf(name: string, ...args: readonly Value[]): string | ErrorValue {
  const result = callFunction(environment(), name, args);
  return toText(environment(), (result as ObjectValue).get("extra") ?? null);
}

type Case = readonly [name: string, args: readonly Value[], expected: string | false];

/** One test case for each row. */
function table(cases: readonly Case[]): void {
  it.each(cases)("%s %j", (name, args, expected) => {
    expect(outcome(name, args)).toBe(expected);
  });
}

const number = (text: string): Decimal => new Decimal(text);

describe("tests of texts", () => {
  table([
    ["has_text", [" yes please\n"], "yes please"],
    ["has_text", [" \t"], false],
    ["has_text", [null], false],
    ["has_text", [number("0")], "0"],
    ["has_text", [false], "false"],
    ["has_value", ["x"], "x"],
    ["has_only_text", ["completed", "completed"], "completed"],
    ["has_only_text", ["completed", "Completed"], false],
    ["has_only_text", ["completed ", "completed"], false],
    ["has_only_text", [null, ""], ""],
    ["has_beginning", ["  Reg Mary 3", "reg"], "Reg"],
    ["has_beginning", ["Register", " reg "], "Reg"],
    ["has_beginning", ["Élan vital", "éLAN"], "Élan"],
    ["has_beginning", ["re", "reg"], false],
    ["has_beginning", ["a reg", "reg"], false],
    ["has_beginning", ["reg", ""], false],
    ["has_any_word", ["Yes, I did. YES!", "yes yep"], "Yes YES"],
    ["has_any_word", ["yesterday", "yes"], false],
    ["has_any_word", ["it's mine", "its it"], false],
    ["has_any_word", ["it's mine", "IT'S"], "it's"],
    ["has_any_word", ["cost_a b", "cost"], false],
    ["has_any_word", ["good 👍🏿", "👍"], "👍"],
    ["has_any_word", ["5+5", "+"], "+"],
    ["has_any_word", ["ΟΔΟΣ", "οδοσ"], "ΟΔΟΣ"],
    ["has_any_word", ["", "a"], false],
    ["has_any_word", ["a", ""], false],
    ["has_all_words", ["The dog and the cat", "cat the"], "The the cat"],
    ["has_all_words", ["The dog", "dog cat"], false],
    ["has_all_words", ["The dog", ""], ""],
    ["has_phrase", ["I like the Big dog", "big DOG"], "Big dog"],
    ["has_phrase", ["big, dog", "big dog"], "big dog"],
    ["has_phrase", ["big bad dog", "big dog"], false],
    ["has_phrase", ["big big dog", "big dog"], false],
    ["has_phrase", ["anything", "!"], ""],
    ["has_only_phrase", ["Big dog!", "big dog"], "Big dog"],
    ["has_only_phrase", ["a big dog", "big dog"], false],
    ["has_only_phrase", ["", "."], ""],
    ["has_pattern", ["Order A-17 now", String.raw`a-(\d+)`], "A-17"],
    ["has_pattern", ["Order", String.raw`\d`], false],
    ["has_pattern", ["one\ntwo", " ^two$ "], "two"],
    ["has_pattern", ["Order", "(?-i)order"], false],
    ["has_pattern", ["", ""], ""],
    ["has_email", ["write to <Mary.O+x@mail.example.org>!"], "Mary.O+x@mail.example.org"],
    ["has_email", ["@a @b.c d@e f@g.h"], "f@g.h"],
    ["has_email", ["-a@b.c."], "a@b.c"],
    ["has_email", ["münch@köln.de"], "münch@köln.de"],
    ["has_email", ["a @b.c"], false],
    ["has_email", ["a@b"], false],
    ["has_email", ["a@b@c.d"], "b@c.d"],
  ]);

  it("give the groups of a pattern", () => {
    expect(extraOf("has_pattern", "Order A-17", String.raw`(\w)-(\d)(x)?`)).toBe("{0: A-1, 1: A, 2: 1, 3: }");
    expect(extraOf("has_text", "x")).toBe("");
  });

  it("reject what RE2 does not match in bounded time, and very long patterns", () => {
    for (const pattern of [
      "(",
      "a{2,1}",
      "(?=a)",
      String.raw`(a)\1`,
      "[z-a]",
      "*",
      "a".repeat(5_001),
      ".{0,999}".repeat(9),
    ]) {
      expect(outcome("has_pattern", ["aaa", pattern])).toBeInstanceOf(ErrorValue);
    }
  });

  it("match hostile patterns and texts quickly", () => {
    const started = performance.now();
    const text = `${"a".repeat(10_000)}!`;
    for (const pattern of ["(a+)+$", "(a|a)*$", "(.*)*x", "(?:a?){50}a{50}$"]) outcome("has_pattern", [text, pattern]);
    outcome("has_email", [`${"a.".repeat(50_000)}@${"b".repeat(50_000)}`]);
    outcome("has_phone", ["1 ".repeat(50_000)]);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});

describe("tests of numbers", () => {
  table([
    ["has_number", ["about 1,250 people"], "1250"],
    ["has_number", ["no idea"], false],
    ["has_number", [number("7.50")], "7.5"],
    ["has_number_lt", ["10 or 3", "5"], "3"],
    ["has_number_lt", ["5", number("5")], false],
    ["has_number_lte", ["5", " 5 "], "5"],
    ["has_number_eq", ["1 2 3", "2.0"], "2"],
    ["has_number_eq", ["٢", "2"], "2"],
    ["has_number_gte", ["4.99", "5"], false],
    ["has_number_gt", ["3-7", "5"], false],
    ["has_number_gt", ["3 to 7", "5"], "7"],
    ["has_number_between", ["20ans", "18", "25"], "20"],
    ["has_number_between", ["17 18 26", "18", "25"], "18"],
    ["has_number_between", ["17 26", "18", "25"], false],
  ]);
});

describe("tests of dates", () => {
  table([
    ["has_date", ["born on 4/7/1988"], "1988-07-04T10:20:30.123456+02:00"],
    ["has_date", ["born on 4/7/1988 at 6"], "1988-07-04T06:00:00.000000+02:00"],
    ["has_date", ["born in 1988"], false],
    ["has_date_lt", ["4/7/1988", "5/7/1988"], "1988-07-04T10:20:30.123456+02:00"],
    ["has_date_lt", ["4/7/1988", "4/7/1988 23:00"], false],
    ["has_date_eq", ["4/7/1988", "4/7/1988 23:00"], "1988-07-04T10:20:30.123456+02:00"],
    ["has_date_eq", ["1988-07-03T23:30:00Z", "4/7/1988"], "1988-07-03T23:30:00.000000Z"],
    ["has_date_gt", ["4/7/1988", "3/7/1988"], "1988-07-04T10:20:30.123456+02:00"],
    ["has_date_gt", ["never", "3/7/1988"], false],
    ["has_time", ["around 7:45 PM"], "19:45:00.000000"],
    ["has_time", ["around noon"], false],
  ]);
});

describe("tests of phones", () => {
  table([
    ["has_phone", ["call 0788 123 456."], "+250788123456"],
    ["has_phone", ["call +1 (206) 555-0142 now"], "+12065550142"],
    ["has_phone", ["call (206) 555-0142", "US"], "+12065550142"],
    ["has_phone", ["call (206) 555-0142", "us"], "+12065550142"],
    ["has_phone", ["12345 or 0788123456"], "+250788123456"],
    ["has_phone", ["call 0788 123"], false],
    ["has_phone", ["0788 123 456", null], false],
    ["has_phone", ["0788 123 456", "XX"], false],
    ["has_phone", ["+250788123456", "XX"], "+250788123456"],
    ["has_phone", ["none"], false],
  ]);

  it("need a country for numbers without one", () => {
    expect(outcome("has_phone", ["0788 123 456"], { defaultCountry: undefined })).toBe(false);
    expect(outcome("has_phone", ["+250 788 123 456"], { defaultCountry: undefined })).toBe("+250788123456");
  });
});

describe("tests of groups, results and errors", () => {
  const groups = fromJson([
    { uuid: "a1", name: "Farmers" },
    { uuid: "b2", name: "Mothers" },
  ]);
  const classification = {
    intents: [
      { name: "greet", confidence: 0.8 },
      { name: "order", confidence: 0.4 },
    ],
    entities: { item: [{ value: "maize" }, { value: "beans" }], place: [] },
  };
  const result = fromJson({
    name: "Crop",
    category: "Maize",
    created_on: "2026-05-14T10:00:00Z",
    extra: classification,
  });
  table([
    ["has_group", [groups, "b2"], "{name: Mothers, uuid: b2}"],
    ["has_group", [groups, "b2", "Renamed"], "{name: Mothers, uuid: b2}"],
    ["has_group", [groups, "B2"], false],
    ["has_group", [null, "b2"], false],
    ["has_category", [result, "Beans", "Maize"], "Maize"],
    ["has_category", [result, "maize"], false],
    ["has_intent", [result, "order", number("0.4")], "order"],
    ["has_intent", [result, "order", number("0.5")], false],
    ["has_top_intent", [result, "greet", number("0.5")], "greet"],
    ["has_top_intent", [result, "order", number("0.1")], false],
    ["has_error", [failure], "it failed"],
    ["has_error", ["it failed"], false],
    ["has_error", [null], false],
  ]);

  it("give the likeliest entities of an intent", () => {
    expect(extraOf("has_intent", result, "greet", number("0"))).toBe("{item: maize}");
  });

  it("give the group itself, which templates look into", () => {
    const found = callFunction(environment(), "has_group", [groups, "a1"]) as ObjectValue;
    expect((found.get("match") as ObjectValue).get("name")).toBe("Farmers");
  });
});

describe("tests of places", () => {
  table([
    ["has_state", ["Eastern"], "Uganda > Eastern"],
    ["has_state", ["BUGANDA"], "Uganda > Central Region"],
    ["has_state", ["I am in Buganda!"], "Uganda > Central Region"],
    ["has_state", ["near the central region of it"], "Uganda > Central Region"],
    ["has_state", ["uganda >  central region."], "Uganda > Central Region"],
    ["has_state", ["gulú"], "Uganda > Gulú"],
    ["has_state", ["Western"], false],
    ["has_state", [""], false],
    ["has_district", ["wakiso"], "Uganda > Central Region > Wakiso"],
    ["has_district", ["mukono"], false],
    ["has_district", ["mukono", "eastern"], "Uganda > Eastern > Mukono"],
    ["has_district", ["mukono east"], "Uganda > Eastern > Mukono"],
    ["has_district", ["wakiso", "eastern"], false],
    ["has_district", ["wakiso", "Western"], false],
    ["has_ward", ["we live in Entebbe"], "Uganda > Central Region > Wakiso > Entebbe"],
    ["has_ward", ["kira"], false],
    ["has_ward", ["kira", "jinja", "eastern"], "Uganda > Eastern > Jinja > Kira"],
    ["has_ward", ["bugembe-town", "jinja", "eastern"], "Uganda > Eastern > Jinja > Bugembe Town"],
    ["has_ward", ["kira", "mukono", "eastern"], false],
  ]);

  it("need the organisation's locations", () => {
    for (const name of ["has_state", "has_district", "has_ward"]) {
      expect(outcome(name, ["Eastern"], { locations: undefined })).toBeInstanceOf(ErrorValue);
    }
  });
});

describe("wrong arguments", () => {
  it.each([
    ["has_text", []],
    ["has_text", ["a", "b"]],
    ["has_text", [failure]],
    ["has_only_text", ["a"]],
    ["has_only_text", ["a", failure]],
    ["has_beginning", ["a", "b", "c"]],
    ["has_any_word", ["a"]],
    ["has_phrase", [failure, "a"]],
    ["has_pattern", ["a", "("]],
    ["has_number", ["1", "2"]],
    ["has_number_lt", ["1", "two"]],
    ["has_number_lt", ["1", null]],
    ["has_number_lt", ["1", true]],
    ["has_number_between", ["1", "0"]],
    ["has_number_between", ["1", "0", "x"]],
    ["has_date_lt", ["1/1/2020", "soon"]],
    ["has_date_eq", ["1/1/2020", null]],
    ["has_time", []],
    ["has_phone", ["1", "RW", "x"]],
    ["has_phone", ["1", failure]],
    ["has_group", ["no array", "b2"]],
    ["has_group", [new ArrayValue(["text"]), "b2"]],
    ["has_group", [new ArrayValue([failure]), "b2"]],
    ["has_category", [new ObjectValue({}), "x"]],
    ["has_category", ["text", "x"]],
    ["has_intent", [new ObjectValue({}), "x", number("1")]],
    ["has_ward", ["Kira", "Jinja"]],
    ["has_district", ["a", "b", "c"]],
    ["has_error", []],
  ] as const)("of %s are errors: %j", (name, args) => {
    expect(outcome(name, args)).toBeInstanceOf(ErrorValue);
  });

  const names = (
    "has_text has_value has_only_text has_beginning has_any_word has_all_words has_phrase has_only_phrase has_pattern has_email " +
    "has_number has_number_lt has_number_lte has_number_eq has_number_gte has_number_gt has_number_between has_date has_date_lt " +
    "has_date_eq has_date_gt has_time has_phone has_group has_category has_error has_intent has_top_intent has_state has_district has_ward"
  ).split(" ");

  it("never throw, whatever the arguments", () => {
    const values: fc.Arbitrary<Value> = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom<Value>(null, true, failure, number("12.5"), new ArrayValue([]), new ObjectValue({})),
      fc.constantFrom("4/7/1988 10:20", "+250788123456", "central region", "12,5", "[a-z]+", "a@b.cd"),
    );
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(values, { maxLength: 4 }), (name, args) => {
        expect(isKnownFunction(name)).toBe(true);
        outcome(name, args);
      }),
      { numRuns: runs(200) },
    );
  });
});
