import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import {
  clinic,
  exact,
  everyLink,
  exactClinic,
  farmer,
  farmerPhone,
  hour,
  type WorldRig,
  minute,
  oneClinic,
  second,
  text,
  textsReported,
  reportedTime,
} from "../support/world-rig.js";

const slow = fixed(10 * second);
const slowLatency = everyLink(slow);
/** After a boot nobody opens the app, so that it does not poll. */
const unopened = exact({}, "plain", ["unopened-after-reboot"]);
const syncNow = { verb: "sync", of: clinic, now: true } as const;

/**
 * Texts that reach the phone a second apart while the service refuses its clock: reports that are queued in the order
 * in which the texts came. At five minutes the clock is right.
 */
function collect(rig: WorldRig, count: number): void {
  rig.at(0, { verb: "clock", of: clinic, skewMs: -20 * minute });
  for (let one = 1; one <= count; one++) rig.at(one * second, text(`${one}`));
  rig.at(5 * minute, { verb: "clock", of: clinic, skewMs: 0 });
  expect(rig.received).toEqual([]);
  rig.syncs.length = 0;
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
}

function syncTimes(rig: WorldRig): number[] {
  return rig.syncs.map(({ atMs }) => atMs);
}

describe("polls", () => {
  it("plain: every ten minutes, the first within ten", () => {
    const rig = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }) });
    rig.until(3 * hour);
    const [first = NaN] = syncTimes(rig);
    expect(first).toBeLessThan(10 * minute + 100);
    expect(syncTimes(rig)).toEqual(Array.from({ length: 18 }, (_, index) => first + index * 10 * minute));
  });

  it("spread over the interval", () => {
    const rig = oneClinic({ count: 200, profile: exact({ pollEveryMs: 10 * minute }) });
    rig.until(10 * minute + 100);
    expect(rig.syncs).toHaveLength(200);
    for (let quarter = 0; quarter < 4; quarter++) {
      const within = syncTimes(rig).filter((atMs) => Math.floor((atMs - 100) / (2.5 * minute)) === quarter);
      expect(within.length).toBeGreaterThan(25);
    }
  });

  it("2017: each 5 min while quiet, each minute for 15 min after a text and for 90 after the first push", () => {
    const rig = oneClinic({ profile: exact({ pollEveryMs: minute }, "2017") });
    rig.until(hour);
    const quiet = syncTimes(rig);
    expect(quiet.length).toBeGreaterThanOrEqual(11);
    expect(quiet.length).toBeLessThanOrEqual(13);
    rig.at(hour, text("hello"));
    rig.until(1.25 * hour);
    expect(rig.syncs.length - quiet.length).toBeGreaterThanOrEqual(15);
    rig.until(2 * hour);
    const before = rig.syncs.length;
    rig.world.push(1);
    rig.until(3.5 * hour);
    expect(rig.syncs.length - before).toBeGreaterThanOrEqual(90);
    const active = rig.syncs.length;
    rig.until(4.5 * hour);
    expect(rig.syncs.length - active).toBeLessThanOrEqual(13);
  });

  it("without a link: put off until the link is back", () => {
    const rig = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }) });
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: hour });
    rig.until(hour + 10 * second + 99);
    expect(rig.syncs).toEqual([]);
    rig.until(hour + 10 * second + 100);
    expect(rig.syncs).toHaveLength(1);
  });

  it("without a link that nobody misses: the phone syncs when it next has a reason", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: hour });
    rig.at(minute, { verb: "call", by: "person", people: farmer, handsets: clinic, rings: fixed(second) });
    rig.until(2 * hour);
    expect(rig.syncs).toEqual([]);
    rig.at(2 * hour, text("hello"));
    rig.until(3 * hour);
    expect(rig.received.map(({ report }) => report.type)).toEqual(["call", "mo_sms"]);
  });
});

