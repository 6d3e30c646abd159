import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locationTree, parseLocation } from "../../src/expression/index.js";

const tree = locationTree({
  name: "Senegal",
  aliases: ["Sénégal"],
  children: [
    { name: "Dakar", children: [{ name: "Pikine", aliases: ["Pikine Nord"], children: [{ name: "Thiaroye" }] }] },
    { name: "Thiès", children: [{ name: "Mbour" }, { name: "Thiès" }] },
  ],
});

describe("locationTree", () => {
  it("finds names and aliases of a level in any case, below a parent where one is given", () => {
    expect(tree.find(1, "THIÈS")).toEqual(["Senegal > Thiès"]);
    expect(tree.find(2, "thiès")).toEqual(["Senegal > Thiès > Thiès"]);
    expect(tree.find(2, "pikine nord", "Senegal > Dakar")).toEqual(["Senegal > Dakar > Pikine"]);
    expect(tree.find(2, "Pikine", "Senegal > Thiès")).toEqual([]);
    expect(tree.find(0, "sénégal")).toEqual(["Senegal"]);
    expect(tree.find(9, "Dakar")).toEqual([]);
  });

  it("finds a path whatever its spaces and case", () => {
    expect(tree.find(1, " SENEGAL>dakar >  Pikine. ".trim())).toEqual(["Senegal > Dakar > Pikine"]);
    expect(tree.find(1, "Senegal > Pikine")).toEqual([]);
  });
});

describe("parseLocation", () => {
  it("reads a path of any level, with all that is around it", () => {
    expect(parseLocation(tree, "senegal > dakar > pikine > thiaroye")).toEqual({
      state: "Senegal > Dakar",
      district: "Senegal > Dakar > Pikine",
      ward: "Senegal > Dakar > Pikine > Thiaroye",
    });
    expect(parseLocation(tree, "Senegal > Dakar", { level: "ward" })).toEqual({ state: "Senegal > Dakar" });
    expect(parseLocation(tree, "Senegal > Paris")).toBeUndefined();
  });

  it("reads a name of the field's level, below the location of another field", () => {
    expect(parseLocation(tree, "in Dakar, Plateau", { level: "state" })).toEqual({ state: "Senegal > Dakar" });
    expect(parseLocation(tree, "mbour", { level: "district", parent: "Senegal > Thiès" })).toEqual({
      state: "Senegal > Thiès",
      district: "Senegal > Thiès > Mbour",
    });
    expect(parseLocation(tree, "mbour", { level: "district", parent: "Senegal > Dakar" })).toBeUndefined();
    expect(parseLocation(tree, "mbour", { level: "district" })).toBeUndefined();
    expect(parseLocation(tree, "Dakar")).toBeUndefined();
  });

  it("never throws, and takes time proportional to the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(parseLocation(tree, text, { level: "state" })?.state ?? "Senegal > ").toMatch(/^Senegal > /);
      }),
    );
    const started = performance.now();
    for (const part of ["a ", ">", ". ", "!"]) parseLocation(tree, part.repeat(100_000), { level: "state" });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
