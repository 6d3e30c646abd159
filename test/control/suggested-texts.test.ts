import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { suggestedTexts } from "../../src/control/phones/suggested-texts.js";
import { parse } from "../end-to-end/support.js";

const demo = parse(readFileSync("scenarios/demo.yaml", "utf8"));

it("offers what the scenario's people like this one write, and how they answer questions", () => {
  const mill = suggestedTexts(demo, "mill-families/3", "upper-mill/0");
  expect(mill.texts[0]).toBe("fever child 2 days");
  expect(mill.texts).toHaveLength(4);
  // The likely answer first.
  expect(mill.replies).toEqual(["no", "yes", "maybe"]);
});

it("somebody without traffic writes as the people who text the same handsets; somebody unknown has nothing", () => {
  const amina = suggestedTexts(demo, "amina/0", "old-harbour/2");
  expect(amina.texts).toContain("homa mtoto siku 2");
  expect(amina.replies).toEqual(["hapana", "ndiyo", "sijui"]);
  expect(suggestedTexts(demo, "", undefined)).toEqual({ texts: [], replies: [] });
});
