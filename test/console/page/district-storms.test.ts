import { expect, it } from "vitest";
import { Storms } from "../../../src/console/page/district/storms.js";
import type { VillageState } from "../../../src/console/page/district/village-state.js";

const fine: VillageState = { phones: 8, hasPower: true, hasLink: true, waiting: 0, alarms: 0, texts: 0, counts: [] };
const silent = (waiting: number): VillageState => ({ ...fine, hasLink: false, waiting });
const quiet = { rate: 0, count: 0 };

it("is a village that sends at once what waited while it had no link", () => {
  const storms = new Storms();
  storms.takeStates([silent(60), fine], 0);
  expect(storms.counts([quiet, quiet], 0)).toEqual([0, 0]);
  storms.takeStates([fine, fine], 250);
  expect(storms.counts([{ rate: 50, count: 60 }, quiet], 250)).toEqual([60, 0]);
  // Its words stay for a moment, with the texts that still come.
  expect(storms.counts([{ rate: 20, count: 72 }, quiet], 2000)).toEqual([72, 0]);
  expect(storms.counts([quiet, quiet], 6000)).toEqual([72, 0]);
  expect(storms.counts([quiet, quiet], 8000)).toEqual([0, 0]);
});

it("is not said of much traffic, of a village that nobody wrote to, or of one that returned long ago", () => {
  const many = { rate: 400, count: 900 };
  const storms = new Storms();
  storms.takeStates([fine, silent(3), silent(60)], 0);
  storms.takeStates([fine, fine, fine], 250);
  expect(storms.counts([many, many, quiet], 500)).toEqual([0, 0, 0]);
  expect(storms.counts([many, many, many], 60_000)).toEqual([0, 0, 0]);
});

it("is not said after what was forgotten, such as another moment", () => {
  const storms = new Storms();
  storms.takeStates([silent(60)], 0);
  storms.clear();
  storms.takeStates([fine], 250);
  expect(storms.counts([{ rate: 50, count: 60 }], 250)).toEqual([0]);
});
