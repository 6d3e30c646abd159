import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { diagnosticCodes, metricNames, scenarioJsonSchema } from "../../src/scenario/index.js";
import { settingKey } from "../../src/scenario/parts/overrides.js";
import { verbs } from "../../src/scenario/verbs/index.js";
import { presetFields, presetNames } from "../../src/wire/index.js";
import { faults, profileFields, profiles } from "../../src/world/index.js";
import { sound } from "./help.js";

const aboutSettings = (fields: Readonly<Record<string, { readonly about: string }>>): [string, string][] =>
  Object.entries(fields).map(([property, { about }]) => [settingKey(property), about]);

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "scenario.md"), "utf8");

/** The list items of a text and the rows of its tables, each on one line without the spaces that align columns. */
function entriesIn(text: string): string[] {
  const entries = text.matchAll(/^- .*(?:\n {2}.+)*|^\|.*/gm);
  return [...entries].map(([entry]) => entry.replaceAll(/\s+/g, " "));
}

const entries = new Set(entriesIn(page));

interface Shape {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}
const schema = scenarioJsonSchema() as Shape;

/** Expects an entry for each key of a shape, with the schema's description. */
function expectKeys(shape: Shape | undefined, part = page): void {
  expect(Object.keys(shape?.properties ?? {}).length).toBeGreaterThan(0);
  for (const [key, { description = "" }] of Object.entries(shape?.properties ?? {})) {
    const entry = entriesIn(part).find((text) => /^(?:\||-) `([^`]+)`/.exec(text)?.[1] === key);
    expect(entry, key).toBeDefined();
    expect(entry?.replaceAll("\\|", "|"), key).toContain(description);
  }
}

/** From a heading to the next of its rank. */
function section(heading: string): string {
  const [, rest = ""] = page.split(`\n${heading}\n`);
  return rest.split(new RegExp(`\n${heading.replace(/ .*/, "")} `))[0] ?? "";
}

describe("docs/scenario.md", () => {
  const { properties = {} } = schema;
  /** Of a map or list that may be left empty, the map or list. */
  const filled = (name: string): Shape | undefined => {
    const shape = properties[name];
    return shape?.additionalProperties === undefined && shape?.items === undefined ? shape?.anyOf?.[0] : shape;
  };
  const group = (name: string): Shape | undefined => filled(name)?.additionalProperties;

  it("has every key at the top", () => {
    for (const key of Object.keys(properties)) expect(section("## Top level"), key).toContain(`\`${key}\``);
  });

  it("has every key of the parts, with the schema's description", () => {
    expectKeys(properties["receiver"]?.anyOf?.[1], section("## Receiver"));
    expectKeys(group("carriers")?.anyOf?.[0], section("## Carriers"));
    expectKeys(group("handsets"), section("## Handsets"));
    expectKeys(group("people"), section("## People"));
    expectKeys(group("people")?.properties?.["replies"]?.anyOf?.[0], section("## People"));
    expectKeys(group("people")?.properties?.["answers"], section("### Answers to flows"));
    expectKeys(filled("mocks")?.items, section("## Mocks"));
    const { texts: _texts, calls: _calls, sends: _sends, ...traffic } = filled("traffic")?.items?.properties ?? {};
    expectKeys({ properties: traffic }, section("## Traffic"));
  });

  it("has every key of a step but the verbs", () => {
    const keys = Object.entries(filled("story")?.items?.properties ?? {}).filter(([key]) => !Object.hasOwn(verbs, key));
    expectKeys({ properties: Object.fromEntries(keys) }, section("### When a step happens"));
    const { when } = Object.fromEntries(keys);
    expectKeys(when, section("### Waiting for a condition"));
  });

  it("has every verb, with its example and its arguments", () => {
    for (const { name, about, example } of Object.values(verbs)) {
      const verb = section(`### \`${name}\``);
      expect(verb).toContain(about);
      const written = /```yaml\n(.*?)```/s.exec(verb)?.[1] ?? "";
      expect(parse(written), name).toEqual([parse(example)]);
      const shape = filled("story")?.items?.properties?.[name];
      if (shape?.properties !== undefined) expectKeys(shape, verb);
    }
  });

  it.each([
    ["settings", aboutSettings(presetFields)],
    ["numbers of profiles", aboutSettings(profileFields)],
    ["faults", Object.entries(faults)],
    ["codes", Object.entries(diagnosticCodes)],
  ])("has all %s", (_, wanted) => {
    const missing = wanted.filter(
      ([name, about]) => !entries.has(`- \`${name}\`: ${about}`) && !entries.has(`| \`${name}\` | ${about} |`),
    );
    expect(missing).toEqual([]);
  });

  it("names every service preset and every phone profile of the registries", () => {
    for (const name of [...presetNames, ...Object.keys(profiles)]) expect(page).toContain(`\`${name}\``);
  });

  it("has all metrics", () => {
    for (const name of metricNames) {
      const [group = "", member = ""] = name.split(".");
      expect(section("## Expectations"), name).toMatch(new RegExp(`\`${group}[.\`]`));
      expect(section("## Expectations"), name).toContain(member);
    }
  });

  it("its example is sound", () => {
    const example = /```yaml\n(.*?)```/s.exec(section("## An example"))?.[1] ?? "";
    expect(sound(example).name).toBe("Power cut");
  });
});
