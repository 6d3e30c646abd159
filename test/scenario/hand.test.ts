import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakesOf, handReference, parseHandValue, readHand } from "../../src/scenario/index.js";
import { base, diagnostics, sound } from "./help.js";
import { runs } from "../support/effort.js";

const { cast } = sound(base());
const verbs = handReference();

/** What a scenario with this step says of it. JSON is YAML. */
function inScenario(verb: string, args: unknown): { input: unknown; reported: string[] } {
  const text = base(`story: [{ at: 5m, ${verb}: ${JSON.stringify(args)} }]\n`);
  const all = diagnostics(text);
  const reported = all.map(({ code, message, hint }) => `${code}: ${message} (${hint})`);
  const isSound = all.every(({ severity }) => severity === "warning");
  return { input: isSound ? sound(text).story[0]?.input : undefined, reported: reported.toSorted() };
}

function byHand(verb: string, args: unknown): { input: unknown; reported: string[] } {
  const { input, problems } = readHand(verb, args, cast);
  return { input, reported: problems.map(({ code, message, hint }) => `${code}: ${message} (${hint})`).toSorted() };
}

/** Right and wrong values of arguments. */
const values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(..."clinic clinic/3 clinic/0..19 farmers farmers/3 farmer/3 clinic/70 10%".split(" ")),
  fc.constantFrom(..."30s -20m 5m..40m on off none LTE lte request ok 9% /yes|no/i mo_sms".split(" ")),
  fc.constantFrom<unknown>("50% of clinic", "1 hour", "", "hello", 0, 1, 12, 500, -3, 2.5, true, false),
  fc.constantFrom<unknown>(
    [],
    ["yes", "no"],
    {},
    { pick: ["a", 1] },
    { pick: "a" },
    { exp: "5m" },
    { pik: [1] },
    { weighted: { a: 3, b: 0 } },
    [{ label: "crop", text: "maize" }],
    [{ label: "crop" }],
    { phone: "+250788000001" },
  ),
);

