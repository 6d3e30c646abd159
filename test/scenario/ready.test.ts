import { readFileSync } from "node:fs";
import fastify from "fastify";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { readAccount } from "../../src/index.js";
import {
  type AccountFile,
  accountJsonSchema,
  fakesOf,
  formatDiagnostics,
  newScenarioText,
  parseScenario,
} from "../../src/scenario/index.js";
import { type BoundaryData, fieldTypes } from "../../src/wire/index.js";
import { drawCountry } from "./country.js";
import { sound } from "./help.js";

const folder = new URL("../../scenarios/accounts/", import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, folder), "utf8");

async function ready(): Promise<AccountFile> {
  const text = read("ready.yaml");
  const { account, diagnostics } = await readAccount(text, { file: "ready.yaml", readFile: read });
  expect(formatDiagnostics(diagnostics, text)).toBe("");
  if (account === undefined) throw new Error("not sound");
  return account;
}

describe("the ready account", () => {
  it("has something of everything", async () => {
    const account = await ready();
    expect(new Set(account.fields.map(({ type }) => type))).toEqual(new Set(fieldTypes));
    expect(account.groups.filter(({ query }) => query !== null)).toHaveLength(2);
    expect(account.groups.filter(({ query }) => query === null).length).toBeGreaterThanOrEqual(3);
    expect(account.labels.length).toBeGreaterThan(0);
    expect(account.flows.map(({ definition }) => "nodes" in definition)).toEqual([true, true]);
    expect(account.campaigns.flatMap(({ events }) => events).map(({ flow }) => flow === null)).toEqual([true, false]);
    expect(account.triggers.length).toBeGreaterThan(1);
    expect(account.resthooks.map(({ slug }) => slug)).toEqual(["stock-low"]);
    expect(new Set(account.runs.map(({ exit }) => exit))).toEqual(
      new Set([null, "completed", "interrupted", "expired"]),
    );
    expect(new Set(account.contacts.map(({ state }) => state))).toEqual(
      new Set(["active", "blocked", "stopped", "deleted"]),
    );
  });

  it("its contacts are the people of the ready scenario, with names in many scripts", async () => {
    const { contacts } = await ready();
    const [group] = sound(read("../ready.yaml")).cast.people;
    const { prefix = "", first = 0, digits = 0 } = group?.phone ?? {};
    const phones = Array.from({ length: 30 }, (_, i) => `tel:${prefix}${String(first + i).padStart(digits, "0")}`);
    expect(group).toMatchObject({ name: "people", count: 30 });
    expect(contacts.filter(({ state }) => state !== "deleted").map(({ urns: [urn] }) => urn)).toEqual(phones);
    const names = contacts.map(({ name }) => name ?? "").join(" ");
    for (const script of [
      "Latin",
      "Cyrillic",
      "Arabic",
      "Devanagari",
      "Han",
      "Katakana",
      "Ethiopic",
      "Hangul",
      "Tamil",
    ]) {
      expect(names).toMatch(new RegExp(`\\p{Script=${script}}`, "u"));
    }
  });

  it("keeps to the JSON Schema", async () => {
    const app = fastify({
      ajv: { customOptions: { strict: true, coerceTypes: false, removeAdditional: false, useDefaults: false } },
    });
    onTestFinished(() => app.close());
    app.post("/", { schema: { body: accountJsonSchema() } }, () => "keeps");
    const keeps = async (payload: unknown): Promise<boolean> =>
      (await app.inject({ method: "POST", url: "/", payload: payload as object })).statusCode === 200;
    const whole = parse(read("ready.yaml")) as Readonly<Record<string, unknown>>;
    expect(await keeps(whole)).toBe(true);
    expect(
      await keeps({ account: "existing", contacts: { Amina: "+12065550110" }, resthooks: { "stock-low": null } }),
    ).toBe(true);
    for (const broken of [
      {},
      { account: "other" },
      { account: {}, contact: [] },
      { account: {}, fields: { age: "number" } },
      { account: {}, groups: [{ query: "age > 3" }] },
      { account: {}, contacts: { Amina: "0788" } },
      { account: {}, people: [{ count: 3 }] },
      { account: {}, triggers: [{ type: "missed", flow: "A" }] },
      {
        account: {},
        campaigns: [{ name: "A", group: "B", events: [{ "relative-to": "c", offset: "3d", message: "D" }] }],
      },
    ]) {
      expect(await keeps(broken), JSON.stringify(broken)).toBe(false);
    }
  });
});

