import { generationOf } from "../../flow/index.js";
import type { FlowData } from "../../wire/index.js";
import type { FlowSummary } from "./flow-summary.js";
import { checkLegacy } from "./check-legacy.js";
import { checkNative } from "./check-native.js";
import { type ExportProblem, isNestedDeeper, JsonCursor, type JsonMap, textOf } from "./json-cursor.js";
import { flowSummary, legacyId } from "./summary.js";

/** A flow that passed the rules of loading, with its summary. */
export interface ReadFlow {
  readonly data: FlowData;
  readonly summary: FlowSummary;
  /** The id by which definitions before version 9 refer to it. */
  readonly id: string | undefined;
}

/** Maximum levels of nesting in a definition; real ones have about ten. */
const mostLevels = 60;

/**
 * Reads one flow of an export.
 *
 * @param exportVersion - the export's version, as text such as `11.10`: it is added to legacy definitions without one,
 * because their meaning depends on it
 * @returns undefined when it breaks the rules of loading, which adds problems
 */
export function readFlow(flow: JsonCursor, exportVersion?: unknown): ReadFlow | undefined {
  const written = flow.neededMap();
  if (written === undefined) return undefined;
  const definition = withVersion(written, exportVersion);
  if (isNestedDeeper(definition, mostLevels)) return flow.addProblem(`is nested deeper than ${mostLevels} levels`);
  const broken: ExportProblem[] = [];
  const checked = new JsonCursor(definition, broken, flow.path);
  const generation = generationOf(definition);
  if (generation === "native") checkNative(checked);
  else if (generation === "legacy") checkLegacy(checked);
  else checked.addProblem("must have nodes, or action_sets and rule_sets, to be a flow");
  flow.addProblems(broken);
  if (broken.length > 0) return undefined;
  const summary = flowSummary(definition);
  const data: FlowData = {
    ...(summary.uuid !== null && { uuid: summary.uuid }),
    name: summary.name?.trim() ?? "",
    type: summary.type,
    isArchived: false,
    expiresMinutes: summary.expiresMinutes,
    labels: [],
    definition,
  };
  return { data, summary, id: legacyId(definition) };
}

/** A legacy definition; one without a version gets that of its export, if the export is a legacy one. */
function withVersion(definition: JsonMap, exportVersion: unknown): JsonMap {
  if ((definition["version"] ?? undefined) !== undefined || generationOf(definition) !== "legacy") return definition;
  const isLegacy = Number.parseFloat(textOf(exportVersion) ?? "") < 13;
  return isLegacy ? { ...definition, version: exportVersion } : definition;
}
