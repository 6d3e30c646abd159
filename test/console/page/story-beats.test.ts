import { expect, it } from "vitest";
import { beatsAt, endOf, jumpProgress, placeOf, storyMoment } from "../../../src/console/page/story/beats.js";

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

it("before the first beat nothing is said about the present; then the beat, and whether the clock stands", () => {
  const view = { ...story, name: "A day", state: "playing" as const, jump: null };
  const at = (
    nowMs: number,
    more: Partial<Parameters<typeof storyMoment>[0]> = {},
    isPaused = false,
    isInPast = false,
  ) => {
    const shown = storyMoment({ ...view, ...more }, { nowMs, isPaused, isInPast });
    return shown && `${shown.label}: ${shown.name}`;
  };
  expect(at(0)).toBeUndefined();
  expect(at(0, {}, true)).toBeUndefined();
  expect(at(1500)).toBe("Now: Dawn");
  expect(at(1500, {}, true)).toBe("Paused: Dawn");
  expect(at(1500, {}, true, true)).toBe("Then: Dawn");
  expect(at(0, { jump: { beat: "Rush", fromMs: 0, toMs: 1999 } })).toBe("Going to: Rush");
  expect(at(9000)).toBe("Now: Night");
  expect(at(10_000, { state: "over" })).toBe("Over: A day");
  // The past of a lab that is over has its beats.
  expect(at(1500, { state: "over" }, false, true)).toBe("Then: Dawn");
  expect(at(1500, { state: "stopped" }, true)).toBe("Stopped: A day");
});
