import type { JsonSchema } from "../schema/index.js";

/**
 * An example value for a schema: the schema's first example, or one made from its type. Supports the keywords that the
 * schemas of this API use.
 */
export function exampleOf(schema: JsonSchema): unknown {
  const { examples, enum: words, anyOf } = schema;
  if (Array.isArray(examples) && examples.length > 0) return examples[0] as unknown;
  if (Array.isArray(words)) return words[0] as unknown;
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0] as JsonSchema);
  const type: unknown = Array.isArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "string":
      return exampleText(schema);
    case "integer":
    case "number":
      return Math.min(Math.max(1, Number(schema["minimum"] ?? 1)), Number(schema["maximum"] ?? 1));
    case "boolean":
      return true;
    case "array":
      return schema["items"] === undefined ? [] : [exampleOf(schema["items"] as JsonSchema)];
    case "object":
      return exampleObject(schema);
    default:
      return null;
  }
}

function exampleText({ format, minLength = 0, maxLength }: JsonSchema): string {
  if (format === "uuid") return "5079cb96-a1d8-4f47-8c87-d8c7bb6ddab9";
  if (format === "date-time") return "2026-03-05T07:41:09.120000Z";
  if (format === "uri") return "http://127.0.0.1:9000/";
  return "text".padEnd(Number(minLength), ".").slice(0, Number(maxLength ?? Infinity));
}

function exampleObject({ properties = {}, additionalProperties }: JsonSchema): Record<string, unknown> {
  const known = Object.entries(properties as Record<string, JsonSchema>);
  if (known.length === 0 && typeof additionalProperties === "object" && additionalProperties !== null) {
    return { key: exampleOf(additionalProperties as JsonSchema) };
  }
  return Object.fromEntries(known.map(([name, schema]) => [name, exampleOf(schema)]));
}
