import { expect, it } from "vitest";
import { drawnSteps, shownOf, type WayStep } from "../../../src/console/page/person/way-steps.js";

/** Steps of which `done` are over. */
function stepsOf(done: number): WayStep[] {
  return Array.from({ length: 4 }, (_, at) => ({
    name: `Step ${at}`,
    state: at < done ? "done" : "to-come",
    at: at < done ? "2026-03-04T06:00:00.000Z" : null,
    note: null,
    message: null,
  }));
}

it("a text that is known when the page opens is drawn as it is, and a new one begins with its first step", () => {
  const opened = shownOf(undefined, "first", stepsOf(3));
  expect(opened.shown).toBe(3);
  const sent = shownOf(opened, "second", stepsOf(4));
  expect(sent.shown).toBe(1);
  expect(shownOf({ ...sent, shown: 2 }, "second", stepsOf(4)).shown).toBe(2);
  // A text that is less far than was drawn, as in another moment.
  expect(shownOf({ ...sent, shown: 4 }, "second", stepsOf(2)).shown).toBe(2);
});

it("steps that are done and not drawn yet are under way or to come, without their times", () => {
  const drawn = drawnSteps(stepsOf(4), 2);
  expect(drawn.map(({ state }) => state)).toEqual(["done", "done", "now", "to-come"]);
  expect(drawn.map(({ at }) => at !== null)).toEqual([true, true, false, false]);
  expect(drawnSteps(stepsOf(4), 4).map(({ state }) => state)).toEqual(["done", "done", "done", "done"]);
});
