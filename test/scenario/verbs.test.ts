import { describe, expect, it } from "vitest";
import { verbs } from "../../src/scenario/verbs/index.js";
import { base, diagnostics, sound, stepOf } from "./help.js";

const clinic = { group: "clinic", from: 0, to: 9 };
const phone3 = { group: "clinic", from: 3, to: 3 };
const person3 = { group: "farmers", from: 3, to: 3 };
const fixed = (value: unknown): object => ({ kind: "fixed", value });

/** Each verb as a step, and the input that it becomes. */
const cases: readonly (readonly [step: string, input: object])[] = [
  ["text: { from: farmers/3, to: clinic/3, body: hi }", { verb: "text", from: person3, to: phone3, body: fixed("hi") }],
  ["call: { from: farmers/3, to: clinic/3, talks: 3m }", { verb: "call", by: "person", people: person3, handsets: phone3, talks: fixed(180_000) }],
  ["call: { from: farmers/3, to: clinic/3, ends: rejected }", { verb: "call", by: "person", people: person3, handsets: phone3, ends: "rejected" }],
  ["power: { of: clinic/3, mains: usb, for: 1h }", { verb: "power", of: phone3, mains: true, plug: "usb", forMs: 3_600_000 }],
  ["battery: { of: clinic/3, reports: none, for: 1h }", { verb: "battery", of: phone3, reports: "none", forMs: 3_600_000 }],
  ["solar: { of: clinic/3, per-hour: 30%, for: 1h }", { verb: "solar", of: phone3, perHour: 30, forMs: 3_600_000 }],
  ["solar: { of: clinic/3, watts: 5, clouds: 70% }", { verb: "solar", of: phone3, perHour: 43.75, clouds: fixed(70) }],
  ["solar: { of: clinic/3, state: off }", { verb: "solar", of: phone3, perHour: 0 }],
  ["network: { of: clinic/3, type: HSPA+ }", { verb: "network", of: phone3, type: "HSPA+" }],
  ["clock: { of: clinic/3, skew: -20516d }", { verb: "clock", of: phone3, skewMs: -20_516 * 86_400_000 }],
  ["credit: { of: clinic/3, adds: 100 }", { verb: "credit", of: phone3, adds: 100 }],
  ["credit: { of: clinic/3, units: 5, slot: 2 }", { verb: "credit", of: phone3, units: 5, slot: 2 }],
  [
    'sim: { of: clinic/3, phone: "+250788700003", carrier: carrier, credit: 20, slot: 2, sends-with: 2 }',
    {
      verb: "sim",
      of: phone3,
      slot: 2,
      phone: { prefix: "+250788700003", first: 0, digits: 0, suffix: "" },
      carrier: "carrier",
      credit: 20,
      sendsWith: 2,
    },
  ],
  ["sim: { of: clinic/3, state: none, for: 1h }", { verb: "sim", of: phone3, state: "none", forMs: 3_600_000 }],
  ["call-log: { of: clinic/3, state: cleared }", { verb: "call-log", of: phone3, state: "cleared" }],
  ["call: { from: clinic/3, to: farmers/3 }", { verb: "call", by: "handset", people: person3, handsets: phone3 }],
  ["send: { via: clinic, to: farmers/3, body: 12 }", { verb: "send", via: clinic, to: person3, body: fixed("12") }],
  ["power-cut: { of: clinic/3, for: 40m }", { verb: "power-cut", of: phone3, state: "on", forMs: 2_400_000 }],
  ["power-cut: { of: clinic/3, state: off }", { verb: "power-cut", of: phone3, state: "off" }],
  ["mast: { of: clinic/3, down: 40m }", { verb: "mast", of: phone3, state: "on", downMs: 2_400_000 }],
  ["mast: { of: clinic/3, state: up }", { verb: "mast", of: phone3, state: "off" }],
  ["carrier: { of: carrier, delay: 1s..2s, loses: 4%, for: 2h }", { verb: "carrier-settings", carrier: "carrier", changes: { delay: { kind: "uniform", min: 1000, max: 2000, whole: true }, loses: 0.04 }, forMs: 7_200_000 }],
  ["carrier: { of: carrier, carries: 20/s, expires: 2d, long-texts: parts }", { verb: "carrier-settings", carrier: "carrier", changes: { carriesPerMs: 0.02, expiresAfterMs: 172_800_000, longTexts: "parts" } }],
  ["carrier: { of: carrier, carries: unlimited, expires: never }", { verb: "carrier-settings", carrier: "carrier", changes: { carriesPerMs: Infinity, expiresAfterMs: Infinity } }],
  ["unreachable: { person: farmers/3, for: 8h }", { verb: "unreachable", people: person3, state: "on", forMs: 28_800_000 }],
  ["unreachable: { person: +250788123456, state: off }", { verb: "unreachable", people: { phone: "+250788123456" }, state: "off" }],
  ["power: { of: clinic, mains: on }", { verb: "power", of: clinic, mains: true }],
  ["battery: { of: 50% of clinic/0..3, level: 9% }", { verb: "battery", of: { group: "clinic", from: 0, to: 3, share: 0.5 }, level: 9 }],
  ["network: { of: clinic, type: EDGE, latency: 1s..2s, loses: 10%, for: 5m }", { verb: "network", of: clinic, type: "EDGE", latency: { kind: "uniform", min: 1000, max: 2000, whole: true }, loses: 0.1, forMs: 300_000 }],
  ["network: { of: clinic/3, portal: true, second: GPRS }", { verb: "network", of: phone3, portal: true, second: "GPRS" }],
  ["coverage: { of: clinic/3, state: none, for: 5m }", { verb: "coverage", of: phone3, state: "none", forMs: 300_000 }],
  ["sms-service: { of: clinic/3, state: radio-off }", { verb: "sms-service", of: phone3, state: "radio-off" }],
  ["sms-service: { of: clinic/3, fails: 10%, with: limit, for: 5m }", { verb: "sms-service", of: phone3, fails: 0.1, failsWith: "limit", forMs: 300_000 }],
  [
    "sms-service: { of: clinic/3, fails: { GPRS: 30%, HSPA+: 1% } }",
    { verb: "sms-service", of: phone3, fails: { GPRS: 0.3, "HSPA+": 0.01 } },
  ],
  ["sync: { of: clinic/3, loses: response }", { verb: "sync", of: phone3, loses: "response", times: 1 }],
  ["sync: { of: clinic/3, loses: request, times: 4 }", { verb: "sync", of: phone3, loses: "request", times: 4 }],
  [
    "carrier: { of: clinic/3, loses: texts }",
    { verb: "carrier", of: phone3, fate: "loses", way: "texts", times: 1 },
  ],
  [
    "carrier: { of: clinic/3, duplicates: messages, times: 3 }",
    { verb: "carrier", of: phone3, fate: "duplicates", way: "messages", times: 3 },
  ],
  ["sync: { of: clinic/3, now: true }", { verb: "sync", of: phone3, now: true }],
  [
    "service: { of: clinic/3, fails-after: 2, doubles: true, for: 5m }",
    { verb: "service", of: phone3, failsAfter: 2, doubles: true, forMs: 300_000 },
  ],
  [
    "service: { of: clinic/3, poison: /pump/i, offers-to: clinic }",
    { verb: "service", of: phone3, poison: { kind: "regexp", source: "pump", flags: "i" }, offersTo: clinic },
  ],
  ["service: { of: clinic/3, state: ok }", { verb: "service", of: phone3, state: "ok" }],
  [
    "clock: { of: clinic/3, skew: 3h, for: 2h }",
    { verb: "clock", of: phone3, skewMs: 10_800_000, forMs: 7_200_000 },
  ],
  [
    "delivery: { of: clinic/3, types: [mo_sms], person: farmers/3, answers-lost: 10%, cut: body, times: 2, for: 5m }",
    {
      of: phone3,
      types: ["mo_sms"],
      person: person3,
      troubles: [{ kind: "answers-lost", share: 0.1 }, { kind: "cut", share: 1, place: "body" }],
      times: 2,
      forMs: 300_000,
    },
  ],
  [
    "delivery: { of: clinic/3, refused: true, delay: 1s..2s, overtaken-by: 1..5, copies: 2, slow: 2kB/s }",
    {
      of: phone3,
      troubles: [
        { kind: "refused", share: 1 },
        { kind: "delay", share: 1, amount: { kind: "uniform", min: 1000, max: 2000, whole: true } },
        { kind: "overtaken-by", share: 1, amount: { kind: "uniform", min: 1, max: 5, whole: true } },
        { kind: "copies", share: 1, amount: fixed(2) },
        { kind: "slow", share: 1, amount: fixed(2000) },
      ],
    },
  ],
  ["delivery: { of: clinic/3, delay: 40s, share: 25% }", { of: phone3, troubles: [{ kind: "delay", share: 0.25, amount: fixed(40_000) }] }],
  ["delivery: { of: clinic/3, state: ok }", { of: phone3, troubles: [], state: "ok" }],
  ["clock: { of: clinic/3, skew: -20m }", { verb: "clock", of: phone3, skewMs: -1_200_000 }],
  ["airplane: { of: clinic/3, for: 1m }", { verb: "airplane", of: phone3, state: "on", forMs: 60_000 }],
  ["airplane: { of: clinic/3, state: off }", { verb: "airplane", of: phone3, state: "off" }],
  ["pause: { of: clinic/3 }", { verb: "pause", of: phone3, state: "on" }],
  ["pause: { of: clinic/3, state: off }", { verb: "pause", of: phone3, state: "off" }],
  ["reboot: { of: clinic/3 }", { verb: "reboot", of: phone3, downMs: 120_000 }],
  ["kill: { of: clinic/3, for: 6h }", { verb: "kill", of: phone3, forMs: 21_600_000 }],
  ["crash: { of: clinic/3, down: 1m }", { verb: "crash", of: phone3, downMs: 60_000 }],
  ["crash: { of: clinic/3 }", { verb: "crash", of: phone3 }],
  ["upgrade: { of: clinic/3 }", { verb: "upgrade", of: phone3, downMs: 30_000 }],
  ["open: { of: clinic/3 }", { verb: "open", of: phone3 }],
  ["doze: { of: clinic/3, for: 1h }", { verb: "doze", of: phone3, state: "on", forMs: 3_600_000 }],
  ["permission: { of: clinic/3, lost: sms, for: 1h }", { verb: "permission", of: phone3, what: "sms", isGranted: false, forMs: 3_600_000 }],
  ["permission: { of: clinic/3, granted: calls }", { verb: "permission", of: phone3, what: "calls", isGranted: true }],
  ["reset: { of: clinic/3, down: 10s }", { verb: "reset", of: phone3, downMs: 10_000 }],
  ["reset: { of: clinic/3, releases: true }", { verb: "reset", of: phone3, downMs: 120_000 }],
  [
    "reset: { of: clinic/3, claimed-again: 1h }",
    { verb: "reset", of: phone3, downMs: 120_000, claimedAgain: { kind: "fixed", value: 3_600_000 } },
  ],
  [
    "register: { of: clinic/3, claimed-again: 1h..2h }",
    { verb: "register", of: phone3, claimedAgain: { kind: "uniform", min: 3_600_000, max: 7_200_000, whole: true } },
  ],
  ["claim: { of: clinic/3 }", { verb: "claim", of: phone3 }],
  ["claim: { of: clinic/3, org: 2 }", { verb: "claim", of: phone3, org: 2 }],
  ["claim: { of: clinic/3, phone: none }", { verb: "claim", of: phone3, phone: "" }],
  ["claim: { of: clinic/3, phone: +250788000009 }", { verb: "claim", of: phone3, phone: "+250788000009" }],
  ["release: { of: clinic/3 }", { verb: "release", of: phone3 }],
  [
    "flow: { of: clinic/3, person: farmers/3, flow: 12, name: Harvest, values: [{ label: crop, text: maize 3, value: 3, time: 2026-03-04T06:00:00.000 }, { label: ok, text: yes }] }",
    {
      verb: "flow", of: phone3, person: person3, flow: 12, name: "Harvest", language: "eng",
      values: [
        { label: "crop", category: "3", value: "3", text: "maize 3", timeMs: Date.parse("2026-03-04T06:00:00.000Z") },
        { label: "ok", category: "yes", value: "yes", text: "yes" },
      ],
    },
  ],
  ["flow: { person: farmers/3, flow: Registration }", { verb: "flow", person: person3, flow: "Registration" }],
  [
    "flow: { of: clinic, person: +250788123456, flow: 6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a01, extra: { age: 45, who: { name: Ann, since: [2020, yes] }, fake: lorem.word } }",
    {
      verb: "flow", person: { phone: "+250788123456" }, of: clinic, flow: "6d1f5b1e-3a1c-4a57-9c86-0f4c1b1d2a01",
      extra: { age: 45, who: { name: "Ann", since: [2020, "yes"] }, fake: "lorem.word" },
    },
  ],
  ["event: { of: clinic/3, type: mo_mms, fields: { media: a.jpg, size: 007 } }", { verb: "event", of: phone3, type: "mo_mms", fields: [["media", "a.jpg"], ["size", "007"]] }],
  ["receiver: { answers: 503, for: 10m }", { answers: "status", status: 503, forMs: 600_000 }],
  ["receiver: { answers: hang }", { answers: "hang" }],
]; // prettier-ignore

