import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { WorldInput } from "../../src/world/index.js";
import {
  castOf,
  clinic,
  exact,
  exactClinic,
  farmer,
  farmerPhone,
  handsets,
  hour,
  Lab,
  minute,
  people,
  second,
  text,
  textsTold,
  toldTime,
} from "./loop-back.js";

type Verb<V extends WorldInput["verb"]> = Extract<WorldInput, { verb: V }>;
const all = { group: "clinic", from: 0, to: 3 };

/** When a phone is in some state, looked at each minute: stretches as [from, to) in minutes. */
function stretches(lab: Lab, untilMinute: number, isSo: (lab: Lab) => boolean): [number, number][] {
  const found: [number, number][] = [];
  let since: number | undefined;
  for (let at = 0; at <= untilMinute; at++) {
    lab.until(at * minute);
    const now = at < untilMinute && isSo(lab);
    if (now && since === undefined) since = at;
    if (!now && since !== undefined) {
      found.push([since, at]);
      since = undefined;
    }
  }
  return found;
}

/** Plays steps at minutes that lie between those at which `stretches` looks. */
function schedule(lab: Lab, steps: readonly (readonly [number, WorldInput])[]): void {
  for (const [at, input] of steps) {
    lab.kernel.at(at * minute, (one: WorldInput) => lab.world.apply(one), input, -1);
  }
}

const isOffline = (lab: Lab): boolean => lab.world.deviceStatus(1).networkType === "NONE";
const isOnBattery = (lab: Lab): boolean => lab.world.deviceStatus(1).powerSource === "BAT";

function none(forMinutes?: number): Verb<"network"> {
  return {
    verb: "network",
    of: clinic,
    type: "none",
    ...(forMinutes === undefined ? {} : { forMs: forMinutes * minute }),
  };
}

describe("for", () => {
  it("ends a change: what was in force before is again", () => {
    const lab = exactClinic();
    schedule(lab, [[10, none(40)]]);
    expect(stretches(lab, 120, isOffline)).toEqual([[10, 50]]);
    expect(lab.world.deviceStatus(1).networkType).toBe("LTE");
  });

  it("without it a change stays", () => {
    const lab = exactClinic();
    schedule(lab, [[10, none()]]);
    expect(stretches(lab, 120, isOffline)).toEqual([[10, 120]]);
  });

  it.each([
    {
      name: "the second ends later",
      steps: [
        [10, none(20)],
        [20, none(20)],
      ],
      expected: [[10, 40]],
    },
    {
      name: "the second ends earlier",
      steps: [
        [10, none(40)],
        [20, none(10)],
      ],
      expected: [[10, 50]],
    },
    {
      name: "a lasting change comes between",
      steps: [
        [10, none(40)],
        [20, { ...none(), type: "WIFI" }],
      ],
      expected: [[10, 20]],
    },
    {
      name: "a passing change lies over it",
      steps: [
        [10, none(40)],
        [20, { ...none(10), type: "WIFI" }],
      ],
      expected: [
        [10, 20],
        [30, 50],
      ],
    },
    {
      name: "a passing change outlives it",
      steps: [
        [10, none(40)],
        [20, { ...none(60), type: "WIFI" }],
      ],
      expected: [[10, 20]],
    },
    {
      name: "a lasting change was there before",
      steps: [
        [5, none()],
        [10, { ...none(10), type: "WIFI" }],
      ],
      expected: [
        [5, 10],
        [20, 120],
      ],
    },
    {
      name: "it begins when another ends",
      steps: [
        [10, none(10)],
        [20, none(10)],
      ],
      expected: [[10, 30]],
    },
  ] as { name: string; steps: [number, WorldInput][]; expected: [number, number][] }[])(
    "overlapping: $name",
    ({ steps, expected }) => {
      const lab = exactClinic();
      schedule(lab, steps);
      expect(stretches(lab, 120, isOffline)).toEqual(expected);
    },
  );

  it("overlapping outages of power", () => {
    const lab = exactClinic();
    schedule(lab, [
      [10, { verb: "power", of: clinic, mains: false, forMs: 40 * minute }],
      [30, { verb: "power", of: clinic, mains: false, forMs: 40 * minute }],
    ]);
    expect(stretches(lab, 120, isOnBattery)).toEqual([[10, 70]]);
  });

  it("changes of one kind do not end those of another", () => {
    const lab = exactClinic();
    schedule(lab, [
      [10, none(40)],
      [20, { verb: "airplane", of: clinic, forMs: 10 * minute }],
      [25, { verb: "network", of: clinic, latency: fixed(5), forMs: minute }],
    ]);
    expect(stretches(lab, 120, isOffline)).toEqual([[10, 50]]);
  });
});

