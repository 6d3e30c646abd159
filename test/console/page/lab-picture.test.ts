import { beforeEach, expect, it } from "vitest";
import { handsetFlags, type LogEntry, type SnapshotFrame, type StoryView } from "../../../src/console/index.js";
import { LabPicture, msToRepeat } from "../../../src/console/page/connection/lab-picture.js";
import {
  clock,
  fleet,
  lab,
  labNumber,
  liveLog,
  LOG_MAX,
  logSkipped,
  openAlarms,
  points,
  POINTS_MAX,
  totals,
} from "../../../src/console/page/connection/state.js";

let picture = new LabPicture();

beforeEach(() => {
  picture = new LabPicture();
  lab.value = undefined;
  clock.value = undefined;
});

it("shows a snapshot and the deltas after it", () => {
  expect(picture.resume).toBeUndefined();
  expect(picture.applyFrame(snapshotOf({ frame: 4 }))).toBe(true);
  picture.writeSignals();
  expect(fleet.value?.count).toBe(3);
  expect([...(fleet.value?.columns.battery ?? [])]).toEqual([90, 80, 70]);
  expect(fleet.value?.changed).toBeUndefined();
  const version = fleet.value?.version ?? 0;

  expect(picture.applyFrame(deltaOf(5, { fleet: [[2, 15, 1, 6, 4, 0, 0, 9, 9, 60]] }))).toBe(true);
  expect(
    picture.applyFrame(deltaOf(6, { fleet: [[3, 69, 3, 6, 0, 0, 0, 1, 1, 61]], log: [note("one")], logSkipped: 7 })),
  ).toBe(true);
  expect(clock.value?.nowMs).toBe(4000);
  picture.writeSignals();
  expect(clock.value?.nowMs).toBe(6000);
  expect([...(fleet.value?.columns.battery ?? [])]).toEqual([90, 15, 69]);
  expect(fleet.value?.columns.pending[1]).toBe(4);
  expect(fleet.value?.changed).toEqual([2, 3]);
  expect(fleet.value?.version).toBe(version + 1);
  expect(liveLog.value.map((entry) => entry.kind === "note" && entry.text)).toEqual(["one"]);
  expect(logSkipped.value).toBe(7);
  expect(picture.resume).toEqual({ session: "a", frame: 6 });
});

it("leaves the fleet as it is when no handset changed", () => {
  picture.applyFrame(snapshotOf({}));
  picture.writeSignals();
  const before = fleet.value;
  picture.applyFrame(deltaOf(1, { totals: { ...snapshotOf({}).totals, events: 12 } }));
  picture.writeSignals();
  expect(fleet.value).toBe(before);
  expect(totals.value?.events).toBe(12);
});

it("counts alarms that have not cleared, beside all that were raised", () => {
  picture.applyFrame(snapshotOf({}));
  picture.writeSignals();
  expect(openAlarms.value).toBe(0);
  const totals = { ...snapshotOf({}).totals, alarms: 2 };
  picture.applyFrame(deltaOf(1, { totals, fleet: [[2, 15, handsetFlags.hasAlarm, 6, 4, 0, 0, 9, 9, 60]] }));
  picture.writeSignals();
  expect(openAlarms.value).toBe(1);
  picture.applyFrame(deltaOf(2, { fleet: [[2, 15, 1, 6, 4, 0, 0, 9, 9, 60]] }));
  picture.writeSignals();
  expect(openAlarms.value).toBe(0);
});

it("does not take a delta when frames are missing, or without a snapshot", () => {
  expect(picture.applyFrame(deltaOf(1, {}))).toBe(false);
  picture.applyFrame(snapshotOf({ frame: 4 }));
  expect(picture.applyFrame(deltaOf(6, {}))).toBe(false);
  expect(picture.resume?.frame).toBe(4);
  expect(picture.applyFrame(deltaOf(5, {}))).toBe(true);
});

it("forgets everything of before with a snapshot of another session", () => {
  picture.applyFrame(snapshotOf({ frame: 4 }));
  picture.applyFrame(deltaOf(5, { log: [note("old")] }));
  picture.writeSignals();
  const number = labNumber.value;

  picture.applyFrame(deltaOf(6, { log: [note("older")], fleet: [[1, 1, 1, 1, 1, 1, 1, 1, 1, 1]] }));
  const other = snapshotOf({ session: "b", frame: 1, nowMs: 100 });
  picture.applyFrame({
    ...other,
    groups: [{ name: "depot", label: "depot", firstChannel: 1, firstIndex: 0, count: 1 }],
    fleet: fleetOf([50]),
  });
  picture.writeSignals();
  expect(labNumber.value).toBe(number + 1);
  expect(fleet.value?.count).toBe(1);
  expect(fleet.value?.groups[0]?.name).toBe("depot");
  expect([...(fleet.value?.columns.battery ?? [])]).toEqual([50]);
  expect(fleet.value?.changed).toBeUndefined();
  expect(liveLog.value).toEqual([]);
});

