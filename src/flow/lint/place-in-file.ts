import type { ExportFlows } from "../walk/export-flows.js";
import { isRecord } from "../read/json-object.js";
import type { Finding } from "./finding.js";
import type { JsonPath } from "./json-positions.js";

/**
 * The path of a finding in the JSON of its file. In a legacy flow it is that of the action or rule set, as the migrated
 * flow has other properties.
 *
 * @param whole - the file's JSON, not migrated
 */
export function placeInFile(
  { flow, node, path }: Finding,
  { places, migrated }: Pick<ExportFlows, "places" | "migrated">,
  whole: unknown,
): JsonPath {
  const place = places.get(flow.uuid) ?? [];
  if (!migrated.has(flow.uuid)) return path === null ? place : [...place, ...stepsOf(path)];
  const legacy = place.reduce<unknown>((value, step) => (isIndexable(value) ? value[step] : undefined), whole);
  if (!isRecord(legacy) || node === null) return place;
  const isNested = isRecord(legacy["definition"]);
  const body = isNested ? legacy["definition"] : legacy;
  if (!isRecord(body)) return place;
  for (const key of ["action_sets", "rule_sets"]) {
    const sets: unknown = body[key];
    const index = Array.isArray(sets) ? sets.findIndex((set) => isRecord(set) && set["uuid"] === node.uuid) : -1;
    if (index !== -1) return [...place, ...(isNested ? ["definition"] : []), key, index];
  }
  return place;
}

function isIndexable(value: unknown): value is Readonly<Record<string | number, unknown>> {
  return typeof value === "object" && value !== null;
}

/** The steps of `nodes[3].headers["a.b"]`. */
function stepsOf(path: string): JsonPath {
  return [...path.matchAll(/\["(.*?)"\]|\[(\d+)\]|([^.[\]]+)/g)].map(
    ([, quoted, index, name]) => quoted ?? (index === undefined ? (name ?? "") : Number(index)),
  );
}