describe("verbs", () => {
  it("act on all that the selector names, and on no other", () => {
    const lab = new Lab(castOf({ handsets: [handsets({ count: 4, profile: exact() })] }));
    lab.at(0, { verb: "network", of: { ...all, from: 1, to: 2 }, type: "GPRS" });
    lab.at(0, { verb: "power", of: all, mains: false });
    const states = [1, 2, 3, 4].map((channel) => lab.world.deviceStatus(channel));
    expect(states.map(({ networkType }) => networkType)).toEqual(["LTE", "GPRS", "GPRS", "LTE"]);
    expect(states.map(({ powerSource }) => powerSource)).toEqual(["BAT", "BAT", "BAT", "BAT"]);
  });

  it("text: from each of the people, to the handset at home", () => {
    const lab = new Lab(
      castOf({ handsets: [handsets({ count: 4, profile: exact() })], people: [people({ count: 8, of: all })] }),
    );
    lab.at(minute, { verb: "text", from: { group: "farmers", from: 0, to: 7 }, to: all, body: fixed("hi") });
    lab.until(hour);
    expect(lab.received.map(({ channel }) => channel).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(lab.books.ins).toEqual(new Map([["texts", 8]]));
  });

  it("power: off and on", () => {
    const lab = exactClinic();
    schedule(lab, [
      [10, { verb: "power", of: clinic, mains: false }],
      [20, { verb: "power", of: clinic, mains: true }],
    ]);
    expect(stretches(lab, 60, isOnBattery)).toEqual([[10, 20]]);
  });

  it("battery: a level", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "battery", of: clinic, level: 9 });
    expect(lab.world.deviceStatus(1).powerLevel).toBe(9);
  });

  it.each(["GPRS", "EDGE", "UMTS", "HSPA", "LTE", "WIFI"] as const)("network: %s is reported as such", (type) => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, type });
    lab.at(0, { verb: "sync", of: clinic, now: true });
    lab.until(minute);
    expect(lab.syncs[0]?.body.status.networkType).toBe(type);
  });

  it("network: a latency of its own, for a while", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, latency: fixed(7 * second), forMs: minute });
    lab.at(0, { verb: "sync", of: clinic, now: true });
    lab.at(2 * minute, { verb: "sync", of: clinic, now: true });
    lab.until(hour);
    expect(lab.syncs.map(({ atMs }) => atMs)).toEqual([7 * second, 2 * minute + 100]);
  });

  it("network: a latency beyond the timeout makes every sync fail, though the service has it", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, latency: fixed(70 * second) });
    lab.at(0, text("hello"));
    lab.until(10 * minute);
    lab.at(10 * minute, { verb: "sync", of: clinic, now: true });
    lab.until(20 * minute);
    expect(textsTold(lab)).toEqual(["hello", "hello"]);
    expect(lab.books.copies).toEqual(new Map([["texts lost-response", 1]]));
  });

  it("network: loses a share of syncs, for a while", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, loses: 1, forMs: 10 * minute });
    lab.at(0, text("hello"));
    lab.until(10 * minute);
    expect(lab.world.progress().unsynced).toBe(1);
    lab.at(11 * minute, { verb: "sync", of: clinic, now: true });
    lab.until(12 * minute);
    expect(lab.world.progress().unsynced).toBe(0);
  });

  it("network: none stops data only: texts, calls and sending go on", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(1_500, none(hour / minute));
    lab.at(minute, text("in"));
    lab.at(2 * minute, { verb: "call", by: "person", people: farmer, handsets: clinic, talks: fixed(minute) });
    lab.until(hour);
    expect(lab.heard).toHaveLength(1);
    expect(lab.received).toEqual([]);
    lab.at(2 * hour, { verb: "sync", of: clinic, now: true });
    lab.until(3 * hour);
    expect(lab.statusOf(id)).toBe("S");
    expect(lab.received.map(({ report }) => report.type)).toEqual(["mt_sent", "mt_dlvd", "call", "mo_sms"]);
  });

  it("coverage: sends fail with no-service, data goes on", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "coverage", of: clinic, state: "none", forMs: 10 * minute });
    const id = lab.send(1, farmerPhone, "hello");
    lab.until(5 * minute);
    expect(lab.syncs).toHaveLength(1);
    expect(lab.world.deviceStatus(1).retry).toEqual([id]);
    lab.until(hour);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([1_200 + 13 * minute + 2 * second]); // the sixth try
  });

  it("coverage: gone while the radio works on a text, the try fails", () => {
    const lab = exactClinic();
    lab.send(1, farmerPhone, "hello");
    lab.at(2 * second, { verb: "coverage", of: clinic, state: "none", forMs: 10 * second });
    lab.until(hour);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([3_200 + minute + 2 * second]);
  });

  it("sms-service: for a while", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state: "radio-off", forMs: 90 * second });
    const id = lab.send(1, farmerPhone, "hello");
    lab.until(hour);
    expect(lab.reportsOf("mt_sent").map(toldTime)).toEqual([1_200 + 2 * minute + 2 * second]);
    expect(lab.statusOf(id)).toBe("S");
  });

  it("sync: now, and lost ones counted in times", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sync", of: clinic, loses: "response", times: 2 });
    lab.at(0, text("hello"));
    for (const at of [5, 10, 15]) lab.at(at * minute, { verb: "sync", of: clinic, now: true });
    lab.until(hour);
    expect(lab.syncs.map(({ atMs, body }) => [Math.floor(atMs / minute), body.reports.length])).toEqual([
      [0, 1],
      [5, 1],
      [10, 1],
      [15, 0],
    ]);
  });

  it("airplane: no data, no carrier, no radio; the battery goes on", () => {
    const lab = exactClinic();
    schedule(lab, [[10, { verb: "airplane", of: clinic, forMs: 20 * minute }]]);
    expect(stretches(lab, 60, isOffline)).toEqual([[10, 30]]);
    const off = exactClinic();
    off.at(0, { verb: "airplane", of: clinic, forMs: hour });
    off.at(minute, text("hello"));
    off.at(minute, { verb: "call", by: "person", people: farmer, handsets: clinic });
    off.at(minute, { verb: "sync", of: clinic, now: true });
    off.until(hour);
    expect(off.syncs).toEqual([]);
    expect(off.books.losses).toEqual(new Map([["calls unreachable", 1]]));
    off.until(2 * hour);
    expect(textsTold(off)).toEqual(["hello"]);
  });

  it("pause: no sync, no sending, no relaying; what comes is lost by name", () => {
    const lab = exactClinic({ pollEveryMs: 10 * minute });
    lab.until(11 * minute);
    const before = lab.syncs.length;
    lab.at(11 * minute, { verb: "pause", of: clinic, forMs: hour });
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(20 * minute, text("lost"));
    lab.until(71 * minute - 1);
    expect(lab.syncs).toHaveLength(before);
    expect(lab.books.losses).toEqual(new Map([["texts paused", 1]]));
    lab.until(71 * minute + 100);
    expect(lab.syncs).toHaveLength(before + 1); // un-paused: forced
    lab.at(72 * minute, text("relayed"));
    lab.until(80 * minute);
    expect(textsTold(lab)).toEqual(["relayed"]);
    expect(lab.statusOf(id)).toBe("S");
  });

  it("pause: keeps what was on the phone, and goes on with it", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: minute });
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(30 * second, { verb: "pause", of: clinic, forMs: hour });
    lab.until(hour);
    expect([lab.heard.length, lab.world.deviceStatus(1).retry]).toEqual([0, [id]]);
    lab.until(2 * hour);
    expect([lab.heard.length, lab.statusOf(id)]).toEqual([1, "S"]);
  });

  it("reboot: down for its time, then back with everything", () => {
    const lab = exactClinic();
    lab.at(minute, none(1));
    lab.at(minute, text("kept"));
    lab.at(2 * minute, { verb: "reboot", of: clinic, downMs: 10 * minute });
    schedule(lab, [[5, { verb: "sync", of: clinic, now: true }]]);
    lab.until(12 * minute - 1);
    expect([lab.world.progress().off, lab.syncs.length]).toEqual([1, 0]);
    lab.until(12 * minute + 100);
    expect([lab.world.progress().off, textsTold(lab)]).toEqual([0, ["kept"]]);
  });

  it("reboot: of a phone that is down changes nothing", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "reboot", of: clinic, downMs: 10 * minute });
    lab.at(minute, { verb: "reboot", of: clinic, downMs: hour });
    lab.until(10 * minute);
    expect(lab.world.progress().off).toBe(0);
  });

  it("pause: does not pass over what came before it while there was no link", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    lab.at(minute, text("before"));
    lab.at(5 * minute, { verb: "pause", of: clinic, forMs: 20 * minute });
    lab.at(6 * minute, text("during"));
    lab.until(hour);
    expect(textsTold(lab)).toEqual(["before"]);
    expect(lab.books.losses).toEqual(new Map([["texts paused", 1]]));
  });

  it("reset: does nothing to a phone that is off", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    lab.at(minute, text("kept"));
    lab.at(2 * minute, { verb: "reboot", of: clinic, downMs: 10 * minute });
    lab.at(3 * minute, { verb: "reset", of: clinic, downMs: 0 });
    lab.until(hour);
    expect(textsTold(lab)).toEqual(["kept"]);
    expect(lab.gap("texts")).toBe(0);
  });

  it("reset: empties the table and tells the service; what it offers again goes out", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    lab.at(0, none());
    lab.at(minute, text("lost"));
    lab.at(2 * minute, { verb: "network", of: clinic, type: "LTE" });
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(2 * minute, { verb: "sync", of: clinic, loses: "request", times: 1 });
    lab.until(2 * minute + 30 * second);
    expect(textsTold(lab)).toEqual([]);
    lab.at(4 * minute, { verb: "pause", of: clinic });
    lab.at(5 * minute, { verb: "reset", of: clinic, downMs: 0 });
    expect(lab.books.losses).toEqual(new Map([["texts reset", 1]]));
    expect(lab.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
    expect(lab.world.holds(1, id)).toBe(false);
    lab.until(5 * minute + 100);
    expect(lab.received.map(({ report }) => report.type)).toEqual(["reset"]); // it is un-paused, too
    lab.at(6 * minute, { verb: "sms-service", of: clinic, state: "ok" });
    lab.until(hour);
    expect([lab.statusOf(id), lab.heard.length]).toEqual(["S", 1]);
    expect(lab.gap("texts")).toBe(0);
  });

  it("reset: with a time that it is down", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "reset", of: clinic, downMs: 10 * minute });
    lab.until(10 * minute - 1);
    expect([lab.world.progress().off, lab.received.length]).toEqual([1, 0]);
    lab.until(11 * minute);
    expect(lab.received.map(({ report }) => report.type)).toEqual(["reset"]);
  });

  it("reset: a text that was sent before and is offered again goes out twice", () => {
    const lab = exactClinic();
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(3_250, none(1)); // on air, but not told
    lab.at(5 * minute, { verb: "reset", of: clinic, downMs: 0 });
    lab.until(hour);
    expect([lab.heard.length, lab.statusOf(id)]).toEqual([2, "S"]);
    expect(lab.books.copies).toEqual(new Map([["texts resent", 1]]));
    expect(lab.gap("texts")).toBe(0);
  });
});
