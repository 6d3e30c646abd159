import { generationOf } from "../../flow/index.js";
import { type FlowType, ownValue } from "../../wire/index.js";
import type { FlowSummary } from "./flow-summary.js";
import { DependencyCollector } from "./dependency-collector.js";
import { legacyBody } from "./legacy-body.js";
import { legacyDependencies, legacyResults } from "./legacy-summary.js";
import { nativeDependencies, nativeResults } from "./native-summary.js";
import { mapOf, JsonCursor, textOf } from "./json-cursor.js";
import { legacyTypes, nativeTypes } from "./vocabulary.js";

export type { FlowDependencies, FlowResult, FlowSummary, Mention } from "./flow-summary.js";

/**
 * Summarises a definition of either generation. Never throws: invalid values read as absent, and a value that is not a
 * definition as a message flow without nodes.
 */
export function flowSummary(definition: unknown): FlowSummary {
  const generation = generationOf(definition);
  return generation === "legacy" ? ofLegacy(new JsonCursor(definition)) : ofNative(new JsonCursor(definition));
}

function ofNative(flow: JsonCursor): FlowSummary {
  const type = typeOf(nativeTypes, flow.at("type").value);
  const references = new DependencyCollector();
  nativeDependencies(flow, references);
  return {
    uuid: textOf(flow.at("uuid").value) ?? null,
    name: textOf(flow.at("name").value) ?? null,
    type,
    expiresMinutes: minutes(flow.at("expire_after_minutes").value) ?? (type === "voice" ? 5 : 10_080),
    results: nativeResults(flow),
    dependencies: references.collected(),
  };
}

function ofLegacy(flow: JsonCursor): FlowSummary {
  const type = typeOf(legacyTypes, flow.at("flow_type").value);
  const references = new DependencyCollector();
  legacyDependencies(legacyBody(flow), references);
  const of = (key: string): unknown => flow.at("metadata").at(key).value ?? flow.at(key).value;
  return {
    uuid: textOf(of("uuid")) ?? null,
    name: textOf(of("name")) ?? null,
    type,
    expiresMinutes: minutes(of("expires")) ?? (type === "voice" ? 5 : 720),
    results: legacyResults(flow),
    dependencies: references.collected(),
  };
}

function typeOf(types: Readonly<Record<string, FlowType>>, value: unknown): FlowType {
  return (typeof value === "string" ? ownValue(types, value) : undefined) ?? "message";
}

/**
 * Callers default to 7 days for native flows, 12 hours for legacy ones, 5 minutes for voice
 * (docs/reference/flows.md#expiry).
 */
function minutes(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The id of a legacy flow, as text; versions before 9 refer to flows by it. */
export function legacyId(definition: unknown): string | undefined {
  const map = mapOf(definition);
  return textOf(mapOf(map?.["metadata"])?.["id"] ?? map?.["id"]);
}
