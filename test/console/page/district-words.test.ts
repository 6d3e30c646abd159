import { expect, it } from "vitest";
import type { VillageState } from "../../../src/console/page/district/village-state.js";
import { villageStateOf } from "../../../src/console/page/district/village-state.js";
import { headlineOf, type NamedVillage, troubleOf, villageSentence } from "../../../src/console/page/district/words.js";
import { fleetColumns, type FleetColumn, handsetFlags } from "../../../src/console/index.js";

const { isOn, hasMains, hasAlarm, isPowerCut } = handsetFlags;

/** The state of a village whose phones have these flags and networks. */
function stateOf(phones: readonly { flags: number; network: number; unsynced?: number }[]): VillageState {
  const columns = Object.fromEntries(fleetColumns.map((name) => [name, new Int32Array(phones.length)])) as Record<
    FleetColumn,
    Int32Array
  >;
  for (const [index, { flags, network, unsynced = 0 }] of phones.entries()) {
    columns.flags[index] = flags;
    columns.network[index] = network;
    columns.unsynced[index] = unsynced;
    columns.battery[index] = 80;
  }
  const group = { name: "harbour", label: "Old Harbour", firstChannel: 1, firstIndex: 0, count: phones.length };
  return villageStateOf(group, { groups: [group], count: phones.length, columns, changed: undefined, version: 1 });
}

const fine = { flags: isOn | hasMains, network: 5 };
const cut = { flags: isOn | isPowerCut, network: 0, unsynced: 12 };
const named = (label: string, state: VillageState, storm = 0): NamedVillage => ({ label, state, storm });
const said = (villages: readonly NamedVillage[], trouble?: string, isPlain = false): string => {
  const { text, detail } = headlineOf({ villages, trouble, retrying: 4 }, isPlain);
  return detail === "" ? text : `${text}. ${detail}`;
};
const well = named("Clinic", stateOf([fine, fine]));

it("says that all is well only when it is", () => {
  expect(said([well])).toBe("All villages are connected");
  expect(troubleOf(well.state)).toBeUndefined();
  // One phone of two has a link, so the village is not silent; but it is not said that nothing waits.
  expect(said([well, named("Mill", stateOf([fine, { ...cut, flags: isOn | hasMains, unsynced: 30 }]))])).toBe(
    "Texts wait in Mill. 30 texts and reports wait",
  );
});

it("names the villages without power, and what waits there", () => {
  const dark = [named("Old Harbour", stateOf([cut, cut])), named("Three Wells", stateOf([cut]))];
  expect(said([well, ...dark])).toBe("Old Harbour and Three Wells have no power. 36 texts and reports wait");
  expect(dark.map(({ state }) => troubleOf(state))).toEqual(["No power", "No power"]);
  expect(said([well, ...dark], undefined, true)).not.toContain("report");
});

it("names a lost network, an alarm and a storm as what they are", () => {
  const silent = named("Mill", stateOf([{ flags: isOn | hasMains, network: 0 }]));
  expect(said([well, silent])).toBe("Mill has no network");
  expect(said([well, named("Mill", stateOf([{ flags: isOn | hasMains | hasAlarm, network: 5 }]))])).toBe(
    "Alarm in Mill",
  );
  expect(said([well, named("Mill", stateOf([fine]), 312)])).toBe("Mill sends everything at once. 312 texts");
});

it("names a receiver that fails before everything else", () => {
  const dark = named("Old Harbour", stateOf([cut]));
  expect(said([well, dark], "500")).toBe("The receiver answers 500. 4 wait for another try");
  expect(said([well], "No connection")).toBe("The receiver fails: No connection. 4 wait for another try");
  expect(said([well], "500", true)).toBe("The application is down. 4 are sent again later");
});

it("has a sentence for each village", () => {
  expect(villageSentence(named("Old Harbour", stateOf([cut, { ...cut, flags: isOn | isPowerCut | hasAlarm }])))).toBe(
    "Old Harbour: 2 phones, no power, no network, 24 waiting, 1 alarm, phones: 2 offline",
  );
});
