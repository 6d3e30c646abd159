import { mapOf } from "./json.js";

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
  const hasMark = (one: object): boolean => legacyMarks.some((mark) => Object.hasOwn(one, mark));
  if (hasMark(map) || (wrapped !== undefined && hasMark(wrapped))) return "legacy";
  return Array.isArray(map["nodes"]) || Object.hasOwn(map, "spec_version") ? "native" : undefined;
}
