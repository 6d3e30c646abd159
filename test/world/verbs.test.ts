import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import { networkTypes, type WorldInput } from "../../src/world/index.js";
import {
  castOf,
  clinic,
  exact,
  exactClinic,
  farmer,
  farmerPhone,
  handsets,
  hour,
  WorldRig,
  minute,
  oneClinic,
  people,
  second,
  text,
  textsReported,
  reportedTime,
} from "../support/world-rig.js";

type Verb<V extends WorldInput["verb"]> = Extract<WorldInput, { verb: V }>;
const all = { group: "clinic", from: 0, to: 3 };

/** When a phone is in some state, sampled each minute: ranges as [from, to) in minutes. */
function stretches(rig: WorldRig, untilMinute: number, isSo: (rig: WorldRig) => boolean): [number, number][] {
  const found: [number, number][] = [];
  let since: number | undefined;
  for (let at = 0; at <= untilMinute; at++) {
    rig.until(at * minute);
    const now = at < untilMinute && isSo(rig);
    if (now && since === undefined) since = at;
    if (!now && since !== undefined) {
      found.push([since, at]);
      since = undefined;
    }
  }
  return found;
}

/** Plays steps at minutes that lie between those at which `stretches` looks. */
function schedule(rig: WorldRig, steps: readonly (readonly [number, WorldInput])[]): void {
  for (const [at, input] of steps) {
    rig.kernel.at(at * minute, (one: WorldInput) => rig.world.apply(one), input, -1);
  }
}

const isOffline = (rig: WorldRig): boolean => rig.world.deviceStatus(1).networkType === "NONE";
const isOnBattery = (rig: WorldRig): boolean => rig.world.deviceStatus(1).powerSource === "BAT";

function none(forMinutes?: number): Verb<"network"> {
  return {
    verb: "network",
    of: clinic,
    type: "none",
    ...(forMinutes === undefined ? {} : { forMs: forMinutes * minute }),
  };
}

