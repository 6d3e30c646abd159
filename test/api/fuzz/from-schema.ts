import * as fc from "fast-check";
import type { Schema } from "./document.js";
import { isReference, kindsFor, Live } from "./live.js";

/** The position of a schema, for values that depend on names. */
export interface Place {
  /** `contacts` of `/api/v2/contacts.json`. */
  readonly resource: string;
  /** Name of the parameter or field; empty: none. */
  readonly name: string;
  /** Parameters name records that exist; of the fields of a body, only references do. */
  readonly in: "query" | "body";
}

interface Context extends Place {
  readonly resolve: (schema: Schema) => Schema;
  readonly depth: number;
}

/** Beyond this level only the simplest values are generated, so that recursive schemas terminate. */
const DEPTH_MAX = 5;

/** Values that a JSON Schema allows; for names that are references, mostly existing values. */
export function validValue(schema: Schema, place: Place, resolve: (schema: Schema) => Schema): fc.Arbitrary<unknown> {
  return make(schema, { ...place, resolve, depth: 0 });
}

function make(written: Schema, context: Context): fc.Arbitrary<unknown> {
  const schema = merged(context.resolve(written), context.resolve);
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = schema[keyword];
    if (!Array.isArray(choices)) continue;
    const { [keyword]: _, ...beside } = schema;
    const made = (choices as Schema[]).map((choice) => make({ allOf: [beside, choice] }, context));
    return fc.oneof(...made);
  }
  const { type } = schema;
  const types = Array.isArray(type) ? (type as string[]) : typeof type === "string" ? [type] : [];
  if (types.length === 0) return withLive(fc.jsonValue({ maxDepth: 2 }), context);
  return fc.oneof(...types.map((each) => ofType(each, schema, context)));
}

function ofType(type: string, schema: Schema, context: Context): fc.Arbitrary<unknown> {
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number":
      return withLive(number(type, schema), context);
    case "string":
      return withLive(string(schema), context);
    case "array":
      return array(schema, context);
    case "object":
      return object(schema, context);
    default:
      throw new Error(`the document has an unknown type: ${type}`);
  }
}

/** For a name that is a reference, mostly existing values. */
function withLive(made: fc.Arbitrary<unknown>, place: Place): fc.Arbitrary<unknown> {
  const { resource, name } = place;
  if (name === "") return made;
  const isMeant = isReference(resource, name) || place.in === "query";
  // Addresses of existing contacts are in use; a new contact needs others.
  const isAddress = name === "urns" || name === "urn";
  const isOwn = isAddress && resource === "contacts";
  const live = kindsFor(resource, name).map((kind, rank) => ({
    weight: !isMeant || (isOwn && place.in === "body") ? 1 : rank === 0 ? 12 : 4,
    arbitrary: fc.nat(5000).map((index) => new Live(kind, index)),
  }));
  const address = isAddress ? [{ weight: 12, arbitrary: newAddress }] : [];
  return fc.oneof({ weight: isMeant ? 1 : 12, arbitrary: made }, ...live, ...address);
}

const newAddress = fc
  .integer({ min: 0, max: 99_999_999 })
  .map((number) => `tel:+2547${String(number).padStart(8, "0")}`);

function number(type: string, schema: Schema): fc.Arbitrary<number> {
  const bound = (inclusive: string, exclusive: string, step: number): number | undefined => {
    if (typeof schema[exclusive] === "number") return schema[exclusive] + step;
    return typeof schema[inclusive] === "number" ? schema[inclusive] : undefined;
  };
  const min = bound("minimum", "exclusiveMinimum", 1) ?? -1000;
  const max = bound("maximum", "exclusiveMaximum", -1) ?? Math.max(min, 1_000_000);
  if (type === "integer") return fc.integer({ min: Math.ceil(min), max: Math.floor(max) });
  return fc.double({ min, max, noNaN: true });
}

