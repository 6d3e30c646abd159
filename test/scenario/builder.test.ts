import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakesOf, type Scenario, scenario, ScenarioError, type ScenarioInput } from "../../src/scenario/index.js";
import { presetNames } from "../../src/wire/index.js";
import { sound } from "./help.js";

const fixture = (name: string): string => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");

/** Without what tells a built scenario from a written one: lines and source. */
function plain(whole: Scenario): object {
  const story = whole.story.map(({ atMs, input }) => ({ atMs, input }));
  return { ...whole, story, source: undefined };
}

const powerCut: ScenarioInput = {
  name: "Power cut in the district",
  seed: 7,
  starts: "2026-03-04T06:00:00.000Z",
  lasts: "3h",
  receiver: { url: "http://127.0.0.1:8080/events?key=secret" },
  service: "documented",
  carriers: { mtn: { delay: "1s..6s", loses: "0.2%", "reports-delivery": "92%" } },
  handsets: { clinic: { count: 40, phone: "+2507880{00000}", carrier: "mtn", battery: "55%..100%", network: "LTE" } },
  people: {
    farmers: {
      count: 2000,
      of: "clinic",
      phone: "+2507811{00000}",
      replies: { chance: "60%", after: "20s..10m", with: ["yes", "no", "12"] },
    },
  },
  traffic: [{ texts: { from: "farmers", to: "clinic", body: { pick: ["join", "HELP", "maize 12kg"] } }, rate: "2/s" }],
  story: [
    { at: "1h", power: { of: "clinic/0..19", mains: "off", for: "40m" } },
    { at: "1h", network: { of: "clinic/0..19", type: "none", for: "40m" } },
    { at: "1h5m", text: { from: "farmers/3", to: "clinic/3", body: "are you there?" } },
    { at: "1h30m", call: { from: "farmers/7", to: "clinic/3", rings: "25s" } },
    { at: "2h", send: { via: "clinic/3", to: "farmers/3", body: "we are back" } },
    { at: "2h", expect: { person: "farmers/3", hears: /back/, within: "2m" } },
  ],
  expect: ["lost == 0", "delivery.p99 < 500ms", "alarms >= 1"],
};

const everything: ScenarioInput = {
  name: 2026,
  about: "yes: \"quoted\", 'quoted' & # not a comment\nsecond line",
  lasts: "1d",
  timezone: "Africa/Kigali",
  lookahead: "2s",
  receiver: "none",
  service: { preset: "rapidpro-2016", attempts: 5, retried: [404, "500..599"], "reply-to-sender": true },
  carriers: { mtn: {}, airtel: { delay: { normal: ["5s", "1s"] }, duplicates: "1%", "reports-after": { exp: "30s" } } },
  handsets: {
    clinic: {
      count: 3,
      phone: "+2507880{000}",
      carrier: "mtn",
      profile: 2017,
      packs: 2,
      faults: ["early-sent"],
      clock: "-5m..5m",
    },
    ward: {
      phone: "+250788100000",
      carrier: "airtel",
      mains: "off",
      profile: { preset: "plain", "poll-every": "5m" },
      receiver: "none",
    },
  },
  people: {
    farmers: {
      count: 9,
      phone: "+2507811{000}",
      of: "clinic",
      name: { fake: "person.fullName", locale: "fr" },
      language: "kin",
      "picks-up": "50%",
    },
    operator: { sender: "MTN", of: "ward" },
  },
  traffic: [
    {
      calls: { from: "clinic", to: "farmers", talks: { lognormal: ["3m", "1m"] } },
      rate: "5/h",
      arrivals: "even",
      from: "1h",
      until: "2h",
    },
    {
      sends: { via: "ward", to: "farmers", body: { weighted: { hello: 3, "12": 1 } } },
      shape: [{ to: "1/s", over: "1m" }, { hold: "5m" }],
    },
    {
      texts: { from: "operator", to: "ward", body: [{ fake: "lorem.sentence" }, "plain"] },
      rate: "1/h",
      shape: "diurnal",
    },
  ],
  story: [
    { after: "1m", note: true },
    { after: "1m", event: { of: "ward", type: "mo_mms", fields: { size: 12, ok: true } } },
    { at: "1h", receiver: { answers: 500, for: undefined } },
    { at: "2h", expect: { event: "mo_call", where: { duration: 12 }, count: 0 } },
  ],
};