describe("for", () => {
  it("ends a change: the value before it applies again", () => {
    const rig = exactClinic();
    schedule(rig, [[10, none(40)]]);
    expect(stretches(rig, 120, isOffline)).toEqual([[10, 50]]);
    expect(rig.world.deviceStatus(1).networkType).toBe("LTE");
  });

  it("without it a change stays", () => {
    const rig = exactClinic();
    schedule(rig, [[10, none()]]);
    expect(stretches(rig, 120, isOffline)).toEqual([[10, 120]]);
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
      const rig = exactClinic();
      schedule(rig, steps);
      expect(stretches(rig, 120, isOffline)).toEqual(expected);
    },
  );

  it("overlapping outages of power", () => {
    const rig = exactClinic();
    schedule(rig, [
      [10, { verb: "power", of: clinic, mains: false, forMs: 40 * minute }],
      [30, { verb: "power", of: clinic, mains: false, forMs: 40 * minute }],
    ]);
    expect(stretches(rig, 120, isOnBattery)).toEqual([[10, 70]]);
  });

  it("a mast that is down takes mobile data and coverage, and leaves mains and Wi-Fi", () => {
    const rig = exactClinic();
    rig.at(10 * minute, { verb: "mast", of: clinic, state: "on", downMs: 40 * minute });
    rig.at(20 * minute, text("in the outage"));
    rig.until(30 * minute);
    const { conditions, unreachableBecause, blockedBy } = rig.world.inspectHandset(1);
    expect([conditions.mastDown, conditions.network, unreachableBecause, blockedBy]).toEqual([
      true,
      "LTE",
      "no-coverage",
      "no-network",
    ]);
    expect(rig.reportsOf("mo_sms")).toEqual([]);
    rig.at(31 * minute, { verb: "network", of: clinic, type: "WIFI" });
    rig.until(32 * minute);
    expect(rig.world.inspectHandset(1).blockedBy).toBeNull();
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["in the outage"]);
    expect(rig.gap("texts")).toBe(0);
  });

  /** A power cut, by default of 40 minutes; null: until it is ended. */
  const cut = (forMinutes: number | null = 40, state: "on" | "off" = "on"): WorldInput => ({
    verb: "power-cut",
    of: clinic,
    state,
    ...(forMinutes !== null && { forMs: forMinutes * minute }),
  });
  const mains = (isOn: boolean, forMinutes?: number): WorldInput => ({
    verb: "power",
    of: clinic,
    mains: isOn,
    ...(forMinutes !== undefined && { forMs: forMinutes * minute }),
  });

  it.each([
    {
      name: "alone",
      steps: [[10, cut()]],
      offline: [[10, 50]],
      onBattery: [[10, 50]],
    },
    {
      name: "until another step ends it",
      steps: [
        [10, cut(null)],
        [30, cut(null, "off")],
      ],
      offline: [[10, 30]],
      onBattery: [[10, 30]],
    },
    {
      name: "overlaps another that ends later",
      steps: [
        [10, cut()],
        [30, cut()],
      ],
      offline: [[10, 70]],
      onBattery: [[10, 70]],
    },
    {
      name: "overlaps another that ends earlier",
      steps: [
        [10, cut()],
        [20, cut(10)],
      ],
      offline: [[10, 50]],
      onBattery: [[10, 50]],
    },
    {
      name: "the network was none before",
      steps: [
        [5, none()],
        [10, cut()],
      ],
      offline: [[5, 120]],
      onBattery: [[10, 50]],
    },
    {
      name: "an outage of the network ends during it",
      steps: [
        [5, none(20)],
        [10, cut()],
      ],
      offline: [[5, 50]],
      onBattery: [[10, 50]],
    },
    {
      name: "an outage of the network outlives it",
      steps: [
        [20, none(60)],
        [10, cut()],
      ],
      offline: [[10, 80]],
      onBattery: [[10, 50]],
    },
    {
      name: "the network changes during it",
      steps: [
        [10, cut()],
        [20, { ...none(), type: "WIFI" }],
      ],
      offline: [[10, 50]],
      onBattery: [[10, 50]],
      after: "WIFI",
    },
    {
      name: "the network goes for good during it",
      steps: [
        [10, cut()],
        [20, none()],
      ],
      offline: [[10, 120]],
      onBattery: [[10, 50]],
    },
    {
      name: "the mains were off before",
      steps: [
        [5, mains(false)],
        [10, cut()],
      ],
      offline: [[10, 50]],
      onBattery: [[5, 120]],
    },
    {
      name: "the mains change during it",
      steps: [
        [10, cut()],
        [20, mains(true)],
        [30, mains(false, 40)],
      ],
      offline: [[10, 50]],
      onBattery: [[10, 70]],
    },
  ] as {
    name: string;
    steps: [number, WorldInput][];
    offline: [number, number][];
    onBattery: [number, number][];
    after?: string;
  }[])("power cut: $name", ({ steps, offline, onBattery, after }) => {
    const rigs = [exactClinic(), exactClinic()] as const;
    for (const rig of rigs) schedule(rig, steps);
    expect(stretches(rigs[0], 120, isOffline)).toEqual(offline);
    expect(stretches(rigs[1], 120, isOnBattery)).toEqual(onBattery);
    if (after !== undefined) expect(rigs[0].world.deviceStatus(1).networkType).toBe(after);
  });

  it("changes of one kind do not end those of another", () => {
    const rig = exactClinic();
    schedule(rig, [
      [10, none(40)],
      [20, { verb: "airplane", of: clinic, forMs: 10 * minute }],
      [25, { verb: "network", of: clinic, latency: fixed(5), forMs: minute }],
    ]);
    expect(stretches(rig, 120, isOffline)).toEqual([[10, 50]]);
  });
});

