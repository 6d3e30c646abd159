import { readFileSync } from "node:fs";
import { join } from "node:path";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { newScenarioText, scenarioJsonSchema } from "../../src/scenario/index.js";
import { verbs } from "../../src/scenario/verbs/index.js";
import { profiles } from "../../src/world/index.js";

interface Shape {
  readonly $schema?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}

const schema = scenarioJsonSchema() as Shape;

/** The shape at a path of keys: `*` is any name in a map, `[]` an item of a list. */
function at(...path: readonly string[]): Shape | undefined {
  return path.reduce<Shape | undefined>((shape, key) => {
    const filled = shape?.properties === undefined && shape?.anyOf !== undefined ? shape.anyOf[0] : shape; // or nothing
    if (key === "[]") return (shape?.items ?? filled?.items) as Shape | undefined;
    if (key === "*") {
      const { additionalProperties } = shape?.additionalProperties === undefined ? (filled ?? {}) : shape;
      return typeof additionalProperties === "object" ? additionalProperties : undefined;
    }
    return shape?.properties?.[key];
  }, schema);
}

/** All shapes in a schema. */
function* shapes(value: unknown): Generator<Shape> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value;
  for (const inner of Object.values(value)) yield* shapes(inner);
}

describe("the JSON Schema", () => {
  it("names its dialect and what a scenario needs", () => {
    expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
    expect(schema.required).toEqual(["lasts", "handsets"]);
    expect(schema.additionalProperties).toBe(false);
  });

  it("knows each verb, with a sentence about it and about each of its arguments", () => {
    for (const { name, about } of Object.values(verbs)) {
      const verb = at("story", "[]", name);
      expect(verb?.description, name).toBe(about);
      for (const [key, argument] of Object.entries(verb?.properties ?? {})) {
        expect(argument.description, `${name}.${key}`).toMatch(/\S{3}/);
      }
    }
  });

  it("gives editors words, defaults and forms", () => {
    expect(at("handsets", "*", "network")).toMatchObject({ default: "LTE" });
    expect(JSON.stringify(at("handsets", "*", "network"))).toContain('"EDGE"');
    expect(at("handsets", "*", "profile")?.anyOf?.[0]?.enum).toEqual(
      Object.keys(profiles).flatMap((name) => (/^\d+$/.test(name) ? [name, Number(name)] : [name])),
    );
    expect(at("seed")).toMatchObject({
      default: 1,
      anyOf: [{ type: "integer", minimum: 0 }, { type: "string" }],
    });
    const rate = at("traffic", "[]", "rate")?.pattern ?? "";
    expect(new RegExp(rate).test("20/s")).toBe(true);
    expect(new RegExp(rate).test("20")).toBe(false);
  });

  it("its patterns compile, and no keyword of ours is left in it", () => {
    for (const shape of shapes(schema)) {
      if (typeof shape.pattern === "string") expect(() => new RegExp(shape.pattern ?? "", "u")).not.toThrow();
      expect(Object.keys(shape).filter((key) => key.startsWith("x-"))).toEqual([]);
    }
  });
});

/** Asks a strict validator (the one in fastify) whether a scenario keeps to the schema. */
async function validator(): Promise<(scenario: unknown) => Promise<boolean>> {
  const server = fastify({
    ajv: { customOptions: { strict: true, coerceTypes: false, removeAdditional: false, useDefaults: false } },
  });
  onTestFinished(() => server.close());
  server.post("/", { schema: { body: scenarioJsonSchema() } }, () => "ok");
  await server.ready();
  return async (scenario) => {
    const { statusCode } = await server.inject({ method: "POST", url: "/", payload: scenario as object });
    if (statusCode !== 200 && statusCode !== 400) throw new Error(`status ${statusCode}`);
    return statusCode === 200;
  };
}

const plain = {
  lasts: "2h",
  handsets: { a: { count: 4, phone: "+25078800{00}" } },
  people: { p: { phone: "+250781111111" } },
};
const step = (verb: object): object => ({ ...plain, story: [{ at: "1h", ...verb }] });
const handset = (more: object): object => ({ ...plain, handsets: { a: { phone: "+250788000001", ...more } } });
const traffic = (more: object): object => ({ ...plain, traffic: [{ rate: "1/s", ...more }] });
const texts = { from: "p", to: "a", body: "x" };