describe("the ready scenario", () => {
  it("draws nothing that needs faker, so that it starts at once", () => {
    expect(fakesOf(sound(read("../ready.yaml")))).toEqual([]);
    expect(parseScenario(newScenarioText(), { file: "new.yaml", nowMs: 0 }).fakes).not.toEqual([]);
  });
});

type Ring = readonly (readonly [number, number])[];

/** A boundary and all inside it, each with how deep it lies. */
function all(boundary: BoundaryData, level = 0): { boundary: BoundaryData; level: number }[] {
  return [{ boundary, level }, ...boundary.parts.flatMap((part) => all(part, level + 1))];
}

function ringsOf({ geometry }: BoundaryData): Ring[] {
  return ((geometry?.coordinates ?? []) as Ring[][]).flat();
}

function edgesOf(boundary: BoundaryData): string[] {
  return ringsOf(boundary).flatMap((ring) => ring.slice(1).map((to, place) => `${String(ring[place])} ${String(to)}`));
}

function reversed(edge: string): string {
  return edge.split(" ").toReversed().join(" ");
}

/** Against the clock: positive (the shoelace formula). */
function areaOf(boundary: BoundaryData): number {
  const twice = ringsOf(boundary).flatMap((ring) =>
    ring.slice(1).map(([x, y], place) => (ring[place]?.[0] ?? 0) * y - x * (ring[place]?.[1] ?? 0)),
  );
  return twice.reduce((sum, one) => sum + one, 0) / 2;
}

function cross([ax, ay]: readonly number[], [bx, by]: readonly number[], [cx, cy]: readonly number[]): number {
  return ((bx ?? 0) - (ax ?? 0)) * ((cy ?? 0) - (ay ?? 0)) - ((by ?? 0) - (ay ?? 0)) * ((cx ?? 0) - (ax ?? 0));
}

describe("the ready country", () => {
  it("is what country.ts draws", () => {
    expect(JSON.parse(read("ready-boundaries.geojson"))).toEqual(drawCountry());
  });

  it("has three levels below it", async () => {
    const [country, ...others] = (await ready()).boundaries;
    if (country === undefined) throw new Error("no country");
    expect(others).toEqual([]);
    const levels = all(country).map(({ level }) => level);
    expect([0, 1, 2, 3].map((level) => levels.filter((one) => one === level).length)).toEqual([1, 4, 10, 20]);
    expect(new Set(all(country).map(({ boundary }) => boundary.name)).size).toBe(35);
  });

  it("its parts fill it without gap or overlap, and share their borders to the last digit", async () => {
    const [country] = (await ready()).boundaries;
    if (country === undefined) throw new Error("no country");
    for (const { boundary } of all(country)) {
      expect(areaOf(boundary), boundary.name).toBeGreaterThan(0);
      if (boundary.parts.length === 0) continue;
      const inner = boundary.parts.flatMap(edgesOf);
      const known = new Set(inner);
      expect(known.size).toBe(inner.length); // no two parts lie on the same side of a border
      const outline = inner.filter((edge) => !known.has(reversed(edge)));
      expect(new Set(outline), boundary.name).toEqual(new Set(edgesOf(boundary)));
      expect(boundary.parts.reduce((sum, part) => sum + areaOf(part), 0)).toBeCloseTo(areaOf(boundary), 9);
    }
  });

  it("no border crosses another", async () => {
    const [country] = (await ready()).boundaries;
    if (country === undefined) throw new Error("no country");
    const wards = all(country).filter(({ level }) => level === 3);
    const edges = wards.flatMap(({ boundary }) =>
      ringsOf(boundary).flatMap((ring) => ring.slice(1).map((to, place) => [ring[place] ?? to, to] as const)),
    );
    for (const [place, [a, b]] of edges.entries()) {
      for (const [c, d] of edges.slice(place + 1)) {
        const isCrossing = cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
        if (isCrossing) throw new Error(`${String([a, b])} crosses ${String([c, d])}`);
      }
    }
  });
});
