import { describe, expect, it } from "vitest";
import type { CarrierSpec, Fault, Profile } from "../../src/world/index.js";
import {
  carrier,
  castOf,
  clinic,
  exact,
  exactClinic,
  farmerPhone,
  handsets,
  hour,
  minute,
  oneClinic,
  profile,
  reportedTime,
  second,
  WorldRig,
} from "../support/world-rig.js";

/** Texts that a phone sends in an hour from an endless queue, after a first hour. */
function sentInAnHour(body: string, changes: Partial<Profile>, name: string): number {
  const rig = oneClinic({ profile: profile(changes, name) });
  for (let one = 0; one < 2800; one++) rig.send(1, farmerPhone, body, { push: false });
  rig.at(0, { verb: "sync", of: clinic, now: true });
  rig.until(hour);
  const before = rig.heard.length;
  rig.until(2 * hour);
  return rig.heard.length - before;
}

describe("the radio's speed", () => {
  it.each(["plain", "2017", "2024"])("%s: about 1,200 segments an hour", (name) => {
    const many = { packs: 11, packLimit: 1_000_000 };
    const alone = sentInAnHour("hello", many, name);
    expect(alone).toBeGreaterThan(1_150);
    expect(alone).toBeLessThan(1_250);
    const inTen = sentInAnHour("a".repeat(153 * 10), many, name);
    expect(inTen / alone).toBeGreaterThan(0.095);
    expect(inTen / alone).toBeLessThan(0.105);
  });
});

it("the wait for the texts before it is a delay of a message", () => {
  const rig = exactClinic();
  for (let one = 0; one < 3; one++) rig.send(1, farmerPhone, `${one}`);
  rig.until(minute);
  const delays = rig.syncs.flatMap(({ body }) => body.origins ?? []).map((origin) => origin.delays ?? []);
  const waits = delays.flat().filter(({ why }) => why === "radio-busy");
  // Handed over at 2.2 s and 3.2 s; the radio takes 2 s for each.
  expect(waits).toContainEqual({ kind: "outbox", why: "radio-busy", fromMs: 2_200, untilMs: 3_200, times: 1 });
  expect(waits).toContainEqual({ kind: "outbox", why: "radio-busy", fromMs: 3_200, untilMs: 5_200, times: 1 });
});

describe("a radio that never answers", () => {
  function played(state: "silent" | "swallows", faults: readonly Fault[]): unknown {
    const rig = oneClinic({ profile: exact({}, "plain", faults) });
    rig.at(0, { verb: "sms-service", of: clinic, state, forMs: minute });
    const id = rig.send(1, farmerPhone, "hello");
    rig.at(3 * minute, { verb: "sync", of: clinic, now: true });
    rig.at(4 * minute, { verb: "sync", of: clinic, now: true });
    rig.until(hour);
    expect(rig.gap("texts")).toBe(0);
    return {
      heard: rig.heard.length,
      pending: rig.world.deviceStatus(1).pending.length,
      status: rig.statusOf(id),
      reports: rig.received.map(({ report }) => report.type),
      losses: [...rig.tally.losses],
    };
  }

  it("silent: the text goes out and stays pending for good", () => {
    expect(played("silent", [])).toEqual({ heard: 1, pending: 1, status: "Q", reports: ["mt_dlvd"], losses: [] });
  });

  it("swallows: the text never goes out and stays pending for good", () => {
    expect(played("swallows", [])).toEqual({ heard: 0, pending: 1, status: "Q", reports: [], losses: [] });
  });

  it("silent, with fault early-sent: reported as sent 86.4 s later", () => {
    expect(played("silent", ["early-sent"])).toMatchObject({ heard: 1, pending: 0, status: "S", losses: [] });
  });

  it("swallows, with fault early-sent: reported as sent, and lost", () => {
    expect(played("swallows", ["early-sent"])).toEqual({
      heard: 0,
      pending: 0,
      status: "S",
      reports: ["mt_sent"],
      losses: [["texts early-sent", 1]],
    });
  });
});