describe("pushes", () => {
  it("wake the phone; pushes under way merge into one", () => {
    const rig = exactClinic();
    for (let one = 0; one < 5; one++) rig.world.push(1);
    rig.until(minute);
    expect(syncTimes(rig)).toEqual([1_100]);
  });

  it("wait for a phone that is off or offline", () => {
    const rig = oneClinic({ profile: unopened });
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: minute });
    rig.world.push(1);
    rig.until(2 * minute);
    expect(syncTimes(rig)).toEqual([minute + 10 * second + 100]);
    rig.at(3 * minute, { verb: "reboot", of: clinic, downMs: minute });
    rig.world.push(1);
    rig.until(hour);
    expect(syncTimes(rig).slice(1)).toEqual([4 * minute + 10 * second + 100]);
  });

  it("are lost in the profile's share", () => {
    const rig = exactClinic({ pushLoses: 0.25 });
    for (let one = 1; one <= 1000; one++) {
      rig.until(one * minute);
      rig.world.push(1);
    }
    rig.until(1001 * minute);
    expect(rig.syncs.length).toBeGreaterThan(700);
    expect(rig.syncs.length).toBeLessThan(800);
  });
});

describe("batches", () => {
  it("of 50, the oldest queued first, one at each trigger", () => {
    const rig = exactClinic();
    collect(rig, 120);
    rig.until(6 * minute);
    expect(rig.syncs).toEqual([]);
    for (const [index, count] of [50, 100, 120].entries()) {
      rig.at((6 + index) * minute, syncNow);
      rig.until((6 + index) * minute + 30 * second);
      expect(textsReported(rig)).toEqual(numbered(1, count));
      expect(rig.syncs).toHaveLength(index + 1);
    }
    expect(rig.world.census()).toEqual({ texts: 0, calls: 0 });
  });

  it("newest first after an outage of the carrier: the inbox is read backwards", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "coverage", of: clinic, state: "none", forMs: 10 * minute });
    for (let one = 1; one <= 120; one++) rig.at(one * second, text(`${one}`));
    rig.until(11 * minute);
    expect(textsReported(rig)).toEqual(numbered(71, 120).reverse());
    rig.at(12 * minute, syncNow);
    rig.at(13 * minute, syncNow);
    rig.until(14 * minute);
    expect(textsReported(rig)).toEqual(numbered(1, 120).reverse());
    // their times are those at which the phone got them: 200 ms apart, from 10 s after the coverage was back
    expect(rig.reportsOf("mo_sms").map(reportedTime).reverse()).toEqual(
      Array.from({ length: 120 }, (_, index) => 10 * minute + 10 * second + index * 200),
    );
  });

  it("newest first after an outage of the link: the inbox is read when the link is back", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    for (let one = 1; one <= 120; one++) rig.at(one * second, text(`${one}`));
    for (const at of [15, 20, 25]) rig.at(at * minute, syncNow);
    rig.until(hour);
    expect(textsReported(rig)).toEqual(numbered(1, 120).reverse());
    expect(rig.syncs.map(({ atMs, body }) => [atMs, body.reports.length])).toEqual([
      [10 * minute + 10 * second + 100, 50],
      [15 * minute + 100, 50],
      [20 * minute + 100, 20],
      [25 * minute + 100, 0],
    ]);
    // their times are those at which the texts came
    expect(rig.reportsOf("mo_sms").map(reportedTime).reverse()).toEqual(
      Array.from({ length: 120 }, (_, index) => (index + 1) * second + 2 * second),
    );
  });

  it("as large as the profile says", () => {
    const rig = exactClinic({ batch: 7 });
    collect(rig, 9);
    rig.at(6 * minute, syncNow);
    rig.until(7 * minute);
    expect(textsReported(rig)).toEqual(numbered(1, 7));
  });

  it("carry the full lists of pending and retry ids", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    for (let one = 0; one < 80; one++) rig.send(1, farmerPhone, "hello");
    rig.until(82 * second);
    rig.at(82 * second, syncNow);
    rig.until(90 * second);
    const { pending = [], retry = [] } = rig.syncs.at(-1)?.body.status ?? {};
    expect(pending.length + retry.length).toBe(80);
  });
});

