import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diagnosticCodes, formatDiagnostics, newScenarioText, parseScenario } from "../../src/scenario/index.js";
import { runs } from "../support/effort.js";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
const soundTexts = [fixture("power-cut.yaml.txt"), fixture("everything.yaml"), newScenarioText()];

/** Whatever the text: no throw, every diagnostic has its place in it, and there is a scenario or an error. */
function check(text: string, set: readonly string[] = []): void {
  const { scenario, diagnostics } = parseScenario(text, { file: "any.yaml", nowMs: 0, set });
  const lines = text.split(/\r?\n/);
  for (const one of diagnostics) {
    expect(Object.keys(diagnosticCodes)).toContain(one.code);
    expect(one.message).not.toMatch(/undefined|\[object|NaN/);
    const line = (one.file === "--set" ? set : lines)[one.line - 1];
    expect(line, JSON.stringify(one)).toBeDefined();
    expect(one.column).toBeGreaterThanOrEqual(1);
    expect(one.column).toBeLessThanOrEqual((line ?? "").length + 1);
    expect(one.length).toBeGreaterThanOrEqual(1);
  }
  expect(scenario !== undefined).toBe(!diagnostics.some((one) => one.severity === "error"));
  expect(formatDiagnostics(diagnostics, text, set).split("\n").length).toBeGreaterThanOrEqual(
    Math.min(50, diagnostics.length),
  );
}

/** Bits of YAML and of the language, so that chance gets somewhere. */
const bits = fc.constantFrom(
  "\n", "  ", "- ", ": ", "{ ", " }", "[", "]", ", ", "&a ", "*a", "? ", "!!str ", "'", '"', "#", "|", ">", "---\n", "\t", "~", "null",
  "name", "lasts: 1h\n", "handsets:\n", "  clinic: ", "phone: ", '"+2507880{0000}"', "count: 3", "people:\n", "story:\n", "  - at: 5m\n",
  "    power: ", "of: clinic", "for: 5m", "traffic:\n", "rate: 1/s", "expect:\n", "lost == 0", "csv: a.csv", "pick: ", "__proto__: ", "constructor: ",
  "\u0000", "\ud800", "🚑", "é", "\u2028", "\r", "%YAML 1.1\n",
); // prettier-ignore

describe("the parser accepts any text without throwing", () => {
  it("random texts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => check(text)),
      { numRuns: runs(25) },
    );
  });

  it("random bits of scenarios", () => {
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (parts) => check(parts.join(""))),
      { numRuns: runs(25) },
    );
  });

  it("sound scenarios with a piece cut out, put in or written twice", () => {
    const piece = fc.record({
      text: fc.constantFrom(...soundTexts),
      at: fc.nat(),
      length: fc.nat(30),
      put: fc.oneof(bits, fc.string({ maxLength: 5 })),
    });
    fc.assert(
      fc.property(piece, ({ text, at, length, put }) => {
        const start = at % text.length;
        check(text.slice(0, start) + put + text.slice(start + length));
        check(text.slice(0, start + length) + text.slice(start));
      }),
      { numRuns: runs(25) },
    );
  });

  it("sound scenarios with one value replaced", () => {
    const values = [
      "",
      "~",
      "[]",
      "{}",
      "[[]]",
      "{ a: { b: c } }",
      "-1",
      "1e400",
      "1..2",
      "..",
      "5m..",
      "%",
      "/(/",
      "/a/g",
      "clinic/",
      "null",
      "true",
      '"\\u0000"',
      "999999999999999999999",
      "{ pick: [] }",
      "{ exp: 0s }",
      "{ weighted: {} }",
      "{ fake: 1 }",
      "{ csv: x }",
      "*gone",
    ];
    const change = fc.record({ text: fc.constantFrom(...soundTexts), at: fc.nat(), value: fc.constantFrom(...values) });
    fc.assert(
      fc.property(change, ({ text, at, value }) => {
        const places = [...text.matchAll(/(?<=: )[^\s{},[\]#][^,}\]\n]*/g)];
        const place = places[at % places.length];
        if (place === undefined) throw new Error("no values");
        check(text.slice(0, place.index) + value + text.slice(place.index + place[0].length));
      }),
      { numRuns: runs(25) },
    );
  });

  it("random --set arguments", () => {
    const path = fc.array(
      fc.constantFrom(
        "handsets",
        "clinic",
        "count",
        "traffic",
        "0",
        "1",
        "story",
        "receiver",
        "service",
        "profile",
        "__proto__",
        "constructor",
        "",
        "-1",
      ),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...soundTexts), path, fc.oneof(bits, fc.string()), (text, keys, value) => {
        check(text, [`${keys.join(".")}=${value}`]);
        check(text, [value]);
      }),
      { numRuns: runs(25) },
    );
  });

  it("brackets without end, a huge list, a long line", () => {
    check("[".repeat(100_000));
    check("{a: ".repeat(20_000));
    check(`lasts: 1h\nstory:\n${"  - { at: 5m, note: }\n".repeat(3000)}`);
    check(`name: ${"x".repeat(1_000_000)}\nlasts: 0s\n`);
  });

  it("the same text gives the same scenario", () => {
    for (const text of soundTexts) {
      const read = (): unknown => parseScenario(text, { file: "same.yaml", nowMs: 5 });
      expect(read()).toEqual(read());
    }
  });
});
