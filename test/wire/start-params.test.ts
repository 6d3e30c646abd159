import fc from "fast-check";
import { expect, it } from "vitest";
import { cutText, normaliseParams, type StartParam } from "../../src/wire/index.js";
import { anyText } from "./arbitraries.js";

it.each([
  [
    { round: 2, ok: true, half: 0.5, text: "x" },
    { round: 2, ok: true, half: 0.5, text: "x" },
  ],
  [
    { "First dose (ml)": 1, "é💧": 2 },
    { First_dose__ml_: 1, __: 2 },
  ],
  [{ "a-b": 1, a_b: 2 }, { a_b: 2 }],
  [{ list: ["a", ["b"], {}] }, { list: { "0": "a", "1": { "0": "b" }, "2": {} } }],
  [["a", null], { "0": "a", "1": "None" }],
  [
    { nothing: null, empty: "" },
    { nothing: "None", empty: "" },
  ],
  ["text", "text"],
  [0, 0],
  [false, false],
  [{}, null],
  [[], null],
  [null, null],
  [undefined, null],
  ["", null],
])("%j is kept as %j", (value, expected) => {
  expect(normaliseParams(value)).toEqual(expected);
});

it("keys and texts are cut between characters", () => {
  const drop = "💧";
  const value = normaliseParams({ ["k".repeat(300)]: drop.repeat(700) });
  expect(value).toEqual({ ["k".repeat(255)]: drop.repeat(640) });
});

it("a key may be __proto__", () => {
  const value = normaliseParams(JSON.parse('{"__proto__": {"admin": true}}'));
  expect(JSON.stringify(value)).toBe('{"__proto__":{"admin":true}}');
  expect((value as Record<string, unknown>)["admin"]).toBeUndefined();
});

it("only the first 256 values are kept", () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`k${index}`, index]));
  expect(Object.keys(normaliseParams(many) as object)).toEqual(Object.keys(many).slice(0, 256));
  expect(countOf(normaliseParams({ first: many, second: many }))).toBe(256);
});

it("depth has a bound", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 200_000; level++) deep = [deep];
  expect(countOf(normaliseParams(deep))).toBe(256);
});

it("normalisation is idempotent", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const once = normaliseParams(value);
      expect(normaliseParams(once)).toEqual(once);
    }),
  );
});

it("a cut text is the beginning of the whole and has no half characters", () => {
  fc.assert(
    fc.property(anyText, fc.nat(50), (text, most) => {
      const cut = cutText(text, most);
      expect(text.startsWith(cut)).toBe(true);
      expect(Array.from(cut)).toEqual(Array.from(text).slice(0, most));
    }),
  );
});

/** Counts nested values; an object counts as one. */
function countOf(value: StartParam | null): number {
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, member) => sum + 1 + countOf(member), 0);
}
