import * as z from "zod";
import type { Problem, Read, Written } from "./written.js";

/**
 * The kinds of value that a scenario's keys may have, each as a zod schema: what it is read as (`Out`), what the typed
 * builder takes (`In`), and what an editor is told of it. `about` is one sentence for people.
 */
export type Field<Out, In> = z.ZodType<Out, In>;

/** A part of a JSON Schema. */
export type JsonShape = Readonly<Record<string, unknown>>;

/** A text in the typed builder: numbers and flags are taken as they are spelled. */
export type TextInput = string | number | boolean;

/** Makes a schema of a reader. */
export function field<Out, In>(read: Read<Out>, about: string, json: JsonShape): Field<Out, In> {
  return z
    .custom<In>(() => true)
    .transform((value, context): Out => {
      let told = false;
      const tell = (problem: Problem): void => {
        told = true;
        context.addIssue({
          code: "custom",
          message: problem.message,
          path: [...(problem.path ?? [])],
          params: { problem: { ...problem, path: [] } },
        });
      };
      const out = read(value as Written | undefined, tell);
      if (out !== undefined) return out;
      if (!told) tell({ code: "bad-value", message: "cannot be understood" });
      return z.NEVER;
    })
    .meta({ description: about, ...hidden(json) });
}

/** Keywords that zod drops from the JSON Schema of values that are read into something else. */
const dropped = ["default", "examples"] as const;

function hidden(json: JsonShape): JsonShape {
  const keys = Object.entries(json).map(([key, value]) => [
    dropped.some((one) => one === key) ? `x-${key}` : key,
    value,
  ]);
  return Object.fromEntries(keys) as JsonShape;
}

const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "maxLength"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
};

/** A part of a JSON Schema that allows several types, as a choice of parts with one each: strict validators want that. */
export function splitTypes(json: Record<string, unknown>): void {
  const { type, ...rest } = json;
  if (!Array.isArray(type)) return;
  const bound = new Set(Object.values(keywordsOf).flat());
  const anyOf = (type as readonly string[]).map((one) => ({
    type: one,
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => keywordsOf[one]?.includes(key) === true)),
  }));
  for (const key of Object.keys(json)) if (key === "type" || bound.has(key)) Reflect.deleteProperty(json, key);
  json["anyOf"] = anyOf;
}

/** Gives a part of a JSON Schema the keywords back that were hidden from zod. */
export function unhide(json: Record<string, unknown>): void {
  for (const key of dropped) {
    const value = json[`x-${key}`];
    if (value === undefined) continue;
    json[key] = value;
    delete json[`x-${key}`];
  }
}

/** A map with these keys and no others. The error lists the valid keys, for the sheet to choose the nearest from. */
export function keyed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(" ");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? keys : undefined) });
}

/** For the schema: a map that has just one of some keys, or at least one. */
export function keysOf(rule: "oneOf" | "anyOf", keys: readonly string[]): JsonShape {
  return { [rule]: keys.map((key) => having(key)) };
}

/** For the schema: a map that does not have all of some keys. */
export function notTogether(...keys: readonly string[]): JsonShape {
  return { not: having(...keys) };
}

function having(...keys: readonly string[]): JsonShape {
  return { type: "object", properties: Object.fromEntries(keys.map((key) => [key, {}])), required: keys };
}

/** What may be said of a value beside its kind. */
export interface Extra {
  /** What holds when the key is left out, for the schema; the code that uses the value says the same. */
  readonly default?: string | number | boolean;
}

/** The keyword of the schema for it. */
export function withDefault(extra: Extra): JsonShape {
  return extra.default === undefined ? {} : { default: extra.default };
}
