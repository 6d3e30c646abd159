import { expect, it } from "vitest";
import { arrange, type FleetFacts } from "../../../src/console/page/fleet/arrangement.js";
import {
  type FleetQuery,
  isFiltered,
  isMoving,
  plainQuery,
  readFleetQuery,
  writeFleetQuery,
} from "../../../src/console/page/fleet/fleet-query.js";
import { indexOfName, nameOf, selectorsOf } from "../../../src/console/page/fleet/names.js";
import { fleetColumns, type FleetGroup, handsetStates } from "../../../src/console/protocol/index.js";

const groups: readonly FleetGroup[] = [
  { name: "clinic", label: "clinic", firstChannel: 1, firstIndex: 0, count: 3 },
  { name: "school", label: "school", firstChannel: 4, firstIndex: 20, count: 2 },
];

/** Five handsets: `clinic/0..2` and, of a part of a fleet, `school/20..21`. */
function facts(changes: Partial<Record<(typeof fleetColumns)[number], number[]>> = {}, states: number[] = []) {
  const columns = Object.fromEntries(
    fleetColumns.map((name) => [name, Int32Array.from(changes[name] ?? [0, 0, 0, 0, 0])]),
  );
  const fine = handsetStates.indexOf("fine");
  const worst = Uint8Array.from([0, 1, 2, 3, 4].map((index) => states[index] ?? fine));
  return {
    groups,
    count: 5,
    columns: columns as unknown as FleetFacts["columns"],
    states: worst,
    applying: worst.map((state) => 1 << state),
  };
}

/** `clinic: 0 1 2 | school: 20 21` */
function arranged(given: FleetFacts, change: Partial<FleetQuery>): string {
  const { order, blocks, positions } = arrange(given, { ...plainQuery, ...change });
  order.forEach((index, position) => expect(positions[index]).toBe(position));
  expect([...positions].filter((position) => position !== -1)).toHaveLength(order.length);
  return blocks
    .map(({ label, start, count }) => {
      const names = Array.from(order.slice(start, start + count), (index) => nameOf(groups, index).replace(/.*\//, ""));
      return `${label}: ${names.join(" ")}`;
    })
    .join(" | ");
}

it("groups by group, state, network or not at all", () => {
  expect(arranged(facts(), {})).toBe("clinic: 0 1 2 | school: 20 21");
  expect(arranged(facts(), { by: "none" })).toBe(": 0 1 2 20 21");
  expect(arranged(facts({ network: [5, 0, 5, 0, 6] }), { by: "network" })).toBe(
    "No network: 1 20 | LTE: 0 2 | WIFI: 21",
  );
  expect(arranged(facts({}, [7, 0, 7, 7, 0]), { by: "state" })).toBe("off: 1 21 | fine: 0 2 20");
});

it("sorts within blocks; what is equal stays in the order of names", () => {
  const given = facts({ battery: [50, 20, 50, 90, 10], pending: [0, 3, 0, 1, 0], retry: [2, 0, 0, 0, 0] });
  expect(arranged(given, { sort: "battery" })).toBe("clinic: 1 0 2 | school: 21 20");
  expect(arranged(given, { sort: "battery", isDescending: true, by: "none" })).toBe(": 20 0 2 1 21");
  expect(arranged(given, { sort: "queue", isDescending: true })).toBe("clinic: 1 0 2 | school: 20 21");
  expect(arranged(given, { isDescending: true })).toBe("clinic: 2 1 0 | school: 21 20");
});

it("filters by name, range, state, network, battery and queue", () => {
  const given = facts({ battery: [50, 20, 50, 90, 10], network: [5, 0, 5, 0, 6], unsynced: [0, 0, 7, 0, 0] });
  expect(arranged(given, { name: "SCH" })).toBe("school: 20 21");
  expect(arranged(given, { name: "clinic/1..2" })).toBe("clinic: 1 2");
  expect(arranged(given, { name: "nobody" })).toBe("");
  expect(arranged(given, { networks: [0] })).toBe("clinic: 1 | school: 20");
  expect(arranged(given, { batteryBelow: 50 })).toBe("clinic: 1 | school: 21");
  expect(arranged(given, { queueAbove: 6 })).toBe("clinic: 2");
  const off = facts({}, [0, 7, 7, 7, 7]);
  expect(arranged(off, { states: ["off"] })).toBe("clinic: 0");
  off.applying[0] = 1 | (1 << handsetStates.indexOf("alarm"));
  expect(arranged(off, { states: ["alarm"] })).toBe("clinic: 0");
});

it("a link says what is shown, and nothing else", () => {
  const query: FleetQuery = {
    by: "state",
    sort: "battery",
    isDescending: true,
    level: "table",
    name: "clinic/0..9",
    states: ["off", "low"],
    networks: [0, 5],
    batteryBelow: 30,
    queueAbove: 10,
  };
  const words = writeFleetQuery(query);
  expect(new URLSearchParams(words).toString()).toBe(
    "by=state&sort=-battery&show=table&name=clinic%2F0..9&state=off%2Clow&network=none%2CLTE&below=30&above=10",
  );
  expect(readFleetQuery(new URLSearchParams(words))).toEqual(query);
  expect(writeFleetQuery(plainQuery)).toEqual({});
  expect(readFleetQuery(new URLSearchParams("by=x&sort=y&show=z&state=q&network=q&below=-1&above=1e9"))).toEqual(
    plainQuery,
  );
  expect([isFiltered(query), isFiltered(plainQuery), isMoving(query), isMoving(plainQuery)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it("selects with the fewest selectors", () => {
  const check = (indexes: readonly number[], selectors: readonly string[]): void => {
    expect(selectorsOf(groups, indexes)).toEqual(selectors);
  };
  check([], []);
  check([0, 1, 2], ["clinic"]);
  check([0, 1, 2, 3], ["clinic", "school/20"]);
  check([0, 2], ["clinic/0", "clinic/2"]);
  check([1, 2, 3, 4], ["clinic/1..2", "school/20..21"]);
  expect(indexOfName(groups, "school/21")).toBe(4);
  expect(indexOfName(groups, "school/2")).toBeUndefined();
  expect(nameOf(groups, 9)).toBe("channel 10");
});

it("labels a block by the group's display name, which the search finds, too", () => {
  const named = { ...facts(), groups: groups.map((one) => ({ ...one, label: `Old ${one.name}` })) };
  expect(arrange(named, { ...plainQuery, by: "group" }).blocks.map(({ label }) => label)).toEqual([
    "Old clinic",
    "Old school",
  ]);
  expect([...arrange(named, { ...plainQuery, name: "old sch" }).order]).toEqual([3, 4]);
});