describe("verbs", () => {
  it.each(cases)("%s", (step, input) => {
    const seen = stepOf(step);
    expect("input" in seen ? seen.input : seen).toEqual(input);
  });

  it("note", () => {
    expect(stepOf("note: the storm begins")).toEqual({ to: "log", text: "the storm begins" });
  });

  it("expect an event", () => {
    const step =
      'expect: { event: mo_sms, of: clinic/3, where: { text: /maize/i, status: D }, count: ">= 2", within: 5m }';
    expect(stepOf(step)).toEqual({
      to: "expect",
      expectation: {
        kind: "event",
        text: "event: mo_sms, of: clinic/3, where: { text: /maize/i, status: D }, count: >= 2, within: 5m",
        type: "mo_sms",
        of: phone3,
        where: [
          ["text", { kind: "regexp", source: "maize", flags: "i" }],
          ["status", { kind: "contains", text: "D" }],
        ],
        count: { op: ">=", value: 2 },
        withinMs: 300_000,
      },
    });
  });

  it("expect a result, or a member of a group", () => {
    expect(
      stepOf("expect: { person: farmers/3, result: Age, is: /4/, category: Adult, flow: Survey, within: 2m }"),
    ).toEqual({
      to: "expect",
      expectation: {
        kind: "result",
        text: "person: farmers/3, result: Age, is: /4/, category: Adult, flow: Survey, within: 2m",
        people: person3,
        result: "Age",
        value: { kind: "regexp", source: "4", flags: "" },
        category: "Adult",
        flow: "Survey",
        withinMs: 120_000,
      },
    });
    expect(stepOf("expect: { group: Mothers, lacks: +250788123456 }")).toEqual({
      to: "expect",
      expectation: {
        kind: "group",
        text: "group: Mothers, lacks: +250788123456",
        people: { phone: "+250788123456" },
        group: "Mothers",
        isMember: false,
      },
    });
  });

  it("each verb's own example is sound in a scenario that has what it names", () => {
    for (const { name, example } of Object.values(verbs)) {
      const cast = base().replace("lasts: 1h", "lasts: 1d").replace("count: 10", "count: 20");
      expect(diagnostics(`${cast}story:\n  - ${example}\n`), name).toEqual([]);
      expect(sound(`${cast}story:\n  - ${example}\n`).story).toHaveLength(1);
    }
  });
});
