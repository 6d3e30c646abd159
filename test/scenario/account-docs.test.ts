import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readAccount } from "../../src/index.js";
import { accountJsonSchema, formatDiagnostics } from "../../src/scenario/index.js";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "account.md"), "utf8");

interface Shape {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
}
const schema = accountJsonSchema() as Shape;

/** The maps with keys in a part of the schema, wherever they stand. */
function* maps(shape: unknown): Generator<Shape> {
  if (typeof shape !== "object" || shape === null) return;
  for (const inner of Object.values(shape)) yield* maps(inner);
  if (!Array.isArray(shape) && "properties" in shape && "additionalProperties" in shape) yield shape as Shape;
}

/** From a heading to the next one. */
function section(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
}

/** Expects a list item or table row for each key of a shape, with the schema's description. */
function expectKeys(shape: Shape, text: string): void {
  const entries = [...text.matchAll(/^- .*(?:\n {2}.+)*|^\|.*/gm)].map(([entry]) => entry.replaceAll(/\s+/g, " "));
  for (const [key, { description = "" }] of Object.entries(shape.properties ?? {})) {
    const found = entries.filter((entry) => /^(?:\||-) `([^`]+)`/.exec(entry)?.[1] === key);
    expect(found.join("\n"), key).toContain(description);
    expect(description, key).toMatch(/\S{3}/);
  }
}

describe("docs/account.md", () => {
  it("has every key at the top, with the schema's description", () => {
    expect(Object.keys(schema.properties ?? {}).length).toBe(16);
    expectKeys(schema, section("Top level"));
  });

  it.each([
    ["account", "Organisation"],
    ["tokens", "Tokens"],
    ["fields", "Contact fields"],
    ["groups", "Groups and labels"],
    ["labels", "Groups and labels"],
    ["contacts", "Contacts"],
    ["flows", "Flows"],
    ["campaigns", "Campaigns"],
    ["triggers", "Triggers"],
    ["runs", "Runs"],
    ["orders", "Orders"],
  ])("has every key of %s", (key, heading) => {
    const found = [...maps(schema.properties?.[key])];
    expect(found.length).toBeGreaterThan(0);
    for (const shape of found) expectKeys(shape, section(heading));
  });

  it("has every key of people", () => {
    const [shape] = [...maps(schema.properties?.["people"])].filter(({ properties }) => properties?.["phone"]);
    expect(shape).toBeDefined();
    expectKeys(shape ?? {}, section("People"));
  });

  it("has every key of boundaries", () => {
    const found = [...maps(schema.properties?.["boundaries"])].filter(({ properties }) => properties?.["osm-id"]);
    expect(found.length).toBe(4);
    for (const shape of found) expectKeys(shape, section("Boundaries"));
  });

  it("its example is sound", async () => {
    const example = /```yaml\n(.*?)```/s.exec(section("An example"))?.[1] ?? "";
    const { account, diagnostics } = await readAccount(example, { file: "account.md" });
    expect(formatDiagnostics(diagnostics, example)).toBe("");
    expect(account?.people).toHaveLength(1);
  });
});
