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
  WorldRig,
  minute,
  people,
  second,
  reportedTime,
} from "../support/world-rig.js";

type Call = Extract<WorldInput, { verb: "call" }>;

function call(by: Call["by"], how: Pick<Call, "rings" | "talks"> = {}): Call {
  return { verb: "call", by, people: farmer, handsets: clinic, ...how };
}

const rings = fixed(25 * second);
const talks = fixed(3 * minute);

function reported(rig: WorldRig): unknown[] {
  return rig.received.map((one) => {
    const { report } = one;
    if (report.type !== "call") throw new Error(report.type);
    return [report.call, report.phone, reportedTime(one), report.durationS, one.atMs];
  });
}

describe("calls", () => {
  it.each([
    { by: "person", how: { talks }, type: "mo_call", durationS: 180, endsMs: 180_000 },
    { by: "person", how: { rings }, type: "mo_miss", durationS: 0, endsMs: 25_000 },
    { by: "handset", how: { talks }, type: "mt_call", durationS: 180, endsMs: 180_000 },
    { by: "handset", how: { rings }, type: "mt_miss", durationS: 0, endsMs: 25_000 },
  ] as const)("by a $by: $type of $durationS s, reported when it ends, with the time it began", (one) => {
    const rig = exactClinic();
    rig.at(minute, call(one.by, one.how));
    rig.until(minute + one.endsMs - 1);
    expect(rig.world.census()).toEqual({ texts: 0, calls: 1 });
    rig.until(hour);
    expect(reported(rig)).toEqual([[one.type, farmerPhone, minute, one.durationS, minute + one.endsMs + 100]]);
    expect(rig.world.census()).toEqual({ texts: 0, calls: 0 });
    expect(rig.tally.ins).toEqual(new Map([["calls", 1]]));
    expect(rig.tally.ends).toEqual(new Map([["calls delivered", 1]]));
  });

  it("are timed by the phone's clock", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs: -5 * minute });
    rig.at(10 * minute, call("person", { talks }));
    rig.until(hour);
    expect(rig.received.map(reportedTime)).toEqual([5 * minute]);
  });

  it("last whole seconds, rounded", () => {
    const rig = exactClinic();
    rig.at(0, call("person", { talks: fixed(61_499) }));
    rig.at(hour, call("person", { talks: fixed(61_500) }));
    rig.until(2 * hour);
    expect(rig.received.map(({ report }) => ("durationS" in report ? report.durationS : NaN))).toEqual([61, 62]);
  });

  it("without rings, talks or picksUp stay unanswered and ring for the profile's time", () => {
    const rig = exactClinic({ rings: fixed(40 * second) });
    rig.at(0, call("person"));
    rig.until(hour);
    expect(reported(rig)).toEqual([["mo_miss", farmerPhone, 0, 0, 40_100]]);
  });

  it.each(["person", "handset"] as const)("by a %s: the other side picks up in its share, and talks", (by) => {
    const rig = new WorldRig(
      castOf({
        handsets: [handsets({ profile: exact({ talks: fixed(minute) }), picksUp: by === "person" ? 0.7 : 0 })],
        people: [people({ picksUp: by === "handset" ? 0.7 : 0 })],
      }),
    );
    for (let one = 0; one < 500; one++) rig.at(one * 2 * minute, call(by));
    rig.until(1001 * minute);
    const answered = rig.reportsOf(by === "person" ? "mo_call" : "mt_call");
    expect(answered.length).toBeGreaterThan(310);
    expect(answered.length).toBeLessThan(390);
    expect(rig.reportsOf(by === "person" ? "mo_miss" : "mt_miss")).toHaveLength(500 - answered.length);
    expect(answered.every(({ report }) => "durationS" in report && report.durationS === 60)).toBe(true);
  });

  it("by people go to the home handset; by a handset go to one of its residents", () => {
    const both = { group: "clinic", from: 0, to: 1 };
    const all = { group: "farmers", from: 0, to: 9 };
    const rig = new WorldRig(
      castOf({ handsets: [handsets({ count: 2, profile: exact() })], people: [people({ of: both })] }),
    );
    for (let one = 0; one < 10; one++) {
      rig.at(one * minute, { verb: "call", by: "person", people: { ...all, from: one, to: one }, handsets: both });
    }
    rig.until(hour);
    expect(rig.reportsOf("mo_miss", 1).map(phoneOf).toSorted()).toEqual([0, 1, 2, 3, 4].map(farmerAt));
    expect(rig.reportsOf("mo_miss", 2).map(phoneOf).toSorted()).toEqual([5, 6, 7, 8, 9].map(farmerAt));
    for (let one = 0; one < 30; one++) {
      rig.at(hour + one * minute, { verb: "call", by: "handset", people: all, handsets: { ...both, from: 1 } });
    }
    rig.until(3 * hour);
    expect(new Set(rig.reportsOf("mt_miss", 2).map(phoneOf))).toEqual(new Set([5, 6, 7, 8, 9].map(farmerAt)));
    expect(rig.reportsOf("mt_miss", 1)).toEqual([]);
  });

  it.each([
    { where: "out of coverage", input: { verb: "coverage", of: clinic, state: "none" } },
    { where: "in airplane mode", input: { verb: "airplane", of: clinic } },
    { where: "off", input: { verb: "reboot", of: clinic, downMs: 10 * minute } },
  ] as const)("with a phone $where fail: no log knows of them", ({ input }) => {
    const rig = exactClinic();
    rig.at(0, input);
    rig.at(minute, call("person", { talks }));
    rig.at(minute, call("handset", { rings }));
    rig.until(hour);
    expect(rig.received).toEqual([]);
    expect(rig.tally.losses).toEqual(new Map([["calls unreachable", 2]]));
    expect(rig.gap("calls")).toBe(0);
  });

  it("without a data link are reported when the link returns", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type: "none" });
    rig.at(minute, call("person", { rings }));
    rig.at(hour, { verb: "network", of: clinic, type: "LTE" });
    rig.at(2 * hour, { verb: "sync", of: clinic, now: true });
    rig.until(3 * hour);
    expect(rig.received.map(reportedTime)).toEqual([minute]);
  });

  it("ended by a switch-off are lost", () => {
    const rig = exactClinic();
    rig.at(0, call("person", { talks }));
    rig.at(minute, { verb: "reboot", of: clinic, downMs: second });
    rig.until(hour);
    expect(rig.received).toEqual([]);
    expect(rig.tally.losses).toEqual(new Map([["calls switched-off", 1]]));
  });
});

