import type { FlowDefinition, NativeFlowType, Localization } from "../definition.js";
import { checkNodes } from "./check-nodes.js";
import { DefinitionError, type DefinitionProblem } from "./definition-error.js";
import { JsonObject } from "./json-object.js";
import { readNode } from "./read-node.js";

const flowTypes: readonly string[] = ["messaging", "messaging_background", "messaging_offline", "voice"];

/** Minutes without an answer after which a run expires, if the definition has none (docs/reference/flows.md#expiry). */
const expiryMinutes: Readonly<Record<NativeFlowType, number>> = {
  messaging: 10_080,
  messaging_background: 10_080,
  messaging_offline: 10_080,
  voice: 5,
};

/**
 * Reads a native definition of version 13.0 to 14.x, once for all its sessions.
 *
 * @param json - one flow, as in the `flows` of an export; without `spec_version` it counts as 13.0
 * @throws DefinitionError with all problems; unknown actions, tests, routers and waits are no problems here:
 * `inspectDefinition` reports them
 */
export function readDefinition(json: unknown): FlowDefinition {
  const problems: DefinitionProblem[] = [];
  const unnamed = new JsonObject("flow", json, problems);
  const uuid = unnamed.text("uuid");
  const name = unnamed.text("name");
  const flow = problems.length > 0 ? unnamed : new JsonObject(`flow "${name || uuid}"`, json, problems);
  if (uuid === "") flow.addProblem("uuid", "is missing");
  const specVersion = versionOf(flow);
  const type = typeOf(flow);
  const nodes = flow.objects("nodes", "node").map(readNode);
  problems.push(...checkNodes(nodes, { type, place: flow.place }));
  const definition: FlowDefinition = {
    uuid,
    name,
    specVersion,
    language: languageOf(flow.text("language")),
    type,
    revision: flow.number("revision", 0),
    expireAfterMinutes: flow.number("expire_after_minutes", 0) || expiryMinutes[type],
    localization: localizationOf(flow),
    nodes,
    nodesByUuid: new Map(nodes.map((node) => [node.uuid, node])),
    isWebhookBody: isBefore(specVersion, [13, 3]),
  };
  if (problems.length > 0) throw new DefinitionError(problems);
  return definition;
}

function versionOf(flow: JsonObject): string {
  const version = flow.text("spec_version") || "13.0.0";
  if (!/^1[34](\.\d+)*$/.test(version)) flow.addProblem("spec_version", `must be 13.0 to 14.x, got ${version}`);
  return version;
}

function isBefore(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

function typeOf(flow: JsonObject): NativeFlowType {
  const type = flow.text("type") || "messaging";
  if (!isFlowType(type)) {
    flow.addProblem("type", `must be one of ${flowTypes.join(", ")}, got ${type}`);
    return "messaging";
  }
  return type;
}

function isFlowType(text: string): text is NativeFlowType {
  return flowTypes.includes(text);
}

/** The language of a flow. Before 13.2 a flow without a language has "base". */
function languageOf(text: string): string {
  return text === "" || text === "base" ? "und" : text;
}

function localizationOf(flow: JsonObject): Localization {
  const all = flow.object("localization");
  const languages = new Map<string, ReadonlyMap<string, Readonly<Record<string, readonly string[]>>>>();
  for (const language of all?.keys() ?? []) {
    const items = all?.object(language);
    const byUuid = new Map<string, Readonly<Record<string, readonly string[]>>>();
    for (const uuid of items?.keys() ?? []) {
      const properties = items?.object(uuid);
      byUuid.set(
        uuid,
        Object.fromEntries(
          (properties?.keys() ?? []).map((key) => {
            // Some editors store layout data here, or a single text without its list.
            const value = properties?.raw(key);
            return [key, Array.isArray(value) ? value.map(String) : typeof value === "string" ? [value] : []];
          }),
        ),
      );
    }
    languages.set(language, byUuid);
  }
  return languages;
}