describe("the builder", () => {
  it.each([
    ["power-cut.yaml.txt", powerCut],
    ["everything.yaml", everything],
  ])("says the same as %s", (file, input) => {
    expect(plain(scenario(input))).toEqual(plain(sound(fixture(file))));
  });

  it("its source is YAML that says the same, its steps have no lines", () => {
    const built = scenario(everything);
    expect(plain(sound(built.source.text))).toEqual(plain(built));
    expect(built.story.map((step) => step.line)).toEqual([0, 0, 0, 0]);
  });

  it("a scenario that is not sound is an error with its diagnostics", () => {
    const build = (): unknown => scenario({ ...powerCut, seed: 1.5, expect: ["lots == 0"] });
    expect(build).toThrow(ScenarioError);
    try {
      build();
    } catch (error) {
      expect(error instanceof ScenarioError ? error.diagnostics.map((one) => one.code) : error).toEqual([
        "bad-value",
        "unknown-metric",
      ]);
      expect(String(error)).toContain("did you mean 'ledger.gap'?");
    }
  });

  it("the compiler knows the keys, the words and the verbs", () => {
    const handsets = { clinic: { phone: "+250788000001" } };
    const wrong: readonly ScenarioInput[] = [
      // @ts-expect-error -- a key that does not exist
      { lasts: "1h", handsets, lookahed: "5s" },
      // @ts-expect-error -- a word that is none of them
      { lasts: "1h", handsets, story: [{ at: "1m", power: { of: "clinic", mains: "of" } }] },
      // @ts-expect-error -- two verbs in one step
      { lasts: "1h", handsets, story: [{ at: "1m", note: "a", pause: { of: "clinic" } }] },
      // @ts-expect-error -- a setting of the service that does not exist
      { lasts: "1h", handsets, service: { atempts: 3 } },
      // @ts-expect-error -- a number of the profile that does not exist
      { lasts: "1h", handsets: { clinic: { phone: "+250788000001", profile: { "pol-every": "5m" } } } },
    ];
    for (const input of wrong) expect(() => scenario(input)).toThrow(ScenarioError);
  });

  it("names the fakes to prepare, each once", () => {
    expect(fakesOf(scenario(everything))).toEqual([
      { path: "person.fullName", locale: "fr" },
      { path: "lorem.sentence", locale: "en" },
    ]);
    expect(fakesOf(scenario(powerCut))).toEqual([]);
  });
});

describe("values that are not plain data", () => {
  const base = { lasts: "2h", handsets: { clinic: { phone: "+250788000001" } } } satisfies ScenarioInput;
  const circular: Record<string, unknown> = { ...base };
  circular["story"] = [{ at: "1h", event: { of: "clinic", type: "x", fields: circular } }];

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "'the scenario' is no object, but undefined"],
    ["a function", { ...base, story: [{ at: "1h", note: () => "hi" }] }, "'story.0.note' is a function"],
    ["a symbol", { ...base, name: Symbol("x") }, "'name' is a symbol"],
    ["a cycle", circular, "'story.0.event.fields' is an object that contains itself"],
    ["a date that is none", { ...base, starts: new Date(NaN) }, "'starts' is an invalid Date"],
  ])("%s", (_, input, message) => {
    let thrown: unknown;
    try {
      scenario(input as ScenarioInput);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(ScenarioError);
    expect((thrown as ScenarioError).diagnostics).toMatchObject([{ code: "wrong-type", message }]);
  });

  it("the compiler refuses what the parser refuses", () => {
    const texts = { from: "p", to: "clinic", body: "x" };
    const calls = { from: "p", to: "clinic" };
    // @ts-expect-error a preset that does not exist
    expect(() => scenario({ ...base, service: "documentd" })).toThrow("unknown-preset");
    // @ts-expect-error two kinds in one entry
    expect(() => scenario({ ...base, traffic: [{ texts, calls, rate: "1/s" }] })).toThrow("not-together");
    for (const preset of presetNames) {
      expect(scenario({ ...base, service: preset }).service.name).toBe(preset);
    }
  });
});
