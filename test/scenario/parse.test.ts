import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newScenarioText, parseScenario } from "../../src/scenario/index.js";
import { profiles } from "../../src/world/index.js";
import { servicePresets } from "../../src/wire/index.js";
import { base, diagnostics, sound } from "./help.js";

const powerCut = readFileSync(join(import.meta.dirname, "fixtures", "power-cut.yaml.txt"), "utf8");
const minute = 60_000;
const hour = 60 * minute;

describe("the power cut", () => {
  const scenario = sound(powerCut);
  const all = { group: "clinic", from: 0, to: 39 };
  const half = { group: "clinic", from: 0, to: 19 };
  const person = (member: number): object => ({ group: "farmers", from: member, to: member });
  const phone3 = { group: "clinic", from: 3, to: 3 };

  it("at the top", () => {
    expect(scenario).toMatchObject({
      name: "Power cut in the district",
      seed: 7,
      startsNow: false,
      lookaheadMs: 5000,
      receiver: { url: "http://127.0.0.1:8080/events?key=secret", headers: {}, connections: 50, marks: false },
      source: { file: "test.yaml", text: powerCut },
    });
    expect(scenario.service).toEqual(servicePresets.get("documented"));
  });

  it("the cast", () => {
    expect(scenario.cast).toEqual({
      startsAtMs: Date.parse("2026-03-04T06:00:00.000Z"),
      lastsMs: 3 * hour,
      timezone: "UTC",
      carriers: [
        {
          name: "mtn",
          delay: { kind: "uniform", min: 1000, max: 6000, whole: true },
          loses: 0.002,
          duplicates: 0,
          reportsDelivery: 0.92,
          reportsAfter: { kind: "uniform", min: 1000, max: 10_000, whole: true },
          expiresAfterMs: Infinity,
          carriesPerMs: Infinity,
          longTexts: "whole",
        },
      ],
      handsets: [
        {
          name: "clinic",
          count: 40,
          phone: { prefix: "+2507880", first: 0, digits: 5, suffix: "" },
          carrier: "mtn",
          battery: { kind: "uniform", min: 55, max: 100, whole: true },
          mains: true,
          network: "LTE",
          profile: profiles["plain"],
          clockSkew: { kind: "fixed", value: 0 },
          picksUp: 0,
        },
      ],
      people: [
        {
          name: "farmers",
          count: 2000,
          phone: { prefix: "+2507811", first: 0, digits: 5, suffix: "" },
          of: all,
          replies: {
            chance: 0.6,
            after: { kind: "uniform", min: 20_000, max: 10 * minute, whole: true },
            with: { kind: "pick", of: ["yes", "no", "12"].map((value) => ({ kind: "fixed", value })) },
          },
          picksUp: 0,
        },
      ],
      traffic: [
        {
          kind: "texts",
          people: { group: "farmers", from: 0, to: 1999 },
          handsets: all,
          from: "people",
          body: { kind: "pick", of: ["join", "HELP", "maize 12kg"].map((value) => ({ kind: "fixed", value })) },
          arrivals: "poisson",
          fromMs: 0,
          untilMs: 3 * hour,
          shape: { kind: "constant", perMs: 0.002 },
        },
      ],
    });
  });

  it("the story and what is expected", () => {
    expect(scenario.story).toEqual([
      {
        atMs: hour,
        line: 19,
        place: 0,
        input: { to: "world", input: { verb: "power", of: half, mains: false, forMs: 40 * minute } },
      },
      {
        atMs: hour,
        line: 21,
        place: 1,
        input: { to: "world", input: { verb: "network", of: half, type: "none", forMs: 40 * minute } },
      },
      {
        atMs: 65 * minute,
        line: 23,
        place: 2,
        input: {
          to: "world",
          input: { verb: "text", from: person(3), to: phone3, body: { kind: "fixed", value: "are you there?" } },
        },
      },
      {
        atMs: 90 * minute,
        line: 25,
        place: 3,
        input: {
          to: "world",
          input: {
            verb: "call",
            by: "person",
            people: person(7),
            handsets: phone3,
            rings: { kind: "fixed", value: 25_000 },
          },
        },
      },
      {
        atMs: 2 * hour,
        line: 27,
        place: 4,
        input: {
          to: "gateway",
          input: { verb: "send", via: phone3, to: person(3), body: { kind: "fixed", value: "we are back" } },
        },
      },
      {
        atMs: 2 * hour,
        line: 29,
        place: 5,
        input: {
          to: "expect",
          expectation: {
            kind: "hears",
            text: "person: farmers/3, hears: /back/, within: 2m",
            people: person(3),
            pattern: { kind: "regexp", source: "back", flags: "" },
            withinMs: 2 * minute,
          },
        },
      },
    ]);
    expect(scenario.expect).toEqual([
      { text: "lost == 0", metric: "lost", op: "==", value: 0 },
      { text: "delivery.p99 < 500ms", metric: "delivery.p99", op: "<", value: 500 },
      { text: "alarms >= 1", metric: "alarms", op: ">=", value: 1 },
    ]);
  });
});

