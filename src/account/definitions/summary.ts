import type { FlowType } from "../../wire/index.js";
import type { FlowSummary } from "./flow-summary.js";
import { DependencyCollector } from "./dependency-collector.js";
import { generationOf, legacyBody } from "./generation.js";
import { legacyDependencies, legacyResults } from "./legacy-summary.js";
import { nativeDependencies, nativeResults } from "./native-summary.js";
import { mapOf, JsonCursor, textOf } from "./json-cursor.js";
import { legacyTypes, nativeTypes } from "./vocabulary.js";

export type { FlowDependencies, FlowResult, FlowSummary, Mention } from "./flow-summary.js";

/**
 * Reads off a definition of any generation what the API shows of it. Never throws: what is not as it should be reads as
 * absent, and what is no definition at all as a message flow without nodes.
 */
export function flowSummary(definition: unknown): FlowSummary {
  const generation = generationOf(definition);
  return generation === "legacy" ? ofLegacy(new JsonCursor(definition)) : ofNative(new JsonCursor(definition));
}

function ofNative(flow: JsonCursor): FlowSummary {
  const type = typeOf(nativeTypes, flow.at("type").value);
  const found = new DependencyCollector();
  nativeDependencies(flow, found);
  return {
    uuid: textOf(flow.at("uuid").value) ?? null,
    name: textOf(flow.at("name").value) ?? null,
    type,
    expiresMinutes: minutes(flow.at("expire_after_minutes").value) ?? (type === "voice" ? 5 : 10_080),
    results: nativeResults(flow),
    dependencies: found.collected(),
  };
}

function ofLegacy(flow: JsonCursor): FlowSummary {
  const type = typeOf(legacyTypes, flow.at("flow_type").value);
  const found = new DependencyCollector();
  legacyDependencies(legacyBody(flow), found);
  const of = (key: string): unknown => flow.at("metadata").at(key).value ?? flow.at(key).value;
  return {
    uuid: textOf(of("uuid")) ?? null,
    name: textOf(of("name")) ?? null,
    type,
    expiresMinutes: minutes(of("expires")) ?? (type === "voice" ? 5 : 720),
    results: legacyResults(flow),
    dependencies: found.collected(),
  };
}

function typeOf(types: Readonly<Record<string, FlowType>>, value: unknown): FlowType {
  const name = typeof value === "string" && Object.hasOwn(types, value) ? value : undefined;
  return (name === undefined ? undefined : types[name]) ?? "message";
}

/** Where it is missing: 7 days for native flows, 12 hours for legacy ones, 5 minutes for voice (flows.md 3, "Expiry"). */
function minutes(value: unknown): number | undefined {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** The number of a legacy flow, which versions before 9 refer to it by; as a text. */
export function legacyId(definition: unknown): string | undefined {
  const map = mapOf(definition);
  return textOf(mapOf(map?.["metadata"])?.["id"] ?? map?.["id"]);
}
