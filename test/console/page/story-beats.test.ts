import { expect, it } from "vitest";
import { beatsAt, endOf, jumpProgress, placeOf } from "../../../src/console/page/story/beats.js";

const story = {
  beats: [
    { name: "Dawn", about: null, atMs: 1000 },
    { name: "Rush", about: "many texts", atMs: 2000 },
    { name: "Night", about: null, atMs: 8000 },
  ],
  lastsMs: 10_000,
};

const statesAt = (nowMs: number): string[] => beatsAt(story, nowMs).map(({ state }) => state);

it("a beat is now from the millisecond before it, where a jump ends, to the next one", () => {
  expect(statesAt(0)).toEqual(["next", "later", "later"]);
  expect(statesAt(999)).toEqual(["now", "next", "later"]);
  expect(statesAt(1998)).toEqual(["now", "next", "later"]);
  expect(statesAt(1999)).toEqual(["past", "now", "next"]);
  expect(statesAt(99_999)).toEqual(["past", "past", "now"]);
});

it("places are shares of the scenario's time", () => {
  expect(beatsAt(story, 0).map(({ place }) => place)).toEqual([0.1, 0.2, 0.8]);
  expect([placeOf(-5, 100), placeOf(500, 100), placeOf(5, 0)]).toEqual([0, 1, 0]);
});

it("a scenario without an end is as long as its beats, at least an hour", () => {
  expect(endOf({ ...story, lastsMs: null })).toBe(3_600_000);
});

it("a jump's progress is between its ends", () => {
  expect([0, 50, 75, 100, 200].map((now) => jumpProgress({ fromMs: 50, toMs: 100 }, now))).toEqual([0, 0, 0.5, 1, 1]);
  expect(jumpProgress({ fromMs: 5, toMs: 5 }, 5)).toBe(1);
});
