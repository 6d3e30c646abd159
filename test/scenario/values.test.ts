import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDiagnostics, durationLiteral, nearest, parseDuration, suggest } from "../../src/scenario/index.js";
import { base, diagnostics, sound } from "./help.js";

describe("durations", () => {
  it.each([
    ["250ms", 250],
    ["90s", 90_000],
    ["5m", 300_000],
    ["1h30m", 5_400_000],
    ["2d", 172_800_000],
    ["1d2h3m4s5ms", 93_784_005],
    ["0.5s", 500],
    ["1.1s", 1100],
    ["-20m", -1_200_000],
  ])("%s", (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(["", "5", "5 m", "m", "5x", "30m1h", "5m5m", "--5m", "1e3s", "Infinitys", "5m "])("%j is none", (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it("what is printed is read back", () => {
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 12), max: 10 ** 12 }), (ms) => {
        expect(parseDuration(durationLiteral(ms))).toBe(ms);
      }),
    );
  });
});

describe("the nearest word", () => {
  const words = ["on", "off", "power", "network", "LTE", "early-sent"];
  it.each([
    ["of", "off"],
    ["pwoer", "power"],
    ["powr", "power"],
    ["Network", "network"],
    ["lte", "LTE"],
    ["early_sent", "early-sent"],
    ["banana", undefined],
    ["", undefined],
  ])("%j: %j", (word, expected) => {
    expect(nearest(word, words)).toBe(expected);
  });

  it("where none is near, all are listed", () => {
    expect(suggest("banana", words)).toBe("one of: on, off, power, network, LTE, early-sent");
  });

  it("one slip in a word of four letters or more finds it", () => {
    const long = words.filter((word) => word.length >= 4);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), fc.constantFrom("x", ""), (word, at, put) => {
        const place = at % word.length;
        expect(nearest(word.slice(0, place) + put + word.slice(place + 1), words)).toBe(word);
      }),
    );
  });
});

/** The body that a text with this YAML has. */
function body(yaml: string): unknown {
  return sound(base(`traffic:\n  - { texts: { from: farmers, to: clinic, body: ${yaml} }, rate: 1/s }\n`)).cast
    .traffic[0]?.body;
}

/** How long a call with this YAML rings. */
function rings(yaml: string): unknown {
  return sound(base(`traffic:\n  - { calls: { from: farmers, to: clinic, rings: ${yaml} }, rate: 1/s }\n`)).cast
    .traffic[0]?.rings;
}

describe("values that vary", () => {
  const fixed = (value: unknown): object => ({ kind: "fixed", value });

  it.each([
    ["yes", "yes"],
    ["12", "12"],
    ["007", "007"],
    ["1e3", "1e3"],
    ["0x1F", "0x1F"],
    ["true", "true"],
    ["2026-03-04", "2026-03-04"],
    ["5m..40m", "5m..40m"],
    ['""', ""],
    ['"null"', "null"],
    ['" spaced "', " spaced "],
    ["'سلام 🚑'", "سلام 🚑"],
  ])("a plain text stays as it is spelled: %s", (yaml, value) => {
    expect(body(yaml)).toEqual(fixed(value));
  });

  it("forms of texts", () => {
    expect(body("[a, { fake: lorem.word, locale: pt_BR }]")).toEqual({
      kind: "pick",
      of: [fixed("a"), { kind: "fake", path: "lorem.word", locale: "pt_BR" }],
    });
    expect(body("{ weighted: { yes: 3, 12: 0.5 } }")).toEqual({
      kind: "weighted",
      of: [
        { weight: 0.5, value: fixed("12") },
        { weight: 3, value: fixed("yes") },
      ],
    });
  });

  it("forms of numbers", () => {
    expect(rings("25s")).toEqual(fixed(25_000));
    expect(rings("5s..5m")).toEqual({ kind: "uniform", min: 5000, max: 300_000, whole: true });
    expect(rings("{ exp: 5m }")).toEqual({ kind: "exp", mean: 300_000 });
    expect(rings("{ normal: [5m, 1m] }")).toEqual({ kind: "normal", mean: 300_000, deviation: 60_000 });
    expect(rings("{ lognormal: [5m, 2m] }")).toEqual({ kind: "lognormal", mean: 300_000, deviation: 120_000 });
    expect(rings("{ pick: [5s, 10s..20s] }")).toEqual({
      kind: "pick",
      of: [fixed(5000), { kind: "uniform", min: 10_000, max: 20_000, whole: true }],
    });
    expect(rings("{ weighted: { 5s: 1, 1m..2m: 2 } }")).toEqual({
      kind: "weighted",
      of: [
        { weight: 1, value: fixed(5000) },
        { weight: 2, value: { kind: "uniform", min: 60_000, max: 120_000, whole: true } },
      ],
    });
  });
});