/** Mostly on this machine, because a service may refuse other hosts. */
const address = fc.oneof(
  fc.nat(9).map((number) => `http://127.0.0.1:9/${number}`),
  fc.webUrl(),
);

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  uri: address,
  url: address,
  email: fc.emailAddress(),
  "date-time": fc
    .date({ min: new Date("2015-01-01"), max: new Date("2027-01-01"), noInvalidDate: true })
    .chain((date) => fc.constantFrom(date.toISOString(), date.toISOString().slice(0, -1))),
};

function string(schema: Schema): fc.Arbitrary<string> {
  const minLength = Number(schema["minLength"] ?? 0);
  const maxLength = Math.min(Number(schema["maxLength"] ?? minLength + 40), minLength + 640);
  const { pattern, format } = schema;
  const fits = (text: string): boolean => text.length >= minLength && text.length <= maxLength;
  const matching = typeof pattern === "string" ? matchingText(pattern) : undefined;
  if (matching !== undefined) return matching.filter(fits);
  if (typeof format === "string" && FORMATS[format] !== undefined) return FORMATS[format];
  return fc
    .oneof(
      {
        weight: 4,
        arbitrary: fc
          .stringMatching(/^[A-Za-z][A-Za-z0-9]{0,7}( [A-Za-z0-9]{1,7})?$/)
          .map((text) => text.slice(0, maxLength)),
      },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme-ascii", minLength, maxLength: Math.min(maxLength, 80) }) },
      { weight: 1, arbitrary: fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, 40) }) },
    )
    .filter((text) => text.length >= minLength);
}

/** Texts that match a pattern; undefined for patterns with lookaround, which cannot be inverted. */
function matchingText(pattern: string): fc.Arbitrary<string> | undefined {
  try {
    return fc.stringMatching(new RegExp(pattern, "u"));
  } catch {
    return undefined;
  }
}

function array(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const minLength = Number(schema["minItems"] ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema["maxItems"] ?? 4), 4));
  if (context.depth >= DEPTH_MAX) return fc.constant([]);
  const items = make(schemaOf(schema["items"]), { ...context, depth: context.depth + 1 });
  return fc.array(items, { minLength, maxLength });
}

function object(schema: Schema, context: Context): fc.Arbitrary<unknown> {
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const required = new Set((schema["required"] ?? []) as readonly string[]);
  const deeper = (name: string): Context => ({ ...context, name, depth: context.depth + 1 });
  if (context.depth >= DEPTH_MAX && required.size === 0) return fc.constant({});
  const model = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, make(property, deeper(name))]),
  );
  const named = fc.record(model, {
    requiredKeys: Object.keys(properties).filter((name) => required.has(name)),
    noNullPrototype: true,
  });
  if (Object.keys(properties).length > 0) return named;
  const { additionalProperties } = schema;
  if (additionalProperties === false) return named;
  // A dictionary: its keys may be references, its values are not.
  const keys = isReference(context.resource, context.name)
    ? fc.nat(5000).map((index) => `live:${kindsFor(context.resource, context.name)[0]}:${index}`)
    : fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom("eng", "eng", "base", "swa") },
        { weight: 1, arbitrary: fc.stringMatching(/^[a-z][a-z0-9_]{0,10}$/) },
      );
  return fc
    .array(fc.tuple(keys, make(schemaOf(additionalProperties), { ...deeper(""), depth: context.depth + 1 })), {
      minLength: Number(schema["minProperties"] ?? 0),
      maxLength: 3,
    })
    .map((entries) => Object.fromEntries(entries));
}

function schemaOf(value: unknown): Schema {
  return typeof value === "object" && value !== null ? (value as Schema) : {};
}

/** A schema with its `allOf` merged into it. */
function merged(schema: Schema, resolve: (schema: Schema) => Schema): Schema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = [own, ...(allOf as Schema[]).map((part) => merged(resolve(part), resolve))];
  const together = Object.assign({}, ...parts) as Record<string, unknown>;
  const properties = Object.assign({}, ...parts.map((part) => part["properties"] ?? {})) as object;
  if (Object.keys(properties).length > 0) together["properties"] = properties;
  const required = parts.flatMap((part) => (part["required"] ?? []) as string[]);
  if (required.length > 0) together["required"] = required;
  return together;
}
