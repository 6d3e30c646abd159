import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Decimal, findNumbers, parseNumber } from "../../src/expression/index.js";

const english = { decimal: ".", grouping: "," };
const spanish = { decimal: ",", grouping: "." };

function numbersIn(text: string, format = english): string[] {
  return Array.from(findNumbers(text, format), (value) => value.toFixed());
}

describe("findNumbers", () => {
  it.each([
    ["I have 3 goats", ["3"]],
    ["3goats", ["3"]],
    ["3-4", ["3", "-4"]],
    ["+7 and - 8", ["7", "8"]],
    ["12,500.50 RWF", ["12500.5"]],
    ["1,2,3", ["123"]],
    [",5,", ["5"]],
    ["v1.2.3", ["1.2", "3"]],
    [".75", ["0.75"]],
    ["is .75", ["0.75"]],
    ["is.75", ["75"]],
    ["-.75", ["-0.75"]],
    ["$.75", []],
    ["75.", ["75"]],
    ["007", ["7"]],
    ["٣٫٥ and ٣.٥", ["3", "5", "3.5"]],
    ["۱۲۳", ["123"]],
    ["২৫ টাকা", ["25"]],
    ["१२", []],
    ["x²", []],
    ["ten", []],
    ["", []],
  ])("of %s", (text, expected) => {
    expect(numbersIn(text)).toEqual(expected);
  });

  it("knows the symbols of an organisation", () => {
    expect(numbersIn("1.234,56 y ,5", spanish)).toEqual(["1234.56", "0.5"]);
    expect(numbersIn("1 234,56", { decimal: ",", grouping: " " })).toEqual(["1234.56"]);
    expect(numbersIn("1'234.5", { decimal: ".", grouping: "'" })).toEqual(["1234.5"]);
  });

  it("leaves out numbers of more than 36 digits", () => {
    expect(numbersIn(`${"9".repeat(36)} ${"9".repeat(37)} ${"9".repeat(5000)}`)).toEqual(["9".repeat(36)]);
    expect(numbersIn(`${"0".repeat(50)}5`)).toEqual(["5"]);
  });

  it("finds each number among words that have none", () => {
    const decimals = fc
      .tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 0, max: 4 }))
      .map(([digits, places]) => new Decimal(digits).div(new Decimal(10).pow(places)));
    fc.assert(
      fc.property(fc.array(decimals), fc.constantFrom(" and ", " ", "; "), (values, between) => {
        const texts = values.map((value) => value.toFixed());
        expect(numbersIn(texts.join(between))).toEqual(texts);
      }),
    );
  });
});

describe("parseNumber", () => {
  it("reads a text that is one number and nothing else", () => {
    expect(parseNumber(" 1,234.50 ", english)?.toFixed()).toBe("1234.5");
    expect(parseNumber("-٢", english)?.toFixed()).toBe("-2");
    for (const text of ["", "-", "1e5", "12 goats", "1.2.3", "5.", "NaN", "Infinity", "0x10"]) {
      expect(parseNumber(text, english)).toBeUndefined();
    }
  });
});

describe("any text", () => {
  it("has numbers of at most 36 digits, found in time proportional to its length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom(english, spanish), (text, format) => {
        for (const value of findNumbers(text, format)) expect(value.precision()).toBeLessThanOrEqual(36);
      }),
    );
    const started = performance.now();
    for (const part of ["1", "1,", "1.", ",", ".", "-", "+.", "1 "]) numbersIn(part.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