describe("a verb by hand", () => {
  const hands = fc
    .constantFrom(...verbs.filter(({ name }) => name !== "note"))
    .chain(({ name, arguments: known }) =>
      fc.tuple(
        fc.constant(name),
        fc.dictionary(fc.constantFrom(...known.map((argument) => argument.name), "fron", "count"), values),
      ),
    );

  it("is read, checked and reported as in a scenario", () => {
    fc.assert(
      fc.property(hands, ([verb, args]) => {
        expect(byHand(verb, args)).toEqual(inScenario(verb, args));
      }),
      { numRuns: runs(150) },
    );
  });

  it.each(verbs.map((verb) => [verb.name, verb] as const))(
    "%s: its example means the same as in a scenario",
    (name, verb) => {
      const big = sound(base().replace("count: 10,", "count: 40,")).cast;
      const { input, problems } = readHand(name, verb.example, big);
      expect(problems).toEqual([]);
      const written = name === "note" ? verb.example["text"] : verb.example;
      const text = base(`story: [{ at: 5m, ${name}: ${JSON.stringify(written)} }]\n`).replace(
        "count: 10,",
        "count: 40,",
      );
      expect(input).toEqual(sound(text).story[0]?.input);
    },
  );

  it.each<[what: string, verb: string, args: unknown, path: string, message: string, hint?: string]>([
    ["an unknown verb", "txt", {}, "", "'txt' is no verb", "did you mean 'text'?"],
    ["a word that objects have", "constructor", {}, "", "'constructor' is no verb"],
    [
      "a misspelled argument",
      "power",
      { off: "clinic", mains: "on" },
      "off",
      "'off' is not a key of 'power'",
      "did you mean 'of'?",
    ],
    ["an argument that is missing", "coverage", { of: "clinic" }, "state", "'coverage' needs 'state'"],
    ["no arguments at all", "reboot", undefined, "of", "'reboot' needs 'of'"],
    ["arguments that are none", "reboot", [1], "", "'reboot' must be a map (key: value), got a list"],
    [
      "a group that does not exist",
      "airplane",
      { of: "clinik" },
      "of",
      "'of' names no group of handsets: 'clinik'",
      "did you mean 'clinic'?",
    ],
    [
      "people for handsets",
      "pause",
      { of: "farmers" },
      "of",
      "'of' must name handsets, but 'farmers' is a group of people",
    ],
    [
      "members beyond the group",
      "pause",
      { of: "clinic/10" },
      "of",
      "'of' selects 'clinic/10', but clinic has 10 members, 0..9",
    ],
    [
      "a span without unit",
      "pause",
      { of: "clinic", for: 30 },
      "for",
      "'for' must be a duration such as 90s or 1h30m, got '30'",
      "write 30s",
    ],
    [
      "a fault inside",
      "flow",
      { of: "clinic", person: "farmers/0", flow: 1, name: "x", values: [{ label: "a" }] },
      "values.0.text",
      "'values[0]' needs 'text'",
    ],
    [
      "a file",
      "text",
      { from: "farmers", to: "clinic", body: { csv: "/etc/passwd" } },
      "body.csv",
      "files cannot be read here",
    ],
    ["an argument without a value", "pause", { of: null }, "of", "'of' has no value"],
    ["a plain note", "note", "hello", "", "'note' must be a map (key: value), got 'hello'"],
    ["an empty note", "note", { text: " " }, "text", "'text' must not be empty"],
  ])("tells where %s is wrong", (_, verb, args, path, message, hint) => {
    const { input, problems } = readHand(verb, args, cast);
    expect(input).toBeUndefined();
    const problem = problems.find((one) => one.path === path);
    expect(problem).toMatchObject({ severity: "error", message, ...(hint !== undefined && { hint }) });
  });

  it("draws the fakes that the scenario names, and no others", () => {
    const fake = (path: string, locale?: string): object => ({ fake: path, ...(locale !== undefined && { locale }) });
    const text = (body: unknown): object => ({ from: "farmers/0", to: "clinic/0", body });
    const named = sound(
      base(`story: [{ at: 1m, text: { from: farmers, to: clinic, body: [{ fake: lorem.word, locale: fr }, hi] } }]`),
    );
    const read = (body: unknown): string[] =>
      readHand("text", text(body), cast, fakesOf(named)).problems.map(({ path, message }) => `${path}: ${message}`);
    expect(read(fake("lorem.word", "fr"))).toEqual([]);
    expect(read(["a", fake("lorem.word", "fr")])).toEqual([]);
    expect(read(fake("lorem.word"))).toEqual([
      "body.fake: 'lorem.word' in locale en cannot be drawn here: only fakes that the scenario names are loaded",
    ]);
    expect(read({ pick: ["a", fake("lorem.words", "fr")] })).toHaveLength(1);
    // What looks like a fake where plain fields stand is none.
    const fields = { of: "clinic/0", type: "mo_mms", fields: { fake: "lorem.word" } };
    expect(readHand("event", fields, cast).problems).toEqual([]);
  });

  it("gives a warning together with an input", () => {
    const { input, problems } = readHand("expect", { event: "mo_smss", within: "1m" }, cast);
    expect(input).toMatchObject({ to: "expect" });
    expect(problems).toMatchObject([{ path: "event", severity: "warning", hint: "did you mean 'mo_sms'?" }]);
  });

  it("accepts any data without throwing", () => {
    fc.assert(
      fc.property(fc.constantFrom(...verbs.map(({ name }) => name)), fc.jsonValue({ maxDepth: 6 }), (verb, args) => {
        const { input, problems } = readHand(verb, args, cast);
        expect(input === undefined).toBe(problems.some(({ severity }) => severity === "error"));
      }),
    );
    const hostile: unknown = JSON.parse('{ "__proto__": { "of": "clinic" }, "constructor": 1, "toString": [] }');
    expect(readHand("reboot", hostile, cast).problems.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["__proto__", "constructor", "toString", "of"]),
    );
    expect(({} as Record<string, unknown>)["of"]).toBeUndefined();
    const deep: unknown = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`);
    expect(readHand("note", { text: deep }, cast).problems.map(({ message }) => message)).toContain(
      "nested deeper than 40 levels",
    );
  });
});

describe("the reference of hands", () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });

  it.each(verbs.map((verb) => [verb.name, verb] as const))("%s: is JSON Schema that its example fits", (_, verb) => {
    expect(verb.about).toMatch(/\.$/);
    const validate = ajv.compile(verb.args);
    expect(validate(verb.example), ajv.errorsText(validate.errors)).toBe(true);
    expect(validate({ ...verb.example, whatever: 1 })).toBe(false);
    for (const { name, about, isRequired, schema } of verb.arguments) {
      expect(about).not.toBe("");
      const { [name]: value, ...rest } = verb.example as Record<string, unknown>;
      if (isRequired) expect(validate(rest)).toBe(false);
      if (value !== undefined) expect(ajv.validate(schema, value)).toBe(true);
    }
  });

  it("accepts the varying texts that its schema allows, except fakes", () => {
    const text = verbs.find(({ name }) => name === "text");
    const validate = ajv.compile(text?.args ?? {});
    for (const body of ["a", 1, true, ["a"], { pick: ["a"] }, { weighted: { a: 1 } }]) {
      const args = { from: "farmers/0", to: "clinic/0", body };
      expect([validate(args), readHand("text", args, cast).problems]).toEqual([true, []]);
    }
    expect(validate({ from: "farmers/0", to: "clinic/0", body: { csv: "a.csv" } })).toBe(false);
  });
});

describe("a value of the command line", () => {
  it.each([
    ["hello", "hello"],
    ["maize 12kg: now # and then", "maize 12kg: now # and then"],
    ["yes", "yes"],
    ["12", "12"],
    ["", ""],
    ["{ pick: [a, 012] }", { pick: ["a", "012"] }],
    [" [yes, no]", ["yes", "no"]],
    ["{ phone: +250788000001 }", { phone: "+250788000001" }],
  ])("%j is %j", (text, value) => {
    expect(JSON.stringify(parseHandValue(text))).toBe(JSON.stringify({ value }));
  });

  it("keeps numbers and flags in data that is passed on", () => {
    const { value } = parseHandValue('{ age: 36, name: "36", ok: true }', { isJson: true }) as { value: unknown };
    expect(value).toEqual({ age: 36, name: "36", ok: true });
  });

  it.each(["[a", "{ a: 1, a: 2 }", "{ a: *b }", "[a] b"])("%j is none", (text) => {
    expect(parseHandValue(text)).toHaveProperty("problem");
  });
});
