import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundsMs, passLines } from "../../src/study/pass-condition.js";
import { boundOf, quantityOf } from "../../src/study/quantity.js";

const countOf = (group: string): number | undefined => (group === "clinic" ? 400 : undefined);

describe("a quantity", () => {
  it.each([
    ["40", "count", 40, "80"],
    ["2.5", "number", 2.5, "5"],
    ["20/s", "rate", 20, "40/s"],
    ["90/m", "rate", 90, "180/m"],
    ["1h30m", "duration", 5_400_000, "3h"],
    ["25%", "share", 25, "50%"],
    ["10% of clinic", "share", 10, "20% of clinic"],
    ["clinic/0..19", "members", 20, "clinic/0..39"],
    ["clinic/5..9", "members", 5, "clinic/5..14"],
    ["clinic/3", "members", 1, "clinic/3..4"],
    ["clinic", "members", 400, "clinic/0..799"],
  ])("%s is a %s of %s, and twice of it is spelled %s", (text, kind, value, twice) => {
    const quantity = quantityOf(text, countOf);
    expect(quantity).toMatchObject({ kind, value });
    expect(quantity?.spell(quantity.round(value * 2))).toBe(twice);
  });

  it.each(["hello", "5m..40m", "true", "+250788", "market", "-3"])("is not read from %s", (text) => {
    expect(quantityOf(text, countOf)).toBeUndefined();
  });

  it("reads back its spelling, with three digits", () => {
    const written = fc.constantFrom("40", "20/s", "25%", "10% of clinic", "1h30m", "clinic/0..19");
    fc.assert(
      fc.property(written, fc.double({ min: 1, max: 100, noNaN: true }), (text, value) => {
        const quantity = quantityOf(text, countOf);
        const rounded = quantity?.round(value) ?? NaN;
        expect(quantityOf(quantity?.spell(rounded) ?? "", countOf)?.value).toBeCloseTo(rounded, 9);
      }),
    );
  });

  it("rounds shares of a group to whole members", () => {
    const share = quantityOf("10% of clinic", countOf);
    expect(share?.round(10.1)).toBe(10);
    expect(share?.round(0.01)).toBe(0.25);
  });

  it("reads bounds in its spelling, or as a number alone", () => {
    const bound = (like: string, text: string): number | undefined => {
      const quantity = quantityOf(like, countOf);
      return quantity === undefined ? undefined : boundOf(text, quantity);
    };
    expect(bound("20/s", "100/s")).toBe(100);
    expect(bound("20/s", "100")).toBe(100);
    expect(bound("20/s", "100/m")).toBeUndefined();
    expect(bound("10% of clinic", "50%")).toBe(50);
    expect(bound("clinic/0..19", "200")).toBe(200);
    expect(bound("clinic/0..19", "clinic/0..99")).toBe(100);
    expect(bound("40m", "2h")).toBe(7_200_000);
    expect(bound("40m", "50")).toBeUndefined();
    expect(bound("40", "often")).toBeUndefined();
  });
});

describe("a condition to pass", () => {
  it("consists of comparisons joined by `and`", () => {
    expect(passLines("delivery.p99 < 500ms and lost == 0 AND queued == 0")).toEqual([
      "delivery.p99 < 500ms",
      "lost == 0",
      "queued == 0",
    ]);
    expect(passLines(" ")).toEqual([]);
    expect(boundsMs(["delivery.p99 < 500ms", "service.max<2s", "lost == 0"])).toEqual([500, 2000]);
  });
});