describe("verbs", () => {
  it("act on exactly the selected handsets", () => {
    const rig = new WorldRig(castOf({ handsets: [handsets({ count: 4, profile: exact() })] }));
    rig.at(0, { verb: "network", of: { ...all, from: 1, to: 2 }, type: "GPRS" });
    rig.at(0, { verb: "power", of: all, mains: false });
    const states = [1, 2, 3, 4].map((channel) => rig.world.deviceStatus(channel));
    expect(states.map(({ networkType }) => networkType)).toEqual(["LTE", "GPRS", "GPRS", "LTE"]);
    expect(states.map(({ powerSource }) => powerSource)).toEqual(["BAT", "BAT", "BAT", "BAT"]);
  });

  it("text: from each of the people, to the handset at home", () => {
    const rig = new WorldRig(
      castOf({ handsets: [handsets({ count: 4, profile: exact() })], people: [people({ count: 8, of: all })] }),
    );
    rig.at(minute, { verb: "text", from: { group: "farmers", from: 0, to: 7 }, to: all, body: fixed("hi") });
    rig.until(hour);
    expect(rig.received.map(({ channel }) => channel).toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 4]);
    expect(rig.tally.ins).toEqual(new Map([["texts", 8]]));
  });

  it("power: off and on", () => {
    const rig = exactClinic();
    schedule(rig, [
      [10, { verb: "power", of: clinic, mains: false }],
      [20, { verb: "power", of: clinic, mains: true }],
    ]);
    expect(stretches(rig, 60, isOnBattery)).toEqual([[10, 20]]);
  });

  it("battery: a level", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "battery", of: clinic, level: 9 });
    expect(rig.world.deviceStatus(1).powerLevel).toBe(9);
  });

  it.each(networkTypes.filter((type) => type !== "none"))("network: %s is reported as such", (type) => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type });
    rig.at(0, { verb: "sync", of: clinic, now: true });
    rig.until(minute);
    expect(rig.syncs[0]?.body.status.networkType).toBe(type);
  });

  it("network: a latency, for a time", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, latency: fixed(7 * second), forMs: minute });
    rig.at(0, { verb: "sync", of: clinic, now: true });
    rig.at(2 * minute, { verb: "sync", of: clinic, now: true });
    rig.until(hour);
    expect(rig.syncs.map(({ atMs }) => atMs)).toEqual([7 * second, 2 * minute + 100]);
  });

  it("network: a latency beyond the timeout makes every sync fail although the service gets it", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, latency: fixed(70 * second) });
    rig.at(0, text("hello"));
    rig.until(10 * minute);
    rig.at(10 * minute, { verb: "sync", of: clinic, now: true });
    rig.until(20 * minute);
    expect(textsReported(rig)).toEqual(["hello", "hello"]);
    expect(rig.tally.copies).toEqual(new Map([["texts sync-timeout", 1]]));
  });

  it("network: loses a share of syncs, for a time", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, loses: 1, forMs: 10 * minute });
    rig.at(0, text("hello"));
    rig.until(10 * minute);
    expect(rig.world.progress().unsynced).toBe(1);
    rig.at(11 * minute, { verb: "sync", of: clinic, now: true });
    rig.until(12 * minute);
    expect(rig.world.progress().unsynced).toBe(0);
  });

  it("network: none stops data only: texts, calls and sending continue", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(1_500, none(hour / minute));
    rig.at(minute, text("in"));
    rig.at(2 * minute, { verb: "call", by: "person", people: farmer, handsets: clinic, talks: fixed(minute) });
    rig.until(hour);
    expect(rig.heard).toHaveLength(1);
    expect(rig.received).toEqual([]);
    rig.at(2 * hour, { verb: "sync", of: clinic, now: true });
    rig.until(3 * hour);
    expect(rig.statusOf(id)).toBe("S");
    expect(rig.received.map(({ report }) => report.type)).toEqual(["mt_sent", "mt_dlvd", "call", "mo_sms"]);
  });

  it("coverage: sends fail with no-service, data continues", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: 10 * minute });
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(5 * minute);
    expect(rig.syncs).toHaveLength(1);
    expect(rig.world.deviceStatus(1).retry).toEqual([id]);
    rig.until(hour);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([1_200 + 13 * minute + 2 * second]); // the sixth try
  });

  it("coverage: gone while the radio works on a text, the try fails", () => {
    const rig = exactClinic();
    rig.send(1, farmerPhone, "hello");
    rig.at(2 * second, { verb: "coverage", of: clinic, state: "none", forMs: 10 * second });
    rig.until(hour);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([3_200 + minute + 2 * second]);
  });

  it("sms-service: for a time", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state: "radio-off", forMs: 90 * second });
    const id = rig.send(1, farmerPhone, "hello");
    rig.until(hour);
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([1_200 + 2 * minute + 2 * second]);
    expect(rig.statusOf(id)).toBe("S");
  });

  it("sync: now, and lost ones counted in times", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sync", of: clinic, loses: "response", times: 2 });
    rig.at(0, text("hello"));
    for (const at of [5, 10, 15]) rig.at(at * minute, { verb: "sync", of: clinic, now: true });
    rig.until(hour);
    expect(rig.syncs.map(({ atMs, body }) => [Math.floor(atMs / minute), body.reports.length])).toEqual([
      [0, 1],
      [5, 1],
      [10, 1],
      [15, 0],
    ]);
  });

  it("airplane: no data, no carrier, no radio; the battery continues", () => {
    const rig = exactClinic();
    schedule(rig, [[10, { verb: "airplane", of: clinic, forMs: 20 * minute }]]);
    expect(stretches(rig, 60, isOffline)).toEqual([[10, 30]]);
    const off = exactClinic();
    off.at(0, { verb: "airplane", of: clinic, forMs: hour });
    off.at(minute, text("hello"));
    off.at(minute, { verb: "call", by: "person", people: farmer, handsets: clinic });
    off.at(minute, { verb: "sync", of: clinic, now: true });
    off.until(hour);
    expect(off.syncs).toEqual([]);
    expect(off.tally.losses).toEqual(new Map([["calls unreachable", 1]]));
    off.until(2 * hour);
    expect(textsReported(off)).toEqual(["hello"]);
  });

  it("airplane: off ends it, and ends one with a time early", () => {
    const rig = exactClinic();
    schedule(rig, [
      [10, { verb: "airplane", of: clinic }],
      [20, { verb: "airplane", of: clinic, state: "off" }],
      [30, { verb: "airplane", of: clinic, forMs: 20 * minute }],
      [40, { verb: "airplane", of: clinic, state: "off" }],
    ]);
    expect(stretches(rig, 60, isOffline)).toEqual([
      [10, 20],
      [30, 40],
    ]);
  });

  it("pause: off ends it with a sync", () => {
    const rig = exactClinic({ pollEveryMs: hour });
    rig.at(minute, { verb: "pause", of: clinic });
    rig.until(10 * minute);
    const before = rig.syncs.length;
    rig.at(10 * minute, { verb: "pause", of: clinic, state: "off" });
    rig.until(11 * minute);
    expect(rig.syncs).toHaveLength(before + 1);
  });

  it("pause: no sync, no sending, no relaying; incoming texts are lost under that cause", () => {
    const rig = exactClinic({ pollEveryMs: 10 * minute });
    rig.until(11 * minute);
    const before = rig.syncs.length;
    rig.at(11 * minute, { verb: "pause", of: clinic, forMs: hour });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(20 * minute, text("lost"));
    rig.until(71 * minute - 1);
    expect(rig.syncs).toHaveLength(before);
    expect(rig.tally.losses).toEqual(new Map([["texts paused", 1]]));
    rig.until(71 * minute + 100);
    expect(rig.syncs).toHaveLength(before + 1); // the pause has ended: forced
    rig.at(72 * minute, text("relayed"));
    rig.until(80 * minute);
    expect(textsReported(rig)).toEqual(["relayed"]);
    expect(rig.statusOf(id)).toBe("S");
  });

  it("pause: keeps what was on the phone and continues with it", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: minute });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(30 * second, { verb: "pause", of: clinic, forMs: hour });
    rig.until(hour);
    expect([rig.heard.length, rig.world.deviceStatus(1).retry]).toEqual([0, [id]]);
    rig.until(2 * hour);
    expect([rig.heard.length, rig.statusOf(id)]).toEqual([1, "S"]);
  });

  it("reboot: down for its time, then back with everything", () => {
    const rig = exactClinic();
    rig.at(minute, none(1));
    rig.at(minute, text("kept"));
    rig.at(2 * minute, { verb: "reboot", of: clinic, downMs: 10 * minute });
    schedule(rig, [[5, { verb: "sync", of: clinic, now: true }]]);
    rig.until(12 * minute - 1);
    expect([rig.world.progress().off, rig.syncs.length]).toEqual([1, 0]);
    rig.until(12 * minute + 100);
    expect([rig.world.progress().off, textsReported(rig)]).toEqual([0, ["kept"]]);
  });

  it("reboot: of a phone that is down changes nothing", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "reboot", of: clinic, downMs: 10 * minute });
    rig.at(minute, { verb: "reboot", of: clinic, downMs: hour });
    rig.until(10 * minute);
    expect(rig.world.progress().off).toBe(0);
  });

  it("pause: does not lose texts that came before it without a link", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    rig.at(minute, text("before"));
    rig.at(5 * minute, { verb: "pause", of: clinic, forMs: 20 * minute });
    rig.at(6 * minute, text("during"));
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["before"]);
    expect(rig.tally.losses).toEqual(new Map([["texts paused", 1]]));
  });

  it("reset: does nothing to a phone that is off", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    rig.at(minute, text("kept"));
    rig.at(2 * minute, { verb: "reboot", of: clinic, downMs: 10 * minute });
    rig.at(3 * minute, { verb: "reset", of: clinic, downMs: 0 });
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["kept"]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("reset: empties the table and reports it; messages offered again are sent", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    rig.at(0, none());
    rig.at(minute, text("lost"));
    rig.at(2 * minute, { verb: "network", of: clinic, type: "LTE" });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(2 * minute, { verb: "sync", of: clinic, loses: "request", times: 1 });
    rig.until(2 * minute + 30 * second);
    expect(textsReported(rig)).toEqual([]);
    rig.at(4 * minute, { verb: "pause", of: clinic });
    rig.at(5 * minute, { verb: "reset", of: clinic, downMs: 0 });
    expect(rig.tally.losses).toEqual(new Map([["texts reset", 1]]));
    expect(rig.world.deviceStatus(1)).toMatchObject({ pending: [], retry: [] });
    expect(rig.world.holds(1, id)).toBe(false);
    rig.until(5 * minute + 100);
    expect(rig.received.map(({ report }) => report.type)).toEqual(["reset"]); // the reset ended the pause
    rig.at(6 * minute, { verb: "sms-service", of: clinic, state: "ok" });
    rig.until(hour);
    expect([rig.statusOf(id), rig.heard.length]).toEqual(["S", 1]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("reset: with a time down", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "reset", of: clinic, downMs: 10 * minute });
    rig.until(10 * minute - 1);
    expect([rig.world.progress().off, rig.received.length]).toEqual([1, 0]);
    rig.until(11 * minute);
    expect(rig.received.map(({ report }) => report.type)).toEqual(["reset"]);
  });

  it("reset: a text that was sent before and is offered again goes out twice", () => {
    const rig = exactClinic();
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(3_250, none(1)); // on air, but not reported
    rig.at(5 * minute, { verb: "reset", of: clinic, downMs: 0 });
    rig.until(hour);
    expect([rig.heard.length, rig.statusOf(id)]).toEqual([2, "S"]);
    expect(rig.tally.copies).toEqual(new Map([["texts resent", 1]]));
    expect(rig.gap("texts")).toBe(0);
  });
});

