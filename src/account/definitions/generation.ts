import { mapOf, type JsonCursor } from "./json-cursor.js";

/**
 * `native`: nodes, spec version 13 and 14; `legacy`: action sets and rule sets, versions 3 to 12
 * (docs/reference/flows.md#words).
 */
export type Generation = "native" | "legacy";

const legacyMarks = ["action_sets", "rule_sets", "flow_type"] as const;

/**
 * The generation of one definition (docs/reference/flows.md#export-files). One export can mix generations.
 *
 * @returns undefined when the value is not a definition
 */
export function generationOf(definition: unknown): Generation | undefined {
  const map = mapOf(definition);
  if (map === undefined) return undefined;
  const wrapped = mapOf(map["definition"]);
  if (legacyMarks.some((mark) => mark in map || (wrapped !== undefined && mark in wrapped))) return "legacy";
  return Array.isArray(map["nodes"]) || "spec_version" in map ? "native" : undefined;
}

/**
 * The action sets and rule sets of a legacy definition: up to version 6 they are under `definition`
 * (docs/reference/flows.md#legacy-versions).
 */
export function legacyBody(definition: JsonCursor): JsonCursor {
  const inner = definition.at("definition");
  return mapOf(inner.value) === undefined ? definition : inner;
}
