/** A JSON Schema, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Schemas of the properties of records. */
export const text: JsonSchema = { type: "string" };
export const integer: JsonSchema = { type: "integer" };
export const boolean: JsonSchema = { type: "boolean" };
export const uuid: JsonSchema = { type: "string", format: "uuid" };
export const timestamp: JsonSchema = {
  type: "string",
  format: "date-time",
  examples: ["2026-03-05T07:41:09.120000Z"],
};
export const slug: JsonSchema = { type: "string", examples: ["stock-low"] };
/** Any JSON object. */
export const anyObject: JsonSchema = { type: "object", additionalProperties: true };
/** Text by language. */
export const translations: JsonSchema = {
  type: "object",
  additionalProperties: { type: "string" },
  examples: [{ eng: "Hello" }],
};

/** The schema, or null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const values = schema["enum"];
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(values) && { enum: [...(values as unknown[]), null] }),
  };
}

/** An array of items of one schema. */
export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** One of the given words. */
export function oneOf(values: readonly string[]): JsonSchema {
  return { type: "string", enum: values };
}

/** An object with exactly these properties, all required. */
export function objectOf(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** A reference to another record: `{uuid, name}` (docs/reference/service-api.md#in-short). */
export const reference: JsonSchema = objectOf({ uuid, name: nullable(text) });
