import { describe, expect, test } from "vitest";
import { scenarioJsonSchema, verbReference } from "../../src/scenario/index.js";

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
    if (key === "[]") return shape?.items;
    if (key === "*") return typeof shape?.additionalProperties === "object" ? shape.additionalProperties : undefined;
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
  test("names its dialect and what a scenario needs", () => {
    expect(schema.$schema).toBe("http://json-schema.org/draft-07/schema#");
    expect(schema.required).toEqual(["lasts", "handsets"]);
    expect(schema.additionalProperties).toBe(false);
  });

  test("knows each verb, with a sentence about it and about each of its arguments", () => {
    for (const { name, about } of verbReference()) {
      const verb = at("story", "[]", name);
      expect(verb?.description, name).toBe(about);
      for (const [key, argument] of Object.entries(verb?.properties ?? {})) {
        expect(argument.description, `${name}.${key}`).toMatch(/\S{3}/);
      }
    }
  });

  test("tells editors words, defaults and forms", () => {
    expect(at("handsets", "*", "network")).toMatchObject({ default: "LTE" });
    expect(at("handsets", "*", "network")?.enum).toContain("EDGE");
    expect(at("handsets", "*", "profile")?.anyOf?.[0]?.enum).toEqual(["2017", 2017, "2024", 2024, "plain"]);
    expect(at("seed")).toMatchObject({ type: "integer", minimum: 0, default: 1 });
    const rate = at("traffic", "[]", "rate")?.pattern ?? "";
    expect(new RegExp(rate).test("20/s")).toBe(true);
    expect(new RegExp(rate).test("20")).toBe(false);
  });

  test("its patterns compile, and no keyword of ours is left in it", () => {
    for (const shape of shapes(schema)) {
      if (typeof shape.pattern === "string") expect(() => new RegExp(shape.pattern ?? "", "u")).not.toThrow();
      expect(Object.keys(shape).filter((key) => key.startsWith("x-"))).toEqual([]);
    }
  });
});
