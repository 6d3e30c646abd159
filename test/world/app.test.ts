import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import type { Fault, Profile } from "../../src/world/index.js";
import {
  clinic,
  exact,
  farmer,
  farmerPhone,
  hour,
  minute,
  oneClinic,
  second,
  text,
  textsReported,
  type WorldRig,
} from "../support/world-rig.js";

const modern: readonly Fault[] = ["callbacks-lost", "stale-after-reboot", "unopened-after-reboot"];

function rigWith(faults: readonly Fault[] = [], changes: Partial<Profile> = {}): WorldRig {
  return oneClinic({ profile: exact(changes, "plain", faults) });
}

const call = { verb: "call", by: "person", people: farmer, handsets: clinic, rings: fixed(5 * second) } as const;

function closes(rig: WorldRig): void {
  expect([rig.gap("texts"), rig.gap("calls")]).toEqual([0, 0]);
}

describe("kill", () => {
  it("stops polls and observers; texts and calls wait on the phone until somebody opens the app", () => {
    const rig = rigWith([], { pollEveryMs: 10 * minute });
    rig.at(minute, { verb: "kill", of: clinic });
    const before = rig.syncs.length;
    rig.at(2 * minute, text("one"));
    rig.at(3 * minute, text("two"));
    rig.at(4 * minute, call);
    rig.until(5 * hour);
    expect(rig.syncs).toHaveLength(before);
    expect(rig.world.inspectHandset(1)).toMatchObject({ isRunning: false, isOpened: false, blockedBy: "app-stopped" });
    expect(rig.world.census()).toEqual({ texts: 2, calls: 1 });
    rig.at(5 * hour, { verb: "open", of: clinic });
    rig.until(6 * hour);
    expect(textsReported(rig)).toEqual(["two", "one"]);
    expect(rig.reportsOf("mo_miss")).toHaveLength(1);
    expect(rig.syncs.length).toBeGreaterThan(before + 5);
    closes(rig);
  });

  it("for: somebody opens it then, unless it was opened and killed again meanwhile", () => {
    const rig = rigWith();
    rig.at(minute, { verb: "kill", of: clinic, forMs: hour });
    rig.at(10 * minute, { verb: "open", of: clinic });
    rig.at(20 * minute, { verb: "kill", of: clinic, forMs: 2 * hour });
    rig.until(90 * minute);
    expect(rig.world.inspectHandset(1).isRunning).toBe(false);
    rig.until(3 * hour);
    expect(rig.world.inspectHandset(1).isRunning).toBe(true);
  });

  it("a push starts the process: an old app works again", () => {
    const rig = rigWith();
    rig.at(minute, { verb: "kill", of: clinic });
    rig.at(2 * minute, text("hello"));
    rig.at(hour, { verb: "battery", of: clinic, level: 50 });
    rig.send(1, farmerPhone, "well?");
    rig.until(2 * hour);
    expect(textsReported(rig)).toEqual(["hello"]);
    expect(rig.heard).toHaveLength(1);
    closes(rig);
  });

  it("a push starts the process: since 2018 it syncs stale values, and reads and sends nothing until it is opened", () => {
    const rig = rigWith(modern);
    rig.at(minute, { verb: "kill", of: clinic });
    rig.at(2 * minute, text("hello"));
    rig.at(hour, { verb: "battery", of: clinic, level: 50 });
    rig.send(1, farmerPhone, "well?");
    rig.until(2 * hour);
    expect(rig.syncs.at(-1)?.body.status.powerLevel).toBe(80);
    expect([textsReported(rig), rig.heard]).toEqual([[], []]);
    expect(rig.world.inspectHandset(1)).toMatchObject({ isRunning: true, isOpened: false, blockedBy: "unopened" });
    rig.at(2 * hour, { verb: "open", of: clinic });
    rig.until(3 * hour);
    expect([textsReported(rig), rig.heard.length]).toEqual([["hello"], 1]);
    expect(rig.syncs.at(-1)?.body.status.powerLevel).toBe(75); // an hour on mains later
    closes(rig);
  });

  it.each([
    { faults: modern, pending: 1, status: "Q", sent: [] },
    { faults: [], pending: 0, status: "S", sent: ["mt_sent"] },
  ] as const)("the radio's callback is lost with callbacks-lost ($faults.length faults)", (wanted) => {
    const rig = rigWith(wanted.faults);
    const id = rig.send(1, farmerPhone, "hello"); // at the radio from 1.2 s to 3.2 s
    rig.at(2 * second, { verb: "kill", of: clinic, forMs: hour });
    rig.until(2 * hour);
    expect(rig.heard).toHaveLength(1);
    expect(rig.world.deviceStatus(1).pending).toHaveLength(wanted.pending);
    expect(rig.statusOf(id)).toBe(wanted.status);
    expect(rig.reportsOf("mt_sent").map(({ report }) => report.type)).toEqual(wanted.sent);
    closes(rig);
  });

  it("a request under way never arrives, or its answer is lost", () => {
    const rig = rigWith([], { latency: { ...exact().latency, LTE: fixed(10 * second) } });
    rig.at(minute, text("hello")); // reaches the phone 2 s later; its sync arrives at 72 s
    rig.at(minute + 5 * second, { verb: "kill", of: clinic, forMs: hour });
    rig.until(30 * minute);
    expect(rig.syncs).toHaveLength(0);
    rig.at(3 * hour, text("again"));
    rig.at(3 * hour + 15 * second, { verb: "kill", of: clinic, forMs: hour });
    rig.until(6 * hour);
    expect(textsReported(rig)).toEqual(["hello", "again", "again"]);
    expect(rig.tally.copies).toEqual(new Map([["texts app-stopped", 1]]));
    closes(rig);
  });
});

