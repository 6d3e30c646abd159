import { mapOf, type JsonCursor } from "./json-cursor.js";

/**
 * The action sets and rule sets of a legacy definition: up to version 6 they are under `definition`
 * (docs/reference/flows.md#legacy-versions).
 */
export function legacyBody(definition: JsonCursor): JsonCursor {
  const inner = definition.at("definition");
  return mapOf(inner.value) === undefined ? definition : inner;
}