describe("the follow-up and the quiet rule", () => {
  it("after a quick sync the follow-up is dropped", () => {
    const rig = exactClinic();
    collect(rig, 120);
    rig.at(6 * minute, syncNow);
    rig.until(hour);
    expect(rig.syncs).toHaveLength(1);
  });

  it.each([
    { count: 60, syncs: 1 },
    { count: 61, syncs: 2 },
    { count: 120, syncs: 3 },
  ])("after a sync of 20 s it runs, if more than 10 are left: $count reports in $syncs syncs", ({ count, syncs }) => {
    const rig = exactClinic({ latency: slowLatency });
    collect(rig, count);
    rig.at(6 * minute, syncNow);
    rig.until(hour);
    expect(syncTimes(rig)).toEqual(
      Array.from({ length: syncs }, (_, index) => 6 * minute + 10 * second + index * 20 * second),
    );
  });

  it.each([
    { waiting: 10, afterMs: 14_999, syncs: 1 },
    { waiting: 10, afterMs: 15_000, syncs: 2 },
    { waiting: 9, afterMs: 1_000, syncs: 2 },
  ])("a forced sync $afterMs ms after the last one with $waiting queued: $syncs", ({ waiting, afterMs, syncs }) => {
    const rig = exactClinic();
    collect(rig, 50 + waiting);
    rig.at(6 * minute, syncNow);
    rig.at(6 * minute + afterMs, syncNow);
    rig.until(hour);
    expect(rig.syncs).toHaveLength(syncs);
  });

  it("a call is exempt: it drains another batch at once", () => {
    const rig = exactClinic();
    collect(rig, 120);
    rig.at(6 * minute, syncNow);
    rig.at(6 * minute + second, {
      verb: "call",
      by: "person",
      people: farmer,
      handsets: clinic,
      rings: fixed(2 * second),
    });
    rig.until(hour);
    expect(syncTimes(rig)).toEqual([6 * minute + 100, 6 * minute + 3 * second + 100]);
    expect(textsReported(rig)).toEqual(numbered(1, 100));
  });

  it("without a report a sync that is not forced, as after a boot, does not happen", () => {
    const idle = oneClinic({ profile: unopened });
    idle.at(minute, { verb: "reboot", of: clinic, downMs: minute });
    idle.until(hour);
    expect(idle.syncs).toEqual([]);
    const rig = oneClinic({ profile: unopened });
    collect(rig, 1);
    rig.at(hour, { verb: "reboot", of: clinic, downMs: minute });
    rig.until(2 * hour);
    expect(syncTimes(rig)).toEqual([hour + minute + 100]);
  });

  it("after a boot the first poll comes within 5 s", () => {
    const rig = exactClinic();
    rig.at(minute, { verb: "reboot", of: clinic, downMs: minute });
    rig.until(2 * minute + 5_100);
    expect(rig.syncs).toHaveLength(1);
  });

  it("requests during a sync become one more sync", () => {
    const rig = exactClinic({ latency: slowLatency });
    for (let one = 0; one < 5; one++) rig.at(one * second, text(`${one}`));
    rig.until(hour);
    expect(rig.syncs.map(({ atMs, body }) => [atMs, body.reports.length])).toEqual([
      [12 * second, 1],
      [32 * second, 4],
    ]);
  });
});

