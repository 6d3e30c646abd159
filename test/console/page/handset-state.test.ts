import { expect, it } from "vitest";
import { stateLooks } from "../../../src/console/page/domain/handset-state.js";
import { handsetFlags, handsetStates, stateOf } from "../../../src/console/protocol/index.js";

const { isOn, hasMains, isAirplane, isPaused, hasAlarm } = handsetFlags;
const plugged = { flags: isOn | hasMains, battery: 80, network: 5, pending: 0, retry: 0, unsynced: 0 };

it("a handset's state is the worst that applies", () => {
  expect(stateOf(plugged)).toBe("fine");
  expect(stateOf({ ...plugged, battery: 5 })).toBe("fine");
  expect(stateOf({ ...plugged, flags: isOn })).toBe("unplugged");
  expect(stateOf({ ...plugged, flags: isOn, battery: 24 })).toBe("low");
  expect(stateOf({ ...plugged, flags: isOn, battery: 24, retry: 1 })).toBe("queueing");
  expect(stateOf({ ...plugged, pending: 2, unsynced: 3 })).toBe("queueing");
  expect(stateOf({ ...plugged, flags: plugged.flags | hasAlarm, retry: 1 })).toBe("alarm");
  expect(stateOf({ ...plugged, flags: plugged.flags | hasAlarm | isPaused })).toBe("paused");
  expect(stateOf({ ...plugged, flags: plugged.flags | isPaused, network: 0 })).toBe("offline");
  expect(stateOf({ ...plugged, flags: plugged.flags | isAirplane })).toBe("offline");
  expect(stateOf({ ...plugged, flags: hasAlarm })).toBe("off");
});

it("every state has a word and a shape of its own", () => {
  expect(Object.keys(stateLooks)).toEqual([...handsetStates]);
  const looks = Object.values(stateLooks);
  expect(new Set(looks.map(({ label }) => label)).size).toBe(looks.length);
  expect(new Set(looks.map(({ glyph }) => glyph)).size).toBe(looks.length);
});