describe("a clock that is wrong for a time", () => {
  /** How far the clock of the only phone is ahead, and when that ends. */
  const clockOf = (rig: ReturnType<typeof exactClinic>): [skewMs: number, endsAtMs: number | undefined] => {
    const { skewMs, endsAtMs } = rig.world.inspectHandset(1);
    return [skewMs, endsAtMs.skewMs];
  };

  it("is then as far off as before", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs: -5 * minute });
    rig.until(hour - 1);
    expect(clockOf(rig)).toEqual([-5 * minute, undefined]);
    rig.at(hour, { verb: "clock", of: clinic, skewMs: 3 * hour, forMs: 2 * hour });
    rig.until(2 * hour);
    expect(clockOf(rig)).toEqual([3 * hour, 3 * hour]);
    rig.until(3 * hour);
    expect(clockOf(rig)).toEqual([-5 * minute, undefined]);
  });

  it("has its syncs refused in that time only", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs: -20_516 * 24 * hour, forMs: hour });
    rig.at(minute, text("hello"));
    rig.until(hour - 1);
    expect(rig.received).toEqual([]);
    rig.at(hour, { verb: "sync", of: clinic, now: true });
    rig.until(2 * hour);
    expect(textsReported(rig)).toEqual(["hello"]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("stays right if somebody sets it right meanwhile", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs: 20 * minute });
    rig.at(minute, { verb: "clock", of: clinic, skewMs: 3 * hour, forMs: hour });
    rig.at(2 * minute, { verb: "clock", of: clinic, skewMs: 0 });
    rig.until(3 * minute);
    expect(clockOf(rig)).toEqual([0, undefined]);
    rig.until(2 * hour);
    expect(clockOf(rig)).toEqual([0, undefined]);
  });
});

