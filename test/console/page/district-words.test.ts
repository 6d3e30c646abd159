import { expect, it } from "vitest";
import type { VillageState } from "../../../src/console/page/district/village-state.js";
import { villageStateOf } from "../../../src/console/page/district/village-state.js";
import {
  headlineOf,
  type NamedVillage,
  receiverMark,
  type ReceiverState,
  troubleOf,
  villageSentence,
} from "../../../src/console/page/district/words.js";
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
const fails = (cause?: string): ReceiverState => ({ is: "failing", cause });
const said = (
  villages: readonly NamedVillage[],
  receiver: ReceiverState = { is: "fine" },
  isPlain = false,
  retrying = 4,
): string => {
  const { text, detail } = headlineOf({ villages, receiver, retrying }, isPlain);
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
  expect(said([well, ...dark], { is: "fine" }, true)).not.toContain("report");
});

it("names a lost network, an alarm and a storm as what they are", () => {
  const silent = named("Mill", stateOf([{ flags: isOn | hasMains, network: 0 }]));
  expect(said([well, silent])).toBe("Mill has no network");
  expect(said([well, named("Mill", stateOf([{ flags: isOn | hasMains | hasAlarm, network: 5 }]))])).toBe(
    "Alarm in Mill",
  );
  expect(said([well, named("Mill", stateOf([fine]), 312)])).toBe("Mill sends everything at once. 312 texts");
});

it("names a receiver that fails, and how, before everything else", () => {
  const dark = named("Old Harbour", stateOf([cut]));
  expect(said([well, dark], fails("500"))).toBe("The receiver answers 500. 4 wait for another try");
  expect(said([well], fails("Timed out"))).toBe("The receiver fails: Timed out. 4 wait for another try");
  expect(said([well], fails("No connection"), false, 1)).toBe(
    "The receiver fails: No connection. 1 waits for another try",
  );
  expect(said([well], fails(), false, 0)).toBe("The receiver fails");
  expect(said([well], fails("500"), true)).toBe("The application is down. 4 are sent again later");
  expect([fails("500"), fails("Timed out"), fails()].map(receiverMark)).toEqual([
    "Fails: 500",
    "Fails: Timed out",
    "Fails",
  ]);
});

it("names the period by which it judges the receiver of the past", () => {
  const past = { failed: 22, period: "from 17:30 to 17:40" };
  const failed: ReceiverState = { is: "failing", cause: undefined, past };
  expect(said([well], failed)).toBe("The receiver failed 22 attempts. from 17:30 to 17:40; 4 wait for another try");
  expect(said([well], failed, true, 0)).toBe("The application was down. from 17:30 to 17:40");
  expect(receiverMark(failed)).toBe("22 attempts failed");
});

it("accuses no receiver that is fine, unknown or missing", () => {
  for (const is of ["fine", "unknown", "none"] as const) {
    expect(said([well], { is })).toBe("All villages are connected");
    expect(receiverMark({ is })).toBeUndefined();
  }
});

it("has a sentence for each village", () => {
  expect(villageSentence(named("Old Harbour", stateOf([cut, { ...cut, flags: isOn | isPowerCut | hasAlarm }])))).toBe(
    "Old Harbour: 2 phones, no power, no network, 24 waiting, 1 alarm, phones: 2 offline",
  );
});