it("is the same lab when a later snapshot of it comes after a loss", () => {
  picture.applyFrame(snapshotOf({ frame: 4 }));
  picture.writeSignals();
  const number = labNumber.value;
  picture.applyFrame(snapshotOf({ session: "b", frame: 1, nowMs: 60_000 }));
  picture.writeSignals();
  expect(labNumber.value).toBe(number);
});

it("is another lab when its clock is behind what was taken, whatever the page shows meanwhile", () => {
  picture.applyFrame(snapshotOf({ frame: 4, nowMs: 90_000 }));
  picture.writeSignals();
  const number = labNumber.value;
  // A moment of the past.
  clock.value = { nowMs: 10, speed: 0, isPaused: true, wallMs: 0 };
  picture.applyFrame(snapshotOf({ session: "b", frame: 1, nowMs: 60_000 }));
  picture.applyFrame(deltaOf(2, {}));
  picture.showAll();
  expect(labNumber.value).toBe(number + 1);
});

it("knows how long a repeating scenario still plays, while time passes and nothing jumps", () => {
  const clockAt = (nowMs: number, speed = 60, isPaused = false) => ({ nowMs, speed, isPaused, wallMs: 0 });
  const wait = (now: ReturnType<typeof clockAt>, parts: Partial<StoryView> = {}) =>
    msToRepeat({ clock: now, story: { ...repeating, ...parts } });
  expect(wait(clockAt(3_000_000))).toBe(13_000);
  expect(wait(clockAt(3_000_000, 600))).toBe(4000);
  expect(wait(clockAt(3_660_000), { state: "over" })).toBe(2000);
  expect(wait(clockAt(9_000_000), { state: "over" })).toBe(0);
  expect(wait(clockAt(3_000_000, 60, true))).toBeUndefined();
  expect(wait(clockAt(3_000_000), { isRepeating: false })).toBeUndefined();
  expect(wait(clockAt(3_000_000), { state: "stopped" })).toBeUndefined();
  expect(wait(clockAt(3_000_000), { jump: { beat: null, fromMs: 0, toMs: 1 } })).toBeUndefined();
  expect(wait(clockAt(3_000_000), { lastsMs: null })).toBeUndefined();
});

it("keeps a bounded log and series", () => {
  picture.applyFrame(snapshotOf({ frame: 0 }));
  for (let frame = 1; frame <= 12; frame++) {
    const log = Array.from({ length: 100 }, (_, index) => note(`${frame}.${index}`));
    const point = {
      wallMs: 0,
      atMs: 0,
      events: 0,
      accepted: 0,
      failures: 0,
      p50Ms: null,
      p99Ms: null,
      waitingOnPhones: 0,
    };
    picture.applyFrame(deltaOf(frame, { log, points: Array.from({ length: 60 }, () => ({ ...point, atMs: frame })) }));
  }
  picture.writeSignals();
  expect(liveLog.value).toHaveLength(LOG_MAX);
  expect(liveLog.value.at(-1)).toEqual(note("12.99"));
  expect(points.value).toHaveLength(POINTS_MAX);
  expect(points.value.at(-1)?.atMs).toBe(12);
});

const repeating: StoryView = {
  name: "District",
  file: null,
  about: null,
  lastsMs: 3_600_000,
  state: "playing",
  isRepeating: true,
  refusal: null,
  jump: null,
  beats: [],
  expectations: [],
  notes: [],
};

function snapshotOf({ session = "a", frame = 0, nowMs = 4000 }): SnapshotFrame {
  return {
    kind: "snapshot",
    session,
    frame,
    lab: {
      name: "District",
      version: "1",
      seed: 1,
      mode: "serve",
      startsAtMs: 0,
      lastsMs: null,
      timezone: "UTC",
      receiver: null,
      isBundledReceiver: false,
      database: null,
      people: 0,
      hasClock: true,
      hasPast: false,
    },
    clock: { nowMs, speed: 1, isPaused: false, wallMs: 0 },
    totals: {
      events: 0,
      texts: 0,
      accepted: 0,
      failures: 0,
      inFlight: 0,
      retrying: 0,
      waitingOnPhones: 0,
      alarms: 0,
      lost: 0,
    },
    groups: [{ name: "clinic", label: "clinic", firstChannel: 1, firstIndex: 0, count: 3 }],
    fleet: fleetOf([90, 80, 70]),
    points: [],
    log: [],
  };
}

function deltaOf(frame: number, parts: object) {
  return {
    kind: "delta",
    frame,
    clock: { nowMs: frame * 1000, speed: 1, isPaused: false, wallMs: 0 },
    ...parts,
  } as const;
}

function fleetOf(battery: readonly number[]) {
  const zeros = battery.map(() => 0);
  return {
    battery,
    flags: zeros,
    network: zeros,
    pending: zeros,
    retry: zeros,
    unsynced: zeros,
    events: zeros,
    texts: zeros,
    lastSeenS: zeros,
  };
}

function note(text: string): LogEntry {
  return { kind: "note", atMs: 0, handset: null, text };
}
