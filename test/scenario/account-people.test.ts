import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fakesOfPeople, generatePeople, type PeopleSpec, peopleSpec } from "../../src/scenario/index.js";
import { fixed, prepareFakes, Streams } from "../../src/sim/index.js";
import { type ContactData, isE164 } from "../../src/wire/index.js";
import { memberOf, phoneOf } from "../../src/world/index.js";

const spec: PeopleSpec = {
  count: 200,
  phone: { prefix: "+12065550", first: 100, digits: 3, suffix: "" },
  locales: ["fr", "ar", "ja"],
  languages: [],
  groups: ["Mothers"],
  fields: {
    age: { kind: "numbers", min: 18, max: 20, decimals: 0 },
    weight: { kind: "numbers", min: 2.5, max: 2.7, decimals: 1 },
    edd: { kind: "instants", minMs: Date.UTC(2026, 0, 1), maxMs: Date.UTC(2026, 0, 2) },
    village: {
      kind: "pick",
      of: [
        { kind: "texts", of: fixed("here") },
        { kind: "numbers", min: 7, max: 7, decimals: 0 },
      ],
    },
    city: { kind: "texts", of: { kind: "fake", path: "location.city", locale: "fr" } },
  },
};

async function people(of: PeopleSpec = spec, { seed = 1, index = 0 } = {}): Promise<ContactData[]> {
  const fakes = await prepareFakes(fakesOfPeople([of]));
  return [...generatePeople(of, { streams: new Streams(seed), fakes, index })];
}

describe("generatePeople", () => {
  it("gives each a different number, a name and a language of their locale, and values of their fields", async () => {
    const all = await people();
    expect(all).toHaveLength(200);
    expect(new Set(all.flatMap(({ urns }) => urns)).size).toBe(200);
    expect(all[0]?.urns).toEqual(["tel:+12065550100"]);
    const scripts = {
      fra: /\p{Script=Latin}/u,
      ara: /\p{Script=Arabic}/u,
      jpn: /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u,
    };
    expect(new Set(all.map(({ language }) => language))).toEqual(new Set(Object.keys(scripts)));
    for (const { name, language, groups, state } of all) {
      expect(name).toMatch(scripts[language as keyof typeof scripts]);
      expect([groups, state]).toEqual([["Mothers"], "active"]);
    }
    const valuesOf = (key: string): Set<string | undefined> => new Set(all.map(({ fields }) => fields[key]));
    expect(valuesOf("age")).toEqual(new Set(["18", "19", "20"]));
    expect(valuesOf("weight")).toEqual(new Set(["2.5", "2.6", "2.7"]));
    expect(valuesOf("village")).toEqual(new Set(["here", "7"]));
    expect(valuesOf("city").size).toBeGreaterThan(50);
    for (const edd of valuesOf("edd")) expect(edd).toMatch(/^2026-01-0[12]T\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it("the same seed gives the same people, another seed gives others, independent of the rest of the file", async () => {
    const all = await people();
    expect(await people()).toEqual(all);
    expect((await people({ ...spec, count: 3 })).map(({ name }) => name)).toEqual(
      all.slice(0, 3).map(({ name }) => name),
    );
    expect((await people({ ...spec, fields: {} })).map(({ name }) => name)).toEqual(all.map(({ name }) => name));
    expect((await people(spec, { seed: 2 })).map(({ name }) => name)).not.toEqual(all.map(({ name }) => name));
    expect((await people(spec, { index: 1 })).map(({ name }) => name)).not.toEqual(all.map(({ name }) => name));
  });

  it("takes the names and languages that it is given", async () => {
    const [one] = await people({ ...spec, name: fixed("Amina"), languages: ["swa"], count: 1 });
    expect([one?.name, one?.language]).toEqual(["Amina", "swa"]);
  });

  it("generates people lazily: none of a million before the caller asks for them", async () => {
    const many = peopleSpec({ count: 1_000_000, locales: [] });
    const fakes = await prepareFakes(fakesOfPeople([many]));
    const [first, second] = generatePeople(many, { streams: new Streams(1), fakes, index: 0 });
    for (const one of [first, second]) expect(isE164(one?.urns[0]?.slice(4) ?? "")).toBe(true);
    expect(first?.urns).not.toEqual(second?.urns);
    expect(first?.language).toBe("eng");
  });
});

describe("memberOf", () => {
  const digits = (min: number, max: number): fc.Arbitrary<string> =>
    fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
  const groups = fc
    .record({
      prefix: digits(1, 8),
      counter: digits(0, 4),
      suffix: digits(0, 3),
      count: fc.integer({ min: 1, max: 200 }),
    })
    .map(({ prefix, counter, suffix, count }) => ({
      phone: {
        prefix: `+${prefix}`,
        first: Number(counter),
        digits: counter.length,
        suffix: counter === "" ? "" : suffix,
      },
      count: counter === "" ? 1 : Math.min(count, 10 ** counter.length - Number(counter)),
    }));

  it("finds each member by the number that phoneOf gives it, and no member by any other number", () => {
    fc.assert(
      fc.property(groups, digits(1, 16), digits(0, 3), (group, other, more) => {
        const numbers = Array.from({ length: group.count }, (_, member) => phoneOf(group.phone, member));
        for (const [member, number] of numbers.entries()) {
          expect(memberOf(group, number)).toBe(member);
          const longer = `${number}${more}`;
          if (more !== "" && !numbers.includes(longer)) expect(memberOf(group, longer)).toBeUndefined();
        }
        const member = memberOf(group, `+${other}`);
        expect(member === undefined ? undefined : numbers[member]).toBe(
          numbers.includes(`+${other}`) ? `+${other}` : undefined,
        );
      }),
    );
  });
});