describe("a clock that shows 1970", () => {
  const skewMs = -20_516 * 24 * hour;

  it("has every sync refused; when it is right again, the texts come with the time of 1970", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs });
    rig.at(minute, text("hello"));
    rig.until(hour);
    expect(rig.received).toEqual([]);
    expect(rig.syncs.length).toBeGreaterThan(0);
    rig.at(hour, { verb: "clock", of: clinic, skewMs: 0 });
    rig.at(hour, { verb: "sync", of: clinic, now: true });
    rig.until(2 * hour);
    expect(rig.received.map(reportedTime)).toEqual([skewMs + minute + 2 * second]);
    expect(rig.gap("texts")).toBe(0);
  });

  it("with fault inbox-mark loses the texts that are older than the newest one read", () => {
    const rig = oneClinic({ profile: exact({}, "plain", ["inbox-mark"]) });
    rig.at(0, text("before"));
    rig.at(minute, { verb: "clock", of: clinic, skewMs });
    rig.at(2 * minute, text("in 1970"));
    rig.at(3 * minute, { verb: "clock", of: clinic, skewMs: 0 });
    rig.at(4 * minute, text("after"));
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["before", "after"]);
    expect(rig.tally.losses).toEqual(new Map([["texts clock-mark", 1]]));
  });
});