describe("what a strict validator says by the schema", () => {
  it("sound scenarios keep to it", async () => {
    const keeps = await validator();
    const sound: readonly unknown[] = [
      plain,
      ...["power-cut.yaml.txt", "everything.yaml"].map((name): unknown =>
        parse(readFileSync(join(import.meta.dirname, "fixtures", name), "utf8")),
      ),
      parse(newScenarioText()),
      { ...plain, seed: "7", starts: "now", people: null, traffic: null, story: null, expect: null, carriers: null },
      { ...plain, starts: "2026-03-04T06:00:00", timezone: "Etc/GMT+3", carriers: { m: null } },
      { ...plain, expect: ["lost==0", "delivery.p99 < 1.5s", "events.mo_mms >= 3"] },
      { ...plain, expect: ["delivery.p99.9{type=mo_sms} < 2s over 10s from 30s abort", "failures <= 0.5%"] },
      { ...plain, expect: [{ that: "accepted.rate >= 200/s", over: "1m", abort: true }, "statuses.5xx == 0"] },
      { ...plain, service: { waits: "5m", retried: "400..599", redirects: "true" } },
      handset({ count: "4", packs: "2", faults: "early-sent", clock: "-5m..5m", battery: ["5%", { exp: "50%" }] }),
      handset({ clock: { weighted: { "1s": 3, "-5m..5m": "2" } }, profile: 2017 }),
      traffic({ texts, rate: undefined, shape: [{ to: "0/s" }, { to: "2/s", over: "5m" }, { hold: "1d2h3m4s5ms" }] }),
      traffic({ texts, per: "person", arrivals: "burst", every: "5m", name: "storm" }),
      traffic({ texts, rate: undefined, arrivals: { csv: "t.csv", column: "at", sender: "who" } }),
      traffic({ texts, shape: { diurnal: Array.from({ length: 24 }, () => 1) } }),
      traffic({
        texts,
        shape: [
          { to: "2/s", over: "5m", steps: 3 },
          { spike: "9/s", for: "5s" },
        ],
      }),
      traffic({ texts, shape: [{ repeat: 3, of: [{ spike: "9/s", for: "5s" }, { hold: "1m" }] }] }),
      step({ traffic: { of: "storm", rate: "2/s", for: "1m" } }),
      step({ traffic: { of: 0, times: "2x" } }),
      step({ receiver: { answers: "503" } }),
      step({ sync: { of: "a", now: true } }),
      ...["1d", "monday", "Mon", "mon..fri", ["wed", "saturday..sunday"]].map((every) =>
        step({ at: "friday 19:30", every, note: "now" }),
      ),
      step({ at: "tue 19:00..20:30", note: "now" }),
      step({ clock: { of: "a", skew: "3h", for: "5m..2h" } }),
    ];
    for (const one of sound) expect(await keeps(one), JSON.stringify(one)).toBe(true);
  });

  it("broken ones do not", async () => {
    const keeps = await validator();
    const broken: readonly object[] = [
      { ...plain, starts: "tomorrow" },
      { ...plain, lasts: "30m1h" },
      ...["mondey", "MON", "mon..", "daily", [], ["1d"], 7].map((every) => step({ at: "19:30", every, note: "now" })),
      ...["mondey 19:30", "monday", "monday 25:00"].map((at) => step({ at, note: "now" })),
      { ...plain, lasts: 120 },
      { ...plain, handsets: {} },
      { ...plain, expect: ["lostt == 0"] },
      { ...plain, expect: ["lost == 5s"] },
      { ...plain, expect: ["failures < 1"] },
      { ...plain, expect: [{ that: "delivery.p99 < 500ms", ower: "10s" }] },
      { ...plain, people: { p: { name: "Joe" } } },
      { ...plain, people: { p: { phone: "+250781111111", sender: "MTN" } } },
      { ...plain, carriers: { m: { delay: "soon" } } },
      { ...plain, carriers: { m: { delay: ["1s", "soon"] } } },
      { ...plain, carriers: { m: { loses: "120%" } } },
      { ...plain, carriers: { m: { delay: { weighted: { "1s": "30%" } } } } },
      { ...plain, carriers: { m: { delay: { weighted: {} } } } },
      handset({ battery: "20%-90%" }),
      handset({ count: 0 }),
      handset({ phone: "0788" }),
      traffic({ texts, rate: "0/s" }),
      traffic({ texts, rate: undefined }),
      traffic({ texts, sends: { via: "a", to: "p", body: "x" } }),
      traffic({}),
      traffic({ texts, per: "phone" }),
      traffic({ texts, shape: { diurnal: [1, 2] } }),
      traffic({ texts, shape: [{ hold: "1m", to: "2/s" }] }),
      traffic({ texts, shape: [{ hold: "1m", for: "2m" }] }),
      traffic({ texts, shape: [{ repeat: 2, of: [] }] }),
      step({ traffic: { of: "storm" } }),
      step({ traffic: { times: "2x", state: "paused" } }),
      traffic({ calls: { from: "p", to: "a", rings: "5s", talks: "5s" } }),
      step({}),
      step({ note: "x", pause: { of: "a" } }),
      step({ after: "5m", note: "x" }),
      step({ sync: { of: "a" } }),
      step({ network: { of: "a" } }),
      step({ expect: {} }),
      step({ receiver: { answers: 99 } }),
    ];
    for (const one of broken) expect(await keeps(one), JSON.stringify(one)).toBe(false);
  });
});
