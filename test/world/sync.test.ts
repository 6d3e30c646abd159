import { describe, expect, it } from "vitest";
import { fixed } from "../../src/sim/index.js";
import {
  clinic,
  exact,
  exactClinic,
  farmer,
  farmerPhone,
  hour,
  type Lab,
  minute,
  oneClinic,
  second,
  text,
  textsTold,
  toldTime,
} from "./loop-back.js";

const slow = fixed(10 * second);
const slowLatency = { GPRS: slow, EDGE: slow, UMTS: slow, HSPA: slow, LTE: slow, WIFI: slow };
/** After a boot nobody opens the app, so that it does not poll. */
const unopened = exact({}, "plain", ["unopened-after-reboot"]);
const syncNow = { verb: "sync", of: clinic, now: true } as const;

/**
 * Texts that reach the phone a second apart while the service refuses its clock: reports that are queued in the order
 * in which the texts came. At five minutes the clock is right.
 */
function collect(lab: Lab, count: number): void {
  lab.at(0, { verb: "clock", of: clinic, skewMs: -20 * minute });
  for (let one = 1; one <= count; one++) lab.at(one * second, text(`${one}`));
  lab.at(5 * minute, { verb: "clock", of: clinic, skewMs: 0 });
  expect(lab.received).toEqual([]);
  lab.syncs.length = 0;
}

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}`);
}

function syncTimes(lab: Lab): number[] {
  return lab.syncs.map(({ atMs }) => atMs);
}

describe("polls", () => {
  it("plain: every ten minutes, the first within ten", () => {
    const lab = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }) });
    lab.until(3 * hour);
    const [first = NaN] = syncTimes(lab);
    expect(first).toBeLessThan(10 * minute + 100);
    expect(syncTimes(lab)).toEqual(Array.from({ length: 18 }, (_, index) => first + index * 10 * minute));
  });

  it("spread over the interval", () => {
    const lab = oneClinic({ count: 200, profile: exact({ pollEveryMs: 10 * minute }) });
    lab.until(10 * minute + 100);
    expect(lab.syncs).toHaveLength(200);
    for (let quarter = 0; quarter < 4; quarter++) {
      const within = syncTimes(lab).filter((atMs) => Math.floor((atMs - 100) / (2.5 * minute)) === quarter);
      expect(within.length).toBeGreaterThan(25);
    }
  });

  it("2017: each 5 min while quiet, each minute for 15 min after a text and for 90 after the first push", () => {
    const lab = oneClinic({ profile: exact({ pollEveryMs: minute }, "2017") });
    lab.until(hour);
    const quiet = syncTimes(lab);
    expect(quiet.length).toBeGreaterThanOrEqual(11);
    expect(quiet.length).toBeLessThanOrEqual(13);
    lab.at(hour, text("hello"));
    lab.until(1.25 * hour);
    expect(lab.syncs.length - quiet.length).toBeGreaterThanOrEqual(15);
    lab.until(2 * hour);
    const before = lab.syncs.length;
    lab.world.push(1);
    lab.until(3.5 * hour);
    expect(lab.syncs.length - before).toBeGreaterThanOrEqual(90);
    const active = lab.syncs.length;
    lab.until(4.5 * hour);
    expect(lab.syncs.length - active).toBeLessThanOrEqual(13);
  });

  it("without a link: owed, and made up for when the link is back", () => {
    const lab = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }) });
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: hour });
    lab.until(hour + 10 * second + 99);
    expect(lab.syncs).toEqual([]);
    lab.until(hour + 10 * second + 100);
    expect(lab.syncs).toHaveLength(1);
  });

  it("without a link that nobody misses: the phone syncs when it next has a reason", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: hour });
    lab.at(minute, { verb: "call", by: "person", people: farmer, handsets: clinic, rings: fixed(second) });
    lab.until(2 * hour);
    expect(lab.syncs).toEqual([]);
    lab.at(2 * hour, text("hello"));
    lab.until(3 * hour);
    expect(lab.received.map(({ report }) => report.type)).toEqual(["call", "mo_sms"]);
  });
});

describe("pushes", () => {
  it("wake the phone; those that are under way together are one", () => {
    const lab = exactClinic();
    for (let one = 0; one < 5; one++) lab.world.push(1);
    lab.until(minute);
    expect(syncTimes(lab)).toEqual([1_100]);
  });

  it("wait for a phone that is off or offline", () => {
    const lab = oneClinic({ profile: unopened });
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: minute });
    lab.world.push(1);
    lab.until(2 * minute);
    expect(syncTimes(lab)).toEqual([minute + 10 * second + 100]);
    lab.at(3 * minute, { verb: "reboot", of: clinic, downMs: minute });
    lab.world.push(1);
    lab.until(hour);
    expect(syncTimes(lab).slice(1)).toEqual([4 * minute + 10 * second + 100]);
  });

  it("are lost in the profile's share", () => {
    const lab = exactClinic({ pushLoses: 0.25 });
    for (let one = 1; one <= 1000; one++) {
      lab.until(one * minute);
      lab.world.push(1);
    }
    lab.until(1001 * minute);
    expect(lab.syncs.length).toBeGreaterThan(700);
    expect(lab.syncs.length).toBeLessThan(800);
  });
});

describe("batches", () => {
  it("of 50, the oldest queued first, one at each trigger", () => {
    const lab = exactClinic();
    collect(lab, 120);
    lab.until(6 * minute);
    expect(lab.syncs).toEqual([]);
    for (const [index, count] of [50, 100, 120].entries()) {
      lab.at((6 + index) * minute, syncNow);
      lab.until((6 + index) * minute + 30 * second);
      expect(textsTold(lab)).toEqual(numbered(1, count));
      expect(lab.syncs).toHaveLength(index + 1);
    }
    expect(lab.world.census()).toEqual({ texts: 0, calls: 0 });
  });

  it("newest first after an outage of the carrier: the inbox is read backwards", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "coverage", of: clinic, state: "none", forMs: 10 * minute });
    for (let one = 1; one <= 120; one++) lab.at(one * second, text(`${one}`));
    lab.until(11 * minute);
    expect(textsTold(lab)).toEqual(numbered(71, 120).reverse());
    lab.at(12 * minute, syncNow);
    lab.at(13 * minute, syncNow);
    lab.until(14 * minute);
    expect(textsTold(lab)).toEqual(numbered(1, 120).reverse());
    // their times are those at which the phone got them: 200 ms apart, from 10 s after the coverage was back
    expect(lab.reportsOf("mo_sms").map(toldTime).reverse()).toEqual(
      Array.from({ length: 120 }, (_, index) => 10 * minute + 10 * second + index * 200),
    );
  });

  it("newest first after an outage of the link: the inbox is read when the link is back", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "network", of: clinic, type: "none", forMs: 10 * minute });
    for (let one = 1; one <= 120; one++) lab.at(one * second, text(`${one}`));
    for (const at of [15, 20, 25]) lab.at(at * minute, syncNow);
    lab.until(hour);
    expect(textsTold(lab)).toEqual(numbered(1, 120).reverse());
    expect(lab.syncs.map(({ atMs, body }) => [atMs, body.reports.length])).toEqual([
      [10 * minute + 10 * second + 100, 50],
      [15 * minute + 100, 50],
      [20 * minute + 100, 20],
      [25 * minute + 100, 0],
    ]);
    // their times are those at which the texts came
    expect(lab.reportsOf("mo_sms").map(toldTime).reverse()).toEqual(
      Array.from({ length: 120 }, (_, index) => (index + 1) * second + 2 * second),
    );
  });

  it("as large as the profile says", () => {
    const lab = exactClinic({ batch: 7 });
    collect(lab, 9);
    lab.at(6 * minute, syncNow);
    lab.until(7 * minute);
    expect(textsTold(lab)).toEqual(numbered(1, 7));
  });

  it("carry everything that the phone has on its lists, however long", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sms-service", of: clinic, state: "limit" });
    for (let one = 0; one < 80; one++) lab.send(1, farmerPhone, "hello");
    lab.until(82 * second);
    lab.at(82 * second, syncNow);
    lab.until(90 * second);
    const { pending = [], retry = [] } = lab.syncs.at(-1)?.body.status ?? {};
    expect(pending.length + retry.length).toBe(80);
  });
});

describe("the follow-up and the quiet rule", () => {
  it("after a quick sync the follow-up is dropped", () => {
    const lab = exactClinic();
    collect(lab, 120);
    lab.at(6 * minute, syncNow);
    lab.until(hour);
    expect(lab.syncs).toHaveLength(1);
  });

  it.each([
    { count: 60, syncs: 1 },
    { count: 61, syncs: 2 },
    { count: 120, syncs: 3 },
  ])("after a sync of 20 s it runs, if more than 10 are left: $count reports in $syncs syncs", ({ count, syncs }) => {
    const lab = exactClinic({ latency: slowLatency });
    collect(lab, count);
    lab.at(6 * minute, syncNow);
    lab.until(hour);
    expect(syncTimes(lab)).toEqual(
      Array.from({ length: syncs }, (_, index) => 6 * minute + 10 * second + index * 20 * second),
    );
  });

  it.each([
    { waiting: 10, afterMs: 14_999, syncs: 1 },
    { waiting: 10, afterMs: 15_000, syncs: 2 },
    { waiting: 9, afterMs: 1_000, syncs: 2 },
  ])("a forced sync $afterMs ms after the last one with $waiting queued: $syncs", ({ waiting, afterMs, syncs }) => {
    const lab = exactClinic();
    collect(lab, 50 + waiting);
    lab.at(6 * minute, syncNow);
    lab.at(6 * minute + afterMs, syncNow);
    lab.until(hour);
    expect(lab.syncs).toHaveLength(syncs);
  });

  it("a call is exempt: it drains another batch at once", () => {
    const lab = exactClinic();
    collect(lab, 120);
    lab.at(6 * minute, syncNow);
    lab.at(6 * minute + second, {
      verb: "call",
      by: "person",
      people: farmer,
      handsets: clinic,
      rings: fixed(2 * second),
    });
    lab.until(hour);
    expect(syncTimes(lab)).toEqual([6 * minute + 100, 6 * minute + 3 * second + 100]);
    expect(textsTold(lab)).toEqual(numbered(1, 100));
  });

  it("without a report a sync that is not forced, as after a boot, does not happen", () => {
    const idle = oneClinic({ profile: unopened });
    idle.at(minute, { verb: "reboot", of: clinic, downMs: minute });
    idle.until(hour);
    expect(idle.syncs).toEqual([]);
    const lab = oneClinic({ profile: unopened });
    collect(lab, 1);
    lab.at(hour, { verb: "reboot", of: clinic, downMs: minute });
    lab.until(2 * hour);
    expect(syncTimes(lab)).toEqual([hour + minute + 100]);
  });

  it("after a boot the first poll comes within 5 s", () => {
    const lab = exactClinic();
    lab.at(minute, { verb: "reboot", of: clinic, downMs: minute });
    lab.until(2 * minute + 5_100);
    expect(lab.syncs).toHaveLength(1);
  });

  it("what is asked for during a sync becomes one more", () => {
    const lab = exactClinic({ latency: slowLatency });
    for (let one = 0; one < 5; one++) lab.at(one * second, text(`${one}`));
    lab.until(hour);
    expect(lab.syncs.map(({ atMs, body }) => [atMs, body.reports.length])).toEqual([
      [12 * second, 1],
      [32 * second, 4],
    ]);
  });
});

describe("failing syncs", () => {
  it("a lost answer: the service has the reports, the phone tells them again", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sync", of: clinic, loses: "response", times: 1 });
    lab.at(0, text("hello"));
    lab.at(minute, text("second"));
    lab.until(2 * minute + 2 * second - 1);
    expect(textsTold(lab)).toEqual(["hello"]);
    lab.until(hour); // the sync that the second text asked for comes after the timeout
    expect(lab.reportsOf("mo_sms").map(({ atMs }) => atMs)).toEqual([2_100, 122_100, 122_100]);
    expect(textsTold(lab)).toEqual(["hello", "hello", "second"]);
    expect(new Set(lab.reportsOf("mo_sms").slice(0, 2).map(toldTime)).size).toBe(1);
    expect(lab.books.copies).toEqual(new Map([["texts lost-response", 1]]));
    expect(lab.gap("texts")).toBe(0);
  });

  it("a lost answer: sent reports and calls come twice, too", () => {
    const lab = exactClinic();
    lab.send(1, farmerPhone, "hello");
    lab.at(2 * second, { verb: "sync", of: clinic, loses: "response", times: 1 });
    lab.at(10 * minute, { verb: "sync", of: clinic, loses: "response", times: 1 });
    lab.at(10 * minute, { verb: "call", by: "person", people: farmer, handsets: clinic, talks: fixed(minute) });
    lab.at(20 * minute, syncNow);
    lab.until(hour);
    expect(lab.reportsOf("mt_sent")).toHaveLength(2);
    expect(lab.reportsOf("mo_call")).toHaveLength(2);
    expect(lab.books.copies).toEqual(new Map([["calls lost-response", 1]]));
    expect(lab.heard).toHaveLength(1);
  });

  it("a lost request: the service never sees it, the phone tells it once, later", () => {
    const lab = exactClinic();
    lab.at(0, { verb: "sync", of: clinic, loses: "request", times: 2 });
    lab.at(0, text("hello"));
    lab.at(5 * minute, syncNow);
    lab.until(10 * minute);
    expect(lab.syncs).toEqual([]);
    expect(lab.world.census().texts).toBe(1);
    lab.at(10 * minute, syncNow);
    lab.until(hour);
    expect(textsTold(lab)).toEqual(["hello"]);
    expect(lab.books.copies).toEqual(new Map());
  });

  it("an answer that never comes: given up after 120 s", () => {
    const lab = exactClinic();
    lab.isAnswering = false;
    lab.at(0, text("first"));
    lab.at(10 * second, text("second"));
    lab.until(hour);
    expect(syncTimes(lab)).toEqual([2_100, 2_000 + 120 * second + 100]);
    expect(lab.syncs[1]?.body.reports).toHaveLength(2);
  });

  it("plain does not repeat, 2017 repeats once with the same body", () => {
    const requests = (name: string): number => {
      const lab = oneClinic({ profile: exact({}, name) });
      lab.at(0, { verb: "sync", of: clinic, loses: "response", times: 5 });
      lab.at(0, text("hello"));
      lab.until(hour);
      expect(new Set(lab.syncs.map(({ body }) => body)).size).toBe(1);
      return lab.syncs.length;
    };
    expect([requests("plain"), requests("2017")]).toEqual([1, 2]);
  });

  it("a lossy link loses its share of syncs, requests and answers alike", () => {
    const lab = exactClinic({ pollEveryMs: 5 * minute });
    lab.at(0, { verb: "network", of: clinic, loses: 0.4 });
    lab.until(5000 * minute);
    const requestsLost = 1000 - lab.syncs.length;
    expect(requestsLost).toBeGreaterThan(150);
    expect(requestsLost).toBeLessThan(250);
    const before = lab.syncs.length;
    const lost = new Set<string>();
    for (let one = 0; one < 300; one++) {
      lab.at(lab.kernel.now + 5 * minute, text(`${one}`));
    }
    lab.until(lab.kernel.now + hour);
    for (const one of textsTold(lab)) lost.add(one);
    expect(lost.size).toBe(300);
    expect(lab.syncs.length).toBeGreaterThan(before);
    const copies = lab.books.copies.get("texts lost-response") ?? 0;
    expect(copies).toBeGreaterThan(30);
    expect(copies).toBe(textsTold(lab).length - 300);
  });

  it("after each attempt, good or bad, the runner runs (2024)", () => {
    const lab = oneClinic({ profile: exact({ pollEveryMs: 10 * minute }, "2024") });
    lab.at(0, { verb: "sms-service", of: clinic, state: "no-service", forMs: 5 * second });
    const id = lab.send(1, farmerPhone, "hello");
    lab.at(10 * second, { verb: "sync", of: clinic, loses: "request", times: 100 });
    lab.until(30 * minute);
    expect(lab.heard).toHaveLength(1);
    expect(lab.statusOf(id)).toBe("Q");
  });
});

describe("a wrong clock", () => {
  it.each([
    { skew: -20 * minute, accepted: false },
    { skew: 16 * minute, accepted: false },
    { skew: -14 * minute, accepted: true },
    { skew: 14 * minute, accepted: true },
  ])("$skew ms: the sync is accepted: $accepted; times are the phone's", ({ skew, accepted }) => {
    const lab = exactClinic();
    lab.at(0, { verb: "clock", of: clinic, skewMs: skew });
    for (let one = 1; one <= 5; one++) lab.at(one * minute, text(`${one}`));
    lab.until(10 * minute);
    expect(lab.syncs).toHaveLength(5);
    expect(lab.received).toHaveLength(accepted ? 5 : 0);
    expect(lab.world.census().texts).toBe(accepted ? 0 : 5);
    lab.at(20 * minute, { verb: "clock", of: clinic, skewMs: 0 });
    lab.at(20 * minute, syncNow);
    lab.until(hour);
    expect(textsTold(lab)).toEqual(numbered(1, 5));
    expect(lab.reportsOf("mo_sms").map(toldTime)).toEqual(
      [1, 2, 3, 4, 5].map((one) => one * minute + 2 * second + skew),
    );
    expect(lab.books.copies).toEqual(new Map());
  });

  it("from the start, as the cast says, negative too", () => {
    const lab = oneClinic({ profile: exact(), clockSkew: fixed(-5 * minute) });
    lab.at(minute, text("hello"));
    lab.until(hour);
    expect(lab.reportsOf("mo_sms").map(toldTime)).toEqual([minute + 2 * second - 5 * minute]);
  });
});
