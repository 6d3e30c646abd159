import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { partsOf, segmentsOf } from "../../src/wire/index.js";

describe("segments", () => {
  it.each([
    ["", 0, 1],
    ["a", 160, 1],
    ["a", 161, 2],
    ["a", 306, 2],
    ["a", 307, 3],
    ["a", 459, 3],
    ["a", 460, 4],
  ])("GSM-7: %o × %i", (character, times, count) => {
    expect(segmentsOf(character.repeat(times))).toEqual({ encoding: "GSM-7", units: times, count });
  });

  it.each([
    ["д", 70, 1],
    ["д", 71, 2],
    ["д", 134, 2],
    ["д", 135, 3],
    ["ł", 201, 3],
    ["ł", 202, 4],
  ])("UCS-2: %o × %i", (character, times, count) => {
    expect(segmentsOf(character.repeat(times))).toEqual({ encoding: "UCS-2", units: times, count });
  });

  it.each("^{}\\[~]|€\f".split(""))("extension character %o counts two", (character) => {
    expect(segmentsOf(character.repeat(80))).toEqual({ encoding: "GSM-7", units: 160, count: 1 });
    expect(segmentsOf(character.repeat(81))).toEqual({ encoding: "GSM-7", units: 162, count: 2 });
  });

  it.each("@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ ¤ÄÖÑÜ§¿äöñüà¡".split(""))("%o is one septet", (character) => {
    expect(segmentsOf(character)).toEqual({ encoding: "GSM-7", units: 1, count: 1 });
  });

  it.each(["ç", "á", "`", "’", "\t", "ع", "字", "\u20ad"])("%o makes the whole text UCS-2", (character) => {
    expect(segmentsOf("a".repeat(69) + character)).toEqual({ encoding: "UCS-2", units: 70, count: 1 });
    expect(segmentsOf("a".repeat(70) + character)).toEqual({ encoding: "UCS-2", units: 71, count: 2 });
  });

  it("never cuts an escape pair: a part stays one septet short", () => {
    expect(segmentsOf("€".repeat(152))).toMatchObject({ units: 304, count: 2 });
    expect(segmentsOf("€".repeat(153))).toMatchObject({ units: 306, count: 3 });
    expect(segmentsOf("a".repeat(152) + "€" + "a".repeat(151))).toMatchObject({ units: 305, count: 2 });
    expect(segmentsOf("a".repeat(152) + "€" + "a".repeat(152))).toMatchObject({ units: 306, count: 3 });
    expect(segmentsOf("a".repeat(151) + "€" + "a".repeat(153))).toMatchObject({ units: 306, count: 2 });
  });

  it("never cuts a surrogate pair: 33 emoji a part", () => {
    expect(segmentsOf("😀".repeat(35))).toMatchObject({ encoding: "UCS-2", units: 70, count: 1 });
    expect(segmentsOf("😀".repeat(36))).toMatchObject({ units: 72, count: 2 });
    expect(segmentsOf("😀".repeat(66))).toMatchObject({ units: 132, count: 2 });
    expect(segmentsOf("😀".repeat(67))).toMatchObject({ units: 134, count: 3 });
    expect(segmentsOf("д" + "😀".repeat(66) + "д")).toMatchObject({ units: 134, count: 2 });
  });

  it("takes half a surrogate pair for a unit of its own", () => {
    expect(segmentsOf("\ud83d".repeat(134))).toMatchObject({ encoding: "UCS-2", units: 134, count: 2 });
    expect(segmentsOf("\ude00\ud83d".repeat(67))).toMatchObject({ units: 134, count: 2 });
  });

  it("loses at most one unit a part", () => {
    const characters = fc.constantFrom("a", "é", "€", "~", "д", "😀", "\ud83d");
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 700 }), (all) => {
        const { encoding, units, count } = segmentsOf(all.join(""));
        const parts = partsOf(all.join(""));
        expect(parts.join("")).toBe(all.join(""));
        expect(parts).toHaveLength(count);
        const { alone, part } = encoding === "GSM-7" ? { alone: 160, part: 153 } : { alone: 70, part: 67 };
        if (units <= alone) expect(count).toBe(1);
        else {
          expect(count).toBeGreaterThanOrEqual(Math.ceil(units / part));
          expect(count).toBeLessThanOrEqual(Math.ceil(units / (part - 1)));
        }
      }),
    );
  });
});