describe("delivery reports", () => {
  const long = "a".repeat(400);
  function deliveredOf(network: Partial<CarrierSpec>, faults: readonly Fault[] = []): WorldRig {
    const one = { ...carrier, ...network };
    const phone = handsets({ profile: exact({}, "plain", faults) });
    const rig = new WorldRig(castOf({ carriers: [one], handsets: [phone] }));
    rig.send(1, farmerPhone, long);
    rig.until(hour);
    expect(rig.gap("texts")).toBe(0);
    return rig;
  }

  it("of each part: the phone tells the first, or with delivered-per-part all of them", () => {
    const reportsAfter = { kind: "uniform", min: 1_000, max: 90_000, whole: true } as const;
    const network = { reportsParts: true, reportsAfter };
    expect(deliveredOf(network).reportsOf("mt_dlvd")).toHaveLength(1);
    expect(deliveredOf(network, ["delivered-per-part"]).reportsOf("mt_dlvd")).toHaveLength(3);
  });

  it("at once and falsely: a message that the network loses is delivered", () => {
    const rig = deliveredOf({ reportsEarly: 1, loses: 1 });
    expect(rig.heard).toEqual([]);
    expect(rig.received.map(({ report }) => report.type)).toEqual(["mt_sent", "mt_dlvd"]);
    expect(deliveredOf({ reportsEarly: 1 }).reportsOf("mt_dlvd")).toHaveLength(1);
  });
});

describe("a share of segments that fail", () => {
  /** First tries of 1,000 texts that failed. */
  function failedOf(rig: WorldRig): number {
    for (let one = 0; one < 1000; one++) rig.send(1, farmerPhone, "hello", { push: false });
    rig.at(second, { verb: "sync", of: clinic, now: true });
    rig.until(hour);
    expect(rig.gap("texts")).toBe(0);
    const failed = rig.reportsOf("mt_fail").length;
    expect(rig.reportsOf("mt_sent")).toHaveLength(1000 - failed);
    return failed;
  }
  const once = exact({ retryWaitsMs: [], followUpAbove: 0, quietMs: 0 });

  it("by the verb: a tenth of the texts", () => {
    const rig = oneClinic({ profile: once });
    rig.at(0, { verb: "sms-service", of: clinic, fails: 0.1, failsWith: "limit" });
    const failed = failedOf(rig);
    expect(failed).toBeGreaterThan(70);
    expect(failed).toBeLessThan(130);
  });

  it("by the carrier", () => {
    const rig = new WorldRig(
      castOf({ carriers: [{ ...carrier, refuses: 0.1 }], handsets: [handsets({ profile: once })] }),
    );
    const failed = failedOf(rig);
    expect(failed).toBeGreaterThan(70);
    expect(failed).toBeLessThan(130);
  });

  it("a segment that fails after the first is D5: the person gets the first ones, then the whole text", () => {
    const rig = oneClinic({ profile: exact({ retryWaitsMs: Array.from({ length: 60 }, () => minute) }) });
    rig.at(0, { verb: "sms-service", of: clinic, fails: 0.5 });
    const whole = `${"a".repeat(153)}${"b".repeat(153)}c`;
    for (let one = 0; one < 20; one++) rig.send(1, farmerPhone, whole);
    rig.until(10 * hour);
    expect(rig.gap("texts")).toBe(0);
    const heard = rig.heard.map(({ text }) => text);
    expect(heard.filter((text) => text === whole)).toHaveLength(20);
    const fragments = heard.filter((text) => text !== whole);
    expect(new Set(fragments)).toEqual(new Set([whole.slice(0, 153), whole.slice(0, 306)]));
    expect([...rig.tally.copies]).toEqual([["texts part-failed", fragments.length]]);
    expect(rig.reportsOf("mt_dlvd")).toHaveLength(20);
  });

  it("a text of several segments fails with the first of them, and is tried again", () => {
    const rig = exactClinic();
    rig.at(0, { verb: "sms-service", of: clinic, fails: 1, forMs: 10 * second });
    rig.send(1, farmerPhone, "a".repeat(400));
    rig.until(hour);
    // Refused at 1.2 s, tried again a minute later: three segments of 2 s.
    expect(rig.reportsOf("mt_sent").map(reportedTime)).toEqual([1_200 + minute + 3 * 2_000]);
    expect(rig.world.inspectHandset(1).conditions).toMatchObject({ smsFails: 0 });
  });
});
