import { batch } from "@preact/signals";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { fleetColumns, type FleetColumn, handsetFlags } from "../../../src/console/index.js";
import { moment } from "../../../src/console/page/connection/moment.js";
import { past, pictureMs } from "../../../src/console/page/connection/past-state.js";
import { clock, fleet, lab, liveLog, points, totals, traffic } from "../../../src/console/page/connection/state.js";
import { awaitsPicture, pictureFacts } from "../../../src/console/page/district/picture-facts.js";
import { TrafficDesk } from "../../../src/console/page/district/traffic-desk.js";
import { headlineOf } from "../../../src/console/page/district/words.js";

const groups = [{ name: "harbour", label: "Old Harbour", firstChannel: 1, firstIndex: 0, count: 2 }];
const minute = 60_000;
let [version, wallMs] = [0, 0];

beforeEach(() => {
  vi.stubGlobal("document", { hidden: false });
  onTestFinished(() => void vi.unstubAllGlobals());
  lab.value = { startsAtMs: 0, timezone: "UTC", receiver: "http://127.0.0.1:1/" } as typeof lab.value;
  moment.value = pictureMs.value = past.value = clock.value = undefined;
  points.value = liveLog.value = traffic.value = [];
  show({ accepted: 0, failures: 0 });
});

/** What a frame of the stream, or a picture of the past, writes. */
function show(now: {
  readonly accepted: number;
  readonly failures: number;
  readonly isCut?: boolean;
  readonly texts?: number;
  readonly atMs?: number;
  readonly passedMs?: number;
}): void {
  const { accepted, failures, isCut = false, texts = 0, atMs = 0, passedMs = 250 } = now;
  const columns = Object.fromEntries(fleetColumns.map((name) => [name, new Int32Array(2)])) as Record<
    FleetColumn,
    Int32Array
  >;
  columns.flags.fill(handsetFlags.isOn | (isCut ? 0 : handsetFlags.hasMains));
  columns.network.fill(isCut ? 0 : 5);
  columns.unsynced.fill(isCut ? 30 : 0);
  batch(() => {
    clock.value = { nowMs: atMs, speed: 60, isPaused: false, wallMs: (wallMs += passedMs) };
    fleet.value = { groups, count: 2, columns, changed: undefined, version: ++version };
    totals.value = { accepted, failures, retrying: failures } as typeof totals.value;
    if (texts > 0) traffic.value = [{ counts: [[1, texts, 0]], sample: [] }];
  });
}

const second = (accepted: number, failures: number) => ({ accepted, failures }) as (typeof points.value)[number];
const says = (): string => headlineOf(pictureFacts([]), false).text;
const receiver = (): string => pictureFacts([]).receiver.is;

it("says nothing of a receiver that was sent nothing, however long, and then what it does", () => {
  expect(receiver()).toBe("unknown");
  lab.value = { ...lab.value, receiver: null } as typeof lab.value;
  expect(receiver()).toBe("none");
  // Few answers in slow seconds, two of them failures: no fault.
  points.value = [second(1, 1), second(0, 0), second(0, 1), second(1, 0)];
  show({ accepted: 2, failures: 2 });
  expect([receiver(), says()]).toEqual(["fine", "All villages are connected"]);
  points.value = [second(0, 3), second(0, 4)];
  liveLog.value = [attempt(503, "retried"), attempt(503, "retried"), attempt(null, "timeout")];
  expect([receiver(), says()]).toEqual(["failing", "The receiver answers 503"]);
  liveLog.value = [attempt(null, "timeout")];
  expect(says()).toBe("The receiver fails: Timed out");
  points.value = [...points.value, second(5, 0), second(5, 0)];
  expect([receiver(), says()]).toEqual(["fine", "All villages are connected"]);
});

it("shows the receiver of the past by the attempts around the moment, never the present one", () => {
  points.value = [second(0, 9)];
  expect(receiver()).toBe("failing");
  past.value = {
    state: "ready",
    receiver: "http://127.0.0.1:1/",
    untilMs: 35 * minute,
    density: { spanMs: 10 * minute, events: [40, 25, 0, 30], failures: [0, 22, 0, 2] },
  } as unknown as typeof past.value;
  moment.value = 5 * minute;
  expect(awaitsPicture()).toBe(true);
  const at = (atMs: number): string => {
    moment.value = pictureMs.value = atMs;
    return receiver();
  };
  expect(at(5 * minute)).toBe("unknown");
  show({ accepted: 30, failures: 0 });
  expect([5, 15, 25, 35].map((minutes) => at(minutes * minute))).toEqual(["fine", "failing", "fine", "fine"]);
  expect(awaitsPicture()).toBe(false);
  at(15 * minute);
  expect(says()).toBe("The receiver failed 22 attempts");
  expect(headlineOf(pictureFacts([]), false).detail).toBe("from 00:10 to 00:20");
  // Until the exact state is there, the picture may be of an earlier moment.
  [moment.value, pictureMs.value] = [15 * minute, 9 * minute];
  expect(receiver()).toBe("fine");
});

function openDesk(): TrafficDesk {
  const desk = new TrafficDesk(() => undefined);
  onTestFinished(desk.open());
  return desk;
}

it("names the storm on return, and what it has sent", () => {
  const desk = openDesk();
  show({ accepted: 9, failures: 0, isCut: true });
  expect(desk.storms.value).toEqual([0]);
  show({ accepted: 9, failures: 0, texts: 60 });
  expect(desk.storms.value).toEqual([60]);
  expect(headlineOf(pictureFacts(desk.storms.value), false)).toEqual({
    tone: "warning",
    text: "Old Harbour sends everything at once",
    detail: "60 texts",
  });
});

it("names no storm after a jump, after a break of the stream, or after a look at the past", () => {
  const after: Readonly<Record<string, () => void>> = {
    jump: () => show({ accepted: 9, failures: 0, texts: 60, atMs: 60 * minute }),
    break: () => show({ accepted: 9, failures: 0, texts: 60, passedMs: 30_000 }),
    past: () => {
      moment.value = pictureMs.value = 0;
      show({ accepted: 0, failures: 0, isCut: true });
      moment.value = pictureMs.value = undefined;
      show({ accepted: 9, failures: 0 });
      show({ accepted: 9, failures: 0, texts: 60 });
    },
  };
  for (const [name, play] of Object.entries(after)) {
    clock.value = undefined;
    const desk = openDesk();
    show({ accepted: 9, failures: 0, isCut: name !== "past" });
    play();
    expect([name, desk.storms.value]).toEqual([name, [0]]);
  }
});

it("empties the picture of what moves when the page looks at the past", () => {
  const desk = openDesk();
  show({ accepted: 9, failures: 0, texts: 40 });
  expect([desk.flow.up(0).count, desk.counted.value]).toEqual([40, [{ texts: 40, messages: 0 }]]);
  moment.value = 0;
  expect([desk.flow.up(0).count, desk.counted.value]).toEqual([0, [{ texts: 0, messages: 0 }]]);
  expect(desk.flow.advance(performance.now())).toBe(false);
});

function attempt(status: number | null, outcome: string): (typeof liveLog.value)[number] {
  return {
    kind: "attempt",
    id: "1/1",
    handset: "harbour/0",
    atMs: 0,
    try: 1,
    status,
    error: null,
    outcome,
    durationMs: 1,
  };
}