describe("defaults", () => {
  it("of a scenario with only the required keys", () => {
    const scenario = sound('lasts: 1h\nhandsets: { post: { phone: "+250788000001" } }\n', {
      file: "some/first-try.yaml",
    });
    expect(scenario).toMatchObject({
      name: "first-try",
      seed: 1,
      startsNow: false,
      lookaheadMs: 5000,
      story: [],
      expect: [],
    });
    expect(scenario.receiver).toBeUndefined();
    expect(scenario.service.name).toBe("documented");
    expect(scenario.cast).toMatchObject({
      startsAtMs: Date.parse("2026-01-01T00:00:00.000Z"),
      timezone: "UTC",
      people: [],
      traffic: [],
      carriers: [{ loses: 0, duplicates: 0, reportsDelivery: 1 }],
    });
    expect(scenario.cast.handsets).toMatchObject([
      { name: "post", count: 1, mains: true, network: "LTE", picksUp: 0, battery: { kind: "fixed", value: 100 } },
    ]);
    expect(scenario.cast.handsets[0]?.carrier).toBe(scenario.cast.carriers[0]?.name);
  });

  it("starts: now is the instant of reading", () => {
    const scenario = sound(base("starts: now\n"), { nowMs: 1_772_604_000_123 });
    expect(scenario.startsNow).toBe(true);
    expect(scenario.cast.startsAtMs).toBe(1_772_604_000_123);
  });

  it("a seed from outside wins", () => {
    expect(sound(base("seed: 3\n"), { seed: 99 }).seed).toBe(99);
  });

  it("a single carrier serves all handsets, and may be left empty", () => {
    expect(sound(base("carriers:\n  airtel:\n")).cast.handsets[0]?.carrier).toBe("airtel");
  });
});

describe("receiver, service and profile", () => {
  it("a receiver in full", () => {
    const more = `receiver:
  url: https://example.org/hook?a=1&b=2
  timeout: 2s
  headers: { X-Key: 12, X-Name: yes }
  ca: ca.pem
  connections: 8
  marks: true
`;
    const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    expect(sound(base(more), { readFile: () => pem }).receiver).toEqual({
      url: "https://example.org/hook?a=1&b=2",
      timeoutMs: 2000,
      headers: { "X-Key": "12", "X-Name": "yes" },
      ca: pem,
      connections: 8,
      marks: true,
    });
  });

  it.each(["none", "bundled"])("the word %s", (word) => {
    expect(sound(base(`receiver: ${word}\n`)).receiver?.url).toBe(word);
  });

  it("a preset with changes", () => {
    const more = `service: { preset: rapidpro-2016, attempts: 2, waits: [90s], retried: [404, 500..599], reply-to-sender: true, spelling: table, alarm-silent-after: 1h, alarm-battery-below: 10% }\n`;
    expect(sound(base(more)).service).toEqual({
      ...servicePresets.get("rapidpro-2016"),
      attempts: 2,
      waitsMs: [90_000],
      retried: { listed: [404], from: 500, below: 600 },
      replyToSender: true,
      spelling: "table",
      alarmSilentAfterMs: hour,
      alarmBatteryBelow: 10,
    });
  });

  const handset = (keys: string): ReturnType<typeof sound>["cast"]["handsets"][number] | undefined =>
    sound(`lasts: 1h\nhandsets: { post: { phone: "+250788000001", ${keys} } }\n`).cast.handsets[0];

  it("a profile by its name, with other packs and faults", () => {
    expect(handset("profile: 2017")?.profile).toEqual(profiles["2017"]);
    expect(handset("profile: 2017, packs: none, faults: []")?.profile).not.toHaveProperty("packs");
    expect(handset("profile: 2017, faults: [early-sent]")?.profile.faults).toEqual(new Set(["early-sent"]));
    expect(handset("packs: 3")?.profile.packs).toBe(3);
  });

  it("a profile with changes", () => {
    const profile = handset(
      "profile: { preset: 2017, poll-every: 5m, retry-waits: [1m, 2m], push-loses: 5%, boot-level: 4% }",
    )?.profile;
    expect(profile).toEqual({
      ...profiles["2017"],
      pollEveryMs: 5 * minute,
      retryWaitsMs: [minute, 2 * minute],
      pushLoses: 0.05,
      bootLevel: 4,
    });
  });
});

