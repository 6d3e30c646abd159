import * as z from "zod";
import type { Problem, Read, RawValue } from "./raw-value.js";

/** The schema of a key's value: `Out` is the parsed type, `In` the type in the typed builder. */
export type Field<Out, In> = z.ZodType<Out, In>;

/** A text in the typed builder: numbers and flags are taken as they are spelled. */
export type TextInput = string | number | boolean;

/** The schema of a text as YAML and JSON may write it. */
export const textShape = z.union([z.string(), z.number(), z.boolean()]);

/**
 * Makes the schema of a key's value. Its JSON Schema and the builder's type are those of `shape`. Only `read` checks a
 * value, because its problems name the place in the text and the correction.
 *
 * @param about - one sentence for the documentation
 */
export function field<Out, Shape extends z.ZodType, In = z.input<Shape>>(
  shape: Shape,
  read: Read<Out>,
  about: string,
): Field<Out, In> {
  const unchecked = shape.clone();
  unchecked._zod.run = (payload) => payload;
  const schema = unchecked.transform((value, context): Out => {
    let isReported = false;
    const report = (problem: Problem): void => {
      isReported = true;
      context.addIssue({
        code: "custom",
        message: problem.message,
        path: [...(problem.path ?? [])],
        params: { problem: { ...problem, path: [] } },
      });
    };
    // Values of a file keep their spelling; a default may be a number or a flag.
    const isPlain = typeof value === "number" || typeof value === "boolean";
    const out = read(isPlain ? String(value) : (value as RawValue | undefined), report);
    if (out !== undefined) return out;
    if (!isReported) report({ code: "bad-value", message: "cannot be understood" });
    return z.NEVER;
  });
  // `In` is `z.input<Shape>`, or a narrower type that a caller names.
  return schema.describe(about) as unknown as Field<Out, In>;
}

/** The schema of a list of values, or of a single value instead of a list of one. */
export function oneOrMore<Item extends z.ZodType>(item: Item) {
  return z.union([item, z.array(item)]);
}

/** A map with only these keys. The error lists the valid keys, from which the reader suggests the nearest. */
export function keyed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(" ");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? keys : undefined) });
}

/** A part of a JSON Schema. */
export type JsonShape = Readonly<Record<string, unknown>>;

/** JSON Schema for a map that has exactly one of some keys, or at least one of them. */
export function keysOf(rule: "oneOf" | "anyOf", keys: readonly string[]): JsonShape {
  return { [rule]: keys.map((key) => having(key)) };
}

/** JSON Schema for a map that does not have all of some keys. */
export function notTogether(...keys: readonly string[]): JsonShape {
  return { not: having(...keys) };
}

function having(...keys: readonly string[]): JsonShape {
  return { type: "object", properties: Object.fromEntries(keys.map((key) => [key, {}])), required: keys };
}