describe("crash and upgrade", () => {
  it("crash: the app starts again by itself", () => {
    const rig = rigWith();
    rig.at(minute, { verb: "crash", of: clinic, downMs: 10 * minute });
    rig.at(2 * minute, text("hello"));
    rig.until(10 * minute);
    expect(textsReported(rig)).toEqual([]);
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["hello"]);
  });

  it("crash without down: only a push or its user starts it", () => {
    const rig = rigWith();
    rig.at(minute, { verb: "crash", of: clinic });
    rig.at(2 * minute, text("hello"));
    rig.until(10 * hour);
    expect(textsReported(rig)).toEqual([]);
  });

  it("upgrade: the tally of the send limit is forgotten", () => {
    const sentBy = (isUpgraded: boolean): number => {
      const rig = rigWith([], { packs: 1, packLimit: 5, packWindowMs: hour });
      for (let one = 0; one < 20; one++) rig.send(1, farmerPhone, `${one}`);
      rig.until(20 * minute);
      if (isUpgraded) rig.at(20 * minute, { verb: "upgrade", of: clinic, downMs: 30 * second });
      rig.until(40 * minute);
      closes(rig);
      return rig.heard.length;
    };
    expect([sentBy(false), sentBy(true)]).toEqual([5, 10]);
  });
});

describe("doze", () => {
  it("polls and reports wait for maintenance windows; its end lets them go", () => {
    const rig = rigWith([], { pollEveryMs: 10 * minute, dozeEveryMs: hour });
    rig.at(minute, { verb: "doze", of: clinic, forMs: 150 * minute });
    const before = rig.syncs.length;
    rig.at(5 * minute, text("hello"));
    rig.until(hour);
    expect(rig.syncs).toHaveLength(before);
    expect(rig.world.inspectHandset(1)).toMatchObject({ conditions: { dozing: true }, sync: { putOffBy: "dozing" } });
    rig.until(160 * minute);
    const times = rig.syncs.slice(before).map(({ atMs }) => Math.floor(atMs / minute));
    expect(times.slice(0, 3)).toEqual([61, 121, 151]);
    expect(textsReported(rig)).toEqual(["hello"]);
    closes(rig);
  });

  it("a push comes through: its messages go out, and their reports wait", () => {
    const rig = rigWith([], { dozeEveryMs: hour });
    rig.at(minute, { verb: "doze", of: clinic });
    rig.send(1, farmerPhone, "one");
    rig.send(1, farmerPhone, "two");
    rig.until(10 * minute);
    expect(rig.heard).toHaveLength(2);
    expect(rig.reportsOf("mt_sent")).toEqual([]);
    rig.until(2 * hour);
    expect(rig.reportsOf("mt_sent").map(({ atMs }) => Math.floor(atMs / minute))).toEqual([61, 61]);
  });

  it("retries wait for a window", () => {
    const rig = rigWith([], { dozeEveryMs: hour });
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit", forMs: 30 * second });
    rig.at(0, { verb: "doze", of: clinic });
    rig.send(1, farmerPhone, "hello");
    rig.until(59 * minute);
    expect(rig.heard).toEqual([]);
    rig.until(61 * minute);
    expect(rig.heard).toHaveLength(1);
  });
});

describe("a lost permission", () => {
  it("sms: the app pauses itself; texts that arrive are lost by a cause of their own", () => {
    const rig = rigWith([], { pollEveryMs: 10 * minute });
    rig.at(minute, { verb: "permission", of: clinic, what: "sms", isGranted: false, forMs: hour });
    const before = rig.syncs.length;
    rig.at(2 * minute, text("hello"));
    rig.until(hour);
    expect(rig.world.inspectHandset(1)).toMatchObject({ blockedBy: "no-permission" });
    expect(rig.syncs).toHaveLength(before);
    rig.until(2 * hour);
    expect(rig.syncs.length).toBeGreaterThan(before);
    expect([...rig.tally.losses]).toEqual([["texts no-permission", 1]]);
    closes(rig);
  });

  it("calls: the log is read again with the first call after it is granted", () => {
    const rig = rigWith();
    rig.at(minute, { verb: "permission", of: clinic, what: "calls", isGranted: false });
    rig.at(2 * minute, call);
    rig.at(3 * minute, text("hello"));
    rig.until(hour);
    expect([rig.reportsOf("mo_miss").length, textsReported(rig)]).toEqual([0, ["hello"]]);
    rig.at(hour, { verb: "permission", of: clinic, what: "calls", isGranted: true });
    rig.at(2 * hour, call);
    rig.until(3 * hour);
    expect(rig.reportsOf("mo_miss")).toHaveLength(2);
    closes(rig);
  });
});