describe("a clock's skew", () => {
  const clock = (yaml: string): unknown =>
    sound(`lasts: 1h\nhandsets: { a: { phone: "+250788000001", clock: ${yaml} } }\n`).cast.handsets[0]?.clockSkew;

  it.each([
    ["-5m..5m", { kind: "uniform", min: -300_000, max: 300_000, whole: true }],
    ["{ normal: [0s, 1m] }", { kind: "normal", mean: 0, deviation: 60_000 }],
    ["{ exp: 5m }", { kind: "exp", mean: 300_000 }],
    ["[{ lognormal: [5m, 1m] }]", { kind: "pick", of: [{ kind: "lognormal", mean: 300_000, deviation: 60_000 }] }],
  ])("%s", (yaml, expected) => {
    expect(clock(yaml)).toEqual(expected);
  });
});

describe("a byte order mark", () => {
  it("is not counted and not printed", () => {
    const text = "\uFEFFnmae: x\nlasts: 1h\nhandsets: { a: { phone: +250788000001 } }\n";
    const found = diagnostics(text);
    expect(found).toMatchObject([{ line: 1, column: 1, code: "unknown-key" }]);
    expect(formatDiagnostics(found, text)).toContain("\n  1 | nmae: x\n    | ^^^^ ");
  });
});

describe("more problems than are printed", () => {
  it("the first fifty are printed, and the number of the rest", () => {
    const groups = Array.from({ length: 80 }, (_, n) => `  g${n}: { fone: "+2507880000${10 + n}" }\n`).join("");
    const text = `lasts: 1h\nhandsets:\n${groups}`;
    const found = diagnostics(text);
    expect(found).toHaveLength(80);
    const printed = formatDiagnostics(found, text);
    expect(printed.match(/error\[/g)).toHaveLength(50);
    expect(printed).toMatch(/\nand 30 more: fix these first\n$/);
  });
});

describe("selectors", () => {
  const of = (selector: string): unknown => {
    const input = sound(base(`story:\n  - { at: 1m, pause: { of: ${selector} } }\n`)).story[0]?.input;
    return input?.to === "world" && "of" in input.input ? input.input.of : undefined;
  };

  it.each([
    ["clinic", { group: "clinic", from: 0, to: 9 }],
    ["clinic/3", { group: "clinic", from: 3, to: 3 }],
    ["clinic/0..9", { group: "clinic", from: 0, to: 9 }],
    ["10% of clinic", { group: "clinic", from: 0, to: 9, share: 0.1 }],
    ["2.5% of clinic/2..5", { group: "clinic", from: 2, to: 5, share: 0.025 }],
  ])("%s", (text, selector) => {
    expect(of(text)).toEqual(selector);
  });
});

describe("phone numbers", () => {
  const phoneOf = (phone: string, count = 1): unknown =>
    sound(`lasts: 1h\nhandsets: { a: { count: ${count}, phone: ${phone} } }\n`).cast.handsets[0]?.phone;

  it.each([
    ['"+250788000001"', { prefix: "+250788000001", first: 0, digits: 0, suffix: "" }],
    ["+250788000001", { prefix: "+250788000001", first: 0, digits: 0, suffix: "" }],
    ['"+2507880{00100}"', { prefix: "+2507880", first: 100, digits: 5, suffix: "" }],
    ['"+25078{00}001"', { prefix: "+25078", first: 0, digits: 2, suffix: "001" }],
  ])("%s", (text, phone) => {
    expect(phoneOf(text)).toEqual(phone);
  });

  it("groups may share a prefix, but no number", () => {
    const two = (first: string, second: string): string[] =>
      diagnostics(`lasts: 1h
handsets:
  a: { count: 10, phone: "${first}" }
  b: { count: 10, phone: "${second}" }
`).map((one) => one.code);
    expect(two("+2507880{000}", "+2507880{010}")).toEqual([]);
    expect(two("+2507880{000}", "+2507880{009}")).toEqual(["duplicate-phone"]);
    expect(two("+2507880{000}", "+250788{0005}")).toEqual(["duplicate-phone"]);
    expect(two("+250{00}788001", "+250{00}788002")).toEqual([]);
    expect(two("+250{00}788001", "+250{05}788001")).toEqual(["duplicate-phone"]);
  });
});

describe("lines of expect", () => {
  it.each([
    ["lost==0", { metric: "lost", op: "==", value: 0 }],
    ["events.mo_mms >= 3", { metric: "events.mo_mms", op: ">=", value: 3 }],
    ["attempts.refused != 0", { metric: "attempts.refused", op: "!=", value: 0 }],
    ["lateness.max <= 1m30s", { metric: "lateness.max", op: "<=", value: 90_000 }],
    ["service.p50 < 1.5ms", { metric: "service.p50", op: "<", value: 1.5 }],
  ])("%s", (text, expected) => {
    expect(sound(base(`expect: [ ${text} ]\n`)).expect).toEqual([{ text, ...expected }]);
  });
});