describe("the line of a handset", () => {
  const person = (member: number, how: Pick<Call, "rings" | "talks" | "ends">): Call => ({
    ...call("person", how),
    people: { ...farmer, from: member, to: member },
  });

  it("is busy while somebody talks or it rings: no phone logs the second call", () => {
    const rig = exactClinic();
    rig.at(0, person(0, { talks }));
    rig.at(minute, person(1, { rings }));
    rig.at(2 * minute, call("handset", { talks }));
    rig.at(3 * minute, person(2, { rings }));
    rig.at(3 * minute + 10 * second, person(3, { talks }));
    rig.at(4 * minute, person(4, { rings }));
    rig.until(hour);
    expect(rig.received.map(({ report }) => [typeOf({ report }), phoneOf({ report })])).toEqual([
      ["mo_call", farmerAt(0)],
      ["mo_miss", farmerAt(2)],
      ["mo_miss", farmerAt(4)],
    ]);
    expect(rig.tally.losses).toEqual(new Map([["calls busy", 3]]));
    expect(rig.gap("calls")).toBe(0);
  });

  it("is free again when the phone restarts in the middle of a call", () => {
    const rig = exactClinic();
    rig.at(0, person(0, { talks: fixed(hour) }));
    rig.at(minute, { verb: "reboot", of: clinic, downMs: minute });
    rig.at(10 * minute, person(1, { talks }));
    rig.until(2 * hour);
    expect(rig.received.map(phoneOf)).toEqual([farmerAt(1)]);
    expect(rig.tally.losses).toEqual(new Map([["calls switched-off", 1]]));
  });

  describe("with call waiting", () => {
    const waiting = { callWaiting: true, rings: fixed(30 * second) };

    it("lets one caller wait, who is answered after the first; a third hears busy", () => {
      const rig = exactClinic(waiting);
      rig.at(0, person(0, { talks: fixed(minute) }));
      rig.at(40 * second, person(1, { talks: fixed(2 * minute) }));
      rig.at(41 * second, person(2, { talks }));
      rig.until(41 * second);
      expect(rig.world.inspectHandset(1).calls.ongoing).toMatchObject([
        { call: "mo_call", isWaiting: false },
        { call: "mo_miss", isWaiting: true, endsAtMs: 70 * second },
      ]);
      rig.until(hour);
      expect(reported(rig)).toEqual([
        ["mo_call", farmerAt(0), 0, 60, minute + 100],
        ["mo_call", farmerAt(1), 40 * second, 120, 3 * minute + 100],
      ]);
      expect(rig.tally.losses).toEqual(new Map([["calls busy", 1]]));
      expect(rig.gap("calls")).toBe(0);
    });

    it("a caller whom nobody answers is missed", () => {
      const rig = exactClinic(waiting);
      rig.at(0, person(0, { talks }));
      rig.at(minute, person(1, { talks }));
      rig.until(hour);
      expect(reported(rig)).toEqual([
        ["mo_miss", farmerAt(1), minute, 0, 90_100],
        ["mo_call", farmerAt(0), 0, 180, 3 * minute + 100],
      ]);
    });

    it("a phone that only rings is busy", () => {
      const rig = exactClinic(waiting);
      rig.at(0, person(0, { rings }));
      rig.at(10 * second, person(1, { talks }));
      rig.until(hour);
      expect(rig.tally.losses).toEqual(new Map([["calls busy", 1]]));
    });
  });
});

describe("a call that is neither answered nor missed", () => {
  it("is reported as unk at once when it is blocked: the phone does not ring", () => {
    const rig = exactClinic();
    rig.at(minute, { ...call("person"), ends: "blocked" });
    rig.until(hour);
    expect(reported(rig)).toEqual([["unk", farmerPhone, minute, 0, minute + 100]]);
  });
});

describe("the owner of a phone", () => {
  it("has read the call log: after a restart the newest call is not reported again", () => {
    const rig = new WorldRig(
      castOf({ handsets: [handsets({ profile: exact({}, "plain", ["call-log-repeats"]) })], people: [people()] }),
    );
    rig.at(0, call("person", { rings }));
    rig.at(10 * minute, { verb: "call-log", of: clinic, state: "read" });
    rig.at(20 * minute, { verb: "reboot", of: clinic, downMs: minute });
    rig.until(hour);
    expect(rig.received).toHaveLength(1);
  });
});

function typeOf({ report }: { readonly report: object }): string {
  return "call" in report && typeof report.call === "string" ? report.call : "";
}

function phoneOf({ report }: { readonly report: object }): string {
  return "phone" in report && typeof report.phone === "string" ? report.phone : "";
}

function farmerAt(member: number): string {
  return `+25078110000${member}`;
}
