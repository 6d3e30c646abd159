import { describe, expect, it } from "vitest";
import { faults, profileFields, profiles, smsServiceStates } from "../../src/world/index.js";

const minutes = (...all: number[]): number[] => all.map((one) => one * 60_000);
const notOverridable = ["name", "faults", "packs", "latency", "linkDrainPerHour"];

describe("the profiles", () => {
  it("have the names of the registry", () => {
    for (const [name, profile] of Object.entries(profiles)) expect(profile.name).toBe(name);
  });

  it.each(Object.entries(profiles))(
    "%s: each number is in the table of fields, and each field is there",
    (_, profile) => {
      const own = Object.keys(profile).filter((key) => !notOverridable.includes(key));
      expect(own.toSorted()).toEqual(Object.keys(profileFields).toSorted());
    },
  );

  it.each(Object.entries(profiles))("%s: each value is of its field's unit", (_, profile) => {
    for (const [name, field] of Object.entries(profileFields)) {
      const { unit } = field;
      const value: unknown = Reflect.get(profile, name);
      if (unit === "flag") expect(value, name).toBeTypeOf("boolean");
      else if (field.unit === "word") expect(field.words, name).toContain(value);
      else if (unit === "span") expect(value, name).toHaveProperty("kind");
      else if (unit === "durations") expect(value, name).toBeInstanceOf(Array);
      else expect(value, name).toBeGreaterThanOrEqual(0);
      if (unit === "share") expect(value, name).toBeLessThanOrEqual(1);
      if (unit === "duration" || unit === "count") expect(Number.isSafeInteger(value), name).toBe(true);
      expect(name.endsWith("Ms"), name).toBe(unit === "duration" || unit === "durations");
    }
  });

  it("plain has the documented numbers and no fault", () => {
    expect(profiles["plain"]).toMatchObject({
      pollEveryMs: 600_000,
      batch: 50,
      followUpAbove: 10,
      quietFrom: 10,
      quietMs: 15_000,
      syncTimeoutMs: 120_000,
      retryWaitsMs: minutes(1, 1, 1, 5, 5, 15, 15, 30, 30),
      sendGapMs: 1_000,
      packLimit: 30,
      packWindowMs: 30 * 60_000,
      historyRows: 100,
    });
    expect(profiles["plain"]).not.toHaveProperty("packs");
    expect(profiles["plain"]?.faults.size).toBe(0);
  });

  it("2017 and 2024 have the send limit and the faults of their time", () => {
    const limit = { packs: 1, packLimit: 29, packWindowMs: 32 * 60_000, earlySentAfterMs: 86_400 };
    expect(profiles["2017"]).toMatchObject({ ...limit, pollEveryMs: 60_000, runsAtPoll: true });
    expect(profiles["2024"]).toMatchObject({ ...limit, pollEveryMs: 600_000, runsAtPoll: false });
    expect([...(profiles["2017"]?.faults ?? [])].toSorted()).toEqual([
      "call-log-newest-only",
      "call-log-repeats",
      "callbacks-lost",
      "early-sent",
      "failed-resend",
      "inbox-mark",
      "no-mt-miss",
      "regress-after-delivered",
    ]);
    expect([...(profiles["2024"]?.faults ?? [])].toSorted()).toEqual([
      "answer-late",
      "call-log-newest-only",
      "call-log-observers",
      "call-log-repeats",
      "callbacks-lost",
      "early-sent",
      "failed-resend",
      "inbox-mark",
      "no-mt-miss",
      "regress-after-delivered",
      "stale-after-reboot",
      "unopened-after-reboot",
    ]);
  });
});

describe("the tables", () => {
  it("describe each field and fault in a sentence", () => {
    for (const about of [...Object.values(profileFields).map((field) => field.about), ...Object.values(faults)]) {
      expect(about).toMatch(/^[A-Z].{20,}\.$/);
    }
  });

  it("hold all faults that a profile has", () => {
    for (const { faults: own } of Object.values(profiles)) {
      for (const fault of own) expect(faults).toHaveProperty(fault);
    }
  });

  it("hold the states of the radio", () => {
    expect(smsServiceStates).toEqual([
      "ok",
      "no-service",
      "radio-off",
      "generic-failure",
      "limit",
      "silent",
      "swallows",
    ]);
  });
});
