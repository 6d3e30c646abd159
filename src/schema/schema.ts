/** A JSON Schema, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** Carries the type of a schema's values. It exists for the compiler only. */
declare const values: unique symbol;

/** A JSON Schema of values of type `T`: the one declaration of a shape. Read the type with `ValueOf<typeof it>`. */
export interface Schema<T> extends JsonSchema {
  readonly [values]?: T;
}

/** The values that a schema describes; `unknown` of a plain `JsonSchema`. */
export type ValueOf<S extends JsonSchema> = S extends { readonly [values]?: infer T } ? T : unknown;

type Properties = Readonly<Record<string, JsonSchema>>;
type ValuesOf<P extends Properties> = { readonly [K in keyof P]: ValueOf<P[K]> };

/** Schemas of the properties of records. */
export const text: Schema<string> = { type: "string" };
export const integer: Schema<number> = { type: "integer" };
export const number: Schema<number> = { type: "number" };
export const boolean: Schema<boolean> = { type: "boolean" };
export const uuid: Schema<string> = { type: "string", format: "uuid" };
export const timestamp: Schema<string> = {
  type: "string",
  format: "date-time",
  examples: ["2026-03-05T07:41:09.120000Z"],
};
export const slug: Schema<string> = { type: "string", examples: ["stock-low"] };
/** Any JSON object. */
export const anyObject: Schema<Readonly<Record<string, unknown>>> = { type: "object", additionalProperties: true };
/** Text by language. */
export const translations: Schema<Readonly<Record<string, string>>> = {
  type: "object",
  additionalProperties: { type: "string" },
  examples: [{ eng: "Hello" }],
};

/** The schema with a description for the documentation. */
export function described<T>(description: string, schema: Schema<T>): Schema<T> {
  return { ...schema, description };
}

/** The schema, or null. */
export function nullable<S extends JsonSchema>(schema: S): Schema<ValueOf<S> | null> {
  const { type } = schema;
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  const words = schema["enum"];
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(words) && { enum: [...(words as unknown[]), null] }),
  };
}

/** An array of items of one schema. */
export function arrayOf<S extends JsonSchema>(items: S): Schema<readonly ValueOf<S>[]> {
  return { type: "array", items };
}

/** One of the given words. */
export function oneOf<const W extends string>(words: readonly W[]): Schema<W> {
  return { type: "string", enum: words };
}

/** Always the same value. */
export function constant<const V extends string | number | boolean>(value: V): Schema<V> {
  return { const: value };
}

/** A value of one of the schemas. */
export function anyOf<const S extends readonly JsonSchema[]>(...schemas: S): Schema<ValueOf<S[number]>> {
  return { anyOf: schemas };
}

/** An object with exactly these properties. @param optional - properties that may be absent */
export function objectOf<P extends Properties, O extends Properties = {}>(
  properties: P,
  optional?: O,
): Schema<ValuesOf<P> & Partial<ValuesOf<O>>> {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/** An object with any names, and values of one schema. */
export function mapOf<S extends JsonSchema>(items: S): Schema<Readonly<Record<string, ValueOf<S>>>> {
  return { type: "object", additionalProperties: items };
}

/** A reference to another record: `{uuid, name}` (docs/reference/service-api.md#in-short). */
export const reference: Schema<Reference> = objectOf({ uuid, name: nullable(text) });
export interface Reference {
  readonly uuid: string;
  readonly name: string | null;
}