describe("failing syncs", () => {
  it("a lost answer: the service has the reports, the phone sends them again", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sync", of: clinic, loses: "response", times: 1 });
    rig.at(0, text("hello"));
    rig.at(minute, text("second"));
    rig.until(2 * minute + 2 * second - 1);
    expect(textsReported(rig)).toEqual(["hello"]);
    rig.until(hour); // the sync that the second text asked for comes after the timeout
    expect(rig.reportsOf("mo_sms").map(({ atMs }) => atMs)).toEqual([2_100, 122_100, 122_100]);
    expect(textsReported(rig)).toEqual(["hello", "hello", "second"]);
    expect(new Set(rig.reportsOf("mo_sms").slice(0, 2).map(reportedTime)).size).toBe(1);
    expect(rig.tally.copies).toEqual(new Map([["texts lost-response", 1]]));
    expect(rig.gap("texts")).toBe(0);
  });

  it("a lost answer: sent reports and calls come twice, too", () => {
    const rig = exactClinic();
    rig.send(1, farmerPhone, "hello");
    rig.at(2 * second, { verb: "sync", of: clinic, loses: "response", times: 1 });
    rig.at(10 * minute, { verb: "sync", of: clinic, loses: "response", times: 1 });
    rig.at(10 * minute, { verb: "call", by: "person", people: farmer, handsets: clinic, talks: fixed(minute) });
    rig.at(20 * minute, syncNow);
    rig.until(hour);
    expect(rig.reportsOf("mt_sent")).toHaveLength(2);
    expect(rig.reportsOf("mo_call")).toHaveLength(2);
    expect(rig.tally.copies).toEqual(new Map([["calls lost-response", 1]]));
    expect(rig.heard).toHaveLength(1);
  });

  it("a lost request: the service never sees it, the phone sends it once, later", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sync", of: clinic, loses: "request", times: 2 });
    rig.at(0, text("hello"));
    rig.at(5 * minute, syncNow);
    rig.until(10 * minute);
    expect(rig.syncs).toEqual([]);
    expect(rig.world.census().texts).toBe(1);
    rig.at(10 * minute, syncNow);
    rig.until(hour);
    expect(textsReported(rig)).toEqual(["hello"]);
    expect(rig.tally.copies).toEqual(new Map());
  });

  it("a missing answer: times out after 120 s", () => {
    const rig = exactClinic();
    rig.isAnswering = false;
    rig.at(0, text("first"));
    rig.at(10 * second, text("second"));
    rig.until(hour);
    expect(syncTimes(rig)).toEqual([2_100, 2_000 + 120 * second + 100]);
    expect(rig.syncs[1]?.body.reports).toHaveLength(2);
  });

  it("plain does not repeat, 2017 repeats once with the same body", () => {
    const requests = (name: string): number => {
      const rig = oneClinic({ profile: exact({}, name) });
      rig.at(0, { verb: "sync", of: clinic, loses: "response", times: 5 });
      rig.at(0, text("hello"));
      rig.until(hour);
      expect(new Set(rig.syncs.map(({ body }) => body)).size).toBe(1);
      return rig.syncs.length;
    };
    expect([requests("plain"), requests("2017")]).toEqual([1, 2]);
  });

  it("a lossy link loses its share of syncs, requests and answers alike", () => {
    const rig = exactClinic({ pollEveryMs: 5 * minute });
    rig.at(0, { verb: "network", of: clinic, loses: 0.4 });
    rig.until(5000 * minute);
    const requestsLost = 1000 - rig.syncs.length;
    expect(requestsLost).toBeGreaterThan(150);
    expect(requestsLost).toBeLessThan(250);
    const before = rig.syncs.length;
    const lost = new Set<string>();
    for (let one = 0; one < 300; one++) {
      rig.at(rig.kernel.now + 5 * minute, text(`${one}`));
    }
    rig.until(rig.kernel.now + hour);
    for (const one of textsReported(rig)) lost.add(one);
    expect(lost.size).toBe(300);
    expect(rig.syncs.length).toBeGreaterThan(before);
    const copies = rig.tally.copies.get("texts lost-response") ?? 0;
    expect(copies).toBeGreaterThan(30);
    expect(copies).toBe(textsReported(rig).length - 300);
  });

  it("after each attempt, good or bad, the runner runs (2024)", () => {
    const rig = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }, "2024") });
    rig.at(0, { verb: "sms-service", of: clinic, state: "no-service", forMs: 5 * second });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(10 * second, { verb: "sync", of: clinic, loses: "request", times: 100 });
    rig.until(30 * minute);
    expect(rig.heard).toHaveLength(1);
    expect(rig.statusOf(id)).toBe("Q");
  });
});

describe("a wrong clock", () => {
  it.each([
    { skew: -20 * minute, accepted: false },
    { skew: 16 * minute, accepted: false },
    { skew: -14 * minute, accepted: true },
    { skew: 14 * minute, accepted: true },
  ])("$skew ms: the sync is accepted: $accepted; times are the phone's", ({ skew, accepted }) => {
    const rig = exactClinic();
    rig.at(0, { verb: "clock", of: clinic, skewMs: skew });
    for (let one = 1; one <= 5; one++) rig.at(one * minute, text(`${one}`));
    rig.until(10 * minute);
    expect(rig.syncs).toHaveLength(5);
    expect(rig.received).toHaveLength(accepted ? 5 : 0);
    expect(rig.world.census().texts).toBe(accepted ? 0 : 5);
    rig.at(20 * minute, { verb: "clock", of: clinic, skewMs: 0 });
    rig.at(20 * minute, syncNow);
    rig.until(hour);
    expect(textsReported(rig)).toEqual(numbered(1, 5));
    expect(rig.reportsOf("mo_sms").map(reportedTime)).toEqual(
      [1, 2, 3, 4, 5].map((one) => one * minute + 2 * second + skew),
    );
    expect(rig.tally.copies).toEqual(new Map());
  });

  it("from the start, as the cast says, negative too", () => {
    const rig = oneClinic({ profile: exact(), clockSkew: fixed(-5 * minute) });
    rig.at(minute, text("hello"));
    rig.until(hour);
    expect(rig.reportsOf("mo_sms").map(reportedTime)).toEqual([minute + 2 * second - 5 * minute]);
  });
});