describe("traffic", () => {
  const entry = (text: string): object | undefined => sound(base(`traffic:\n  - { ${text} }\n`)).cast.traffic[0];

  it("calls go either way", () => {
    expect(entry("calls: { from: farmers, to: clinic/2, talks: 1m..3m }, rate: 6/h, arrivals: burst")).toMatchObject({
      kind: "calls",
      from: "people",
      people: { group: "farmers" },
      handsets: { group: "clinic", from: 2, to: 2 },
      talks: { kind: "uniform", min: minute, max: 3 * minute },
      arrivals: "burst",
      shape: { kind: "constant", perMs: 6 / hour },
    });
    expect(entry("calls: { from: clinic, to: 10% of farmers }, rate: 2/d")).toMatchObject({
      from: "handsets",
      people: { group: "farmers", from: 0, to: 19, share: 0.1 },
      handsets: { group: "clinic" },
    });
  });

  it("sends name the handsets they go through", () => {
    expect(entry("sends: { via: clinic, to: farmers/0..4, body: hi }, rate: 1/s, from: 10m, until: 20m")).toMatchObject(
      {
        kind: "sends",
        people: { group: "farmers", from: 0, to: 4 },
        handsets: { group: "clinic", from: 0, to: 9 },
        fromMs: 10 * minute,
        untilMs: 20 * minute,
      },
    );
  });

  it("shapes", () => {
    const texts = "texts: { from: farmers, to: clinic, body: hi }";
    expect(entry(`${texts}, rate: 100/h, shape: diurnal`)).toMatchObject({
      shape: { kind: "diurnal", perMs: 100 / hour },
    });
    expect(entry(`${texts}, rate: 2/s, shape: [{ to: 20/s, over: 10m }, { to: 5/s }, { hold: 5m }]`)).toMatchObject({
      shape: {
        kind: "pieces",
        pieces: [
          { startPerMs: 0.002, endPerMs: 0.02, lastsMs: 10 * minute },
          { startPerMs: 0.005, endPerMs: 0.005, lastsMs: 5 * minute },
        ],
      },
    });
  });
});

describe("the story", () => {
  it("after counts from the step before; steps of one instant keep the order of the file", () => {
    const more = `story:
  - { at: 30m, note: c }
  - { after: 10m, note: e }
  - { at: 5m, note: a }
  - { at: 30m, note: d }
  - { at: 10m, note: b }
`;
    const { story } = sound(base(more));
    expect(story.map((step) => step.atMs / minute)).toEqual([5, 10, 30, 30, 40]);
    expect(story.map((step) => (step.input.to === "log" ? step.input.text : ""))).toEqual(["a", "b", "c", "d", "e"]);
  });

  it("a first step's after counts from the start, and a step may happen at the very end", () => {
    const { story } = sound(base("story:\n  - { after: 1m, note: a }\n  - { at: 1h, note: b }\n"));
    expect(story.map((step) => step.atMs)).toEqual([minute, hour]);
  });

  it("an effect past the end is only a warning", () => {
    const text = base("story:\n  - at: 50m\n    power: { of: clinic, mains: off, for: 40m }\n");
    const parsed = parseScenario(text, { file: "test.yaml", nowMs: 0 });
    expect(parsed.scenario).toBeDefined();
    expect(parsed.diagnostics).toMatchObject([
      { severity: "warning", code: "past-end", line: 9, column: 43, length: 3 },
    ]);
  });
});

describe("files that a scenario names", () => {
  const readFile = (): string => '﻿text,seconds\nhello,5s\n"one, two",10s\n';

  it("a column of a csv file is a pick", () => {
    const more = "traffic:\n  - { texts: { from: farmers, to: clinic, body: { csv: words.csv } }, rate: 1/s }\n";
    expect(sound(base(more), { readFile }).cast.traffic[0]?.body).toEqual({
      kind: "pick",
      of: [
        { kind: "fixed", value: "hello" },
        { kind: "fixed", value: "one, two" },
      ],
    });
    const call =
      "traffic:\n  - { calls: { from: farmers, to: clinic, rings: { csv: words.csv, column: seconds } }, rate: 1/s }\n";
    expect(sound(base(call), { readFile }).cast.traffic[0]?.rings).toMatchObject({
      of: [{ value: 5000 }, { value: 10_000 }],
    });
  });

  it("without readFile, a csv file is reported", () => {
    const more = "traffic:\n  - { texts: { from: farmers, to: clinic, body: { csv: words.csv } }, rate: 1/s }\n";
    expect(diagnostics(base(more))).toMatchObject([
      { code: "bad-file", line: 8, message: "files cannot be read here" },
    ]);
  });

  it("csv is an ordinary key in maps of data", () => {
    const more = "story:\n  - { at: 1m, event: { of: clinic/0, type: upload, fields: { csv: words.csv } } }\n";
    expect(sound(base(more)).story[0]?.input).toMatchObject({ input: { fields: [["csv", "words.csv"]] } });
  });
});

it("the starter scenario is sound and has no warnings", () => {
  expect(diagnostics(newScenarioText())).toEqual([]);
  expect(sound(newScenarioText()).story.length).toBeGreaterThan(4);
});

it("aliases repeat what their anchors say", () => {
  const text = `lasts: 1h
handsets:
  a: { phone: "+250788000001", battery: &low 10%..20% }
  b: { phone: "+250788000002", battery: *low }
`;
  const [a, b] = sound(text).cast.handsets;
  expect(b?.battery).toEqual(a?.battery);
});
