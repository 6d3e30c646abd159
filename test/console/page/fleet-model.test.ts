import { expect, it } from "vitest";
import { FleetModel, pulse } from "../../../src/console/page/fleet/fleet-model.js";
import { HandsetSelection } from "../../../src/console/page/fleet/selection.js";
import { type FleetColumn, fleetColumns, handsetFlags, handsetStates } from "../../../src/console/protocol/index.js";

const { isOn, hasMains } = handsetFlags;

/** A fleet of `count` fine handsets whose columns a test changes in place, as the stream does. */
function fleetOf(count: number) {
  const columns = Object.fromEntries(fleetColumns.map((name) => [name, new Int32Array(count)])) as Record<
    FleetColumn,
    Int32Array
  >;
  columns.flags.fill(isOn | hasMains);
  columns.network.fill(5);
  columns.battery.fill(90);
  const groups = [{ name: "clinic", label: "clinic", firstChannel: 1, firstIndex: 0, count }];
  let version = 0;
  return {
    columns,
    frame: (changed?: readonly number[]) => ({ groups, count, columns, changed, version: ++version }),
  };
}

function countsOf(model: FleetModel): Record<string, number> {
  return Object.fromEntries(
    handsetStates.flatMap((state, number) => {
      const count = model.counts[number] ?? 0;
      return count === 0 ? [] : [[state, count]];
    }),
  );
}

it("counts states, and again with each change", () => {
  const { columns, frame } = fleetOf(5);
  const model = new FleetModel();
  expect(model.update(frame())).toMatchObject({ isAll: true, count: 5 });
  expect(countsOf(model)).toEqual({ fine: 5 });
  columns.flags[1] = isOn;
  columns.flags[4] = 0;
  const change = model.update(frame([2, 5]));
  expect([change.isAll, change.count, Array.from(change.indexes.slice(0, 2))]).toEqual([false, 2, [1, 4]]);
  expect(countsOf(model)).toEqual({ fine: 3, unplugged: 1, off: 1 });
  expect(model.stateAt(4)).toBe("off");
});

it("counts a handset under each state that applies, so an alarm is not hidden by an offline phone", () => {
  const { columns, frame } = fleetOf(2);
  const model = new FleetModel();
  model.update(frame());
  columns.flags[0] = isOn | handsetFlags.hasAlarm;
  columns.network[0] = 0;
  columns.unsynced[0] = 9;
  model.update(frame([1]));
  expect(countsOf(model)).toEqual({ offline: 1, alarm: 1, queueing: 1, unplugged: 1, fine: 1 });
  expect(model.stateAt(0)).toBe("offline");
  columns.flags[0] = isOn | hasMains;
  columns.network[0] = 5;
  columns.unsynced[0] = 0;
  model.update(frame([1]));
  expect(countsOf(model)).toEqual({ fine: 2 });
});

it("tells texts that have rung in and events that have left, once", () => {
  const { columns, frame } = fleetOf(3);
  columns.texts.fill(7);
  const model = new FleetModel();
  expect([...model.update(frame()).pulses]).toEqual([0, 0, 0]);
  columns.texts[0] = 8;
  columns.events[0] = 1;
  columns.events[2] = 4;
  expect([...model.update(frame([1, 3])).pulses]).toEqual([pulse.text | pulse.event, 0, pulse.event]);
  expect([...model.update(frame([1])).pulses]).toEqual([0, 0, 0]);
});

it("takes all handsets when a frame was missed", () => {
  const { columns, frame } = fleetOf(3);
  const model = new FleetModel();
  model.update(frame());
  columns.flags[0] = 0;
  frame([1]);
  expect(model.update(frame([2])).isAll).toBe(true);
  expect(countsOf(model)).toEqual({ fine: 2, off: 1 });
});

it("a selection is of handsets: toggled, by ranges, and whole blocks in turns", () => {
  let changes = 0;
  const selection = new HandsetSelection(() => (changes += 1));
  selection.resize(10);
  selection.toggle(3);
  selection.select([5, 6, 99], { keep: true });
  expect([...selection.indexes()]).toEqual([3, 5, 6]);
  selection.toggleAll([5, 6, 7]);
  expect(selection.count).toBe(4);
  selection.toggleAll([5, 6, 7]);
  expect([...selection.indexes()]).toEqual([3]);
  selection.select([1], { keep: false });
  expect([selection.has(1), selection.has(3), selection.count]).toEqual([true, false, 1]);
  selection.clear();
  selection.clear();
  expect(changes).toBe(7);
});
