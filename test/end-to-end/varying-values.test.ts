import { describe, expect, it } from "vitest";
import { sound } from "../scenario/help.js";
import { type Played, playInMemory } from "../support/played-in-memory.js";
import { parse } from "./support.js";

const minute = 60_000;

function village(story: string, groups = ""): string {
  return `
name: Village
seed: 3
lasts: 2h
handsets:
  clinic: { count: 6, phone: "+2507880{00000}" ${groups} }
story:
${story}`;
}

/** A value of each phone, whole or as played in two parts. */
async function valuesOf<T>(text: string, valueOf: (phone: PlayedPhone) => T, parts = 1): Promise<[string, T][]> {
  const values: [string, T][] = [];
  for (let index = 1; index <= parts; index++) {
    const { phones } = await playInMemory(parse(text), parts === 1 ? {} : { shard: { index, count: parts } });
    for (const [name, phone] of phones) values.push([name, valueOf(phone)]);
  }
  return values.sort(([a], [b]) => (a < b ? -1 : 1));
}
type PlayedPhone = Played["phones"] extends ReadonlyMap<string, infer Phone> ? Phone : never;

const distinct = (values: readonly (readonly [string, unknown])[]): number =>
  new Set(values.map(([, value]) => value)).size;

describe("a value that varies is drawn for each handset, in the whole as in parts", () => {
  it.each([
    ["for", "power-cut: { of: clinic, for: 90m..4h }", (phone: PlayedPhone) => (phone.endsAtMs.powerCut ?? 0) / minute - 60, 90, 240],
    ["level", "battery: { of: clinic, level: 40%..60% }", (phone: PlayedPhone) => phone.power.level, 39, 100],
    ["skew", "clock: { of: clinic, skew: -20m..20m }", (phone: PlayedPhone) => phone.skewMs / minute, -20, 20],
    ["down", "reboot: { of: clinic, down: 61m..90m }", (phone: PlayedPhone) => (phone.power.bootsAtMs ?? 0) / minute - 60, 61, 90],
  ])("%s", async (_, step, valueOf, least, most) => {
    const text = village(`  - { at: 1h, ${step} }\n`);
    const whole = await valuesOf(text, valueOf);
    expect(distinct(whole)).toBeGreaterThan(4);
    for (const [, value] of whole) expect(value).toBeGreaterThanOrEqual(least);
    for (const [, value] of whole) expect(value).toBeLessThanOrEqual(most);
    expect(await valuesOf(text, valueOf, 2)).toEqual(whole);
    const alone = await valuesOf(text.replace("of: clinic", "of: clinic/4"), valueOf);
    expect(alone.find(([name]) => name === "clinic/4")).toEqual(whole.find(([name]) => name === "clinic/4"));
  });

  it("mains and network at the start", async () => {
    const text = village("  - { at: 1h, note: x }\n", ", mains: [on, off], network: { pick: [LTE, EDGE, none] }");
    const start = ({ conditions }: PlayedPhone): string => `${conditions.mains} ${conditions.network}`;
    const whole = await valuesOf(text, start);
    expect(distinct(whole)).toBeGreaterThan(2);
    expect(await valuesOf(text, start, 2)).toEqual(whole);
  });
}); // prettier-ignore

it("a value of a step that selects nobody is drawn once", () => {
  const { story } = sound(village("  - { at: 1h, receiver: { answers: 500, for: 5m..10m } }\n"));
  expect(story[0]?.input).toMatchObject({
    input: { forMs: 5 * minute },
    varies: { forMs: { argument: "for", text: "5m..10m" } },
  });
});

it("a plain value has no distribution", () => {
  const [step] = sound(village("  - { at: 1h, power-cut: { of: clinic, for: 5m } }\n")).story;
  expect(step?.input).not.toHaveProperty("varies");
});
