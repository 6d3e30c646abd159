import { expect, it } from "vitest";
import { arrivalsOf, type WayStep } from "../../../src/console/page/person/way-steps.js";

/** Steps of which `done` are over. */
function stepsOf(done: number): WayStep[] {
  return Array.from({ length: 4 }, (_, at) => ({
    name: `Step ${at}`,
    state: at < done ? "done" : "to-come",
    at: null,
    note: null,
    message: null,
  }));
}

it("steps that are done at once arrive one after another, each once", () => {
  const opened = arrivalsOf(undefined, "first", stepsOf(3));
  expect(opened.places).toEqual([]);
  const sent = arrivalsOf(opened, "second", stepsOf(1));
  expect(sent.places).toEqual([0, undefined, undefined, undefined]);
  const answered = arrivalsOf(sent, "second", stepsOf(4));
  expect(answered.places).toEqual([0, 0, 1, 2]);
  expect(arrivalsOf(answered, "second", stepsOf(4)).places).toEqual([0, 0, 1, 2]);
});
