import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findLocations, locationLevels, locationTree } from "../../src/expression/index.js";

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

describe("findLocations", () => {
  const found = (text: string, level: keyof typeof locationLevels, parent?: string): readonly string[] =>
    findLocations(tree, locationLevels[level], text, parent);

  it("tries the whole text, the text without punctuation, each word, then each pair of words", () => {
    expect(found("thiès", "state")).toEqual(["Senegal > Thiès"]);
    expect(found("*Dakar*", "state")).toEqual(["Senegal > Dakar"]);
    expect(found("in Dakar, Plateau", "state")).toEqual(["Senegal > Dakar"]);
    expect(found("at pikine/nord now", "district")).toEqual(["Senegal > Dakar > Pikine"]);
    expect(found("mbour", "district", "Senegal > Dakar")).toEqual([]);
    expect(found("", "state")).toEqual([]);
  });

  it("never throws, and takes time proportional to the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        for (const path of found(text, "state")) expect(path).toMatch(/^Senegal > /);
      }),
    );
    const started = performance.now();
    for (const part of ["a ", ">", ". ", "!"]) found(part.repeat(100_000), "state");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
