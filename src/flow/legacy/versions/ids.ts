import { type LegacyJson, mapOf, textOf, valueAt } from "../json.js";
import type { LegacyFlow } from "../legacy-flow.js";

/** The UUID of a row of a kind (`flow`, `group`, `contact`, `label`) that an old export knows by its number. */
export type UuidOfId = (kind: string, id: unknown) => string;

/**
 * Replaces numeric ids in actions and tests by UUIDs. A reference with a UUID stays, and so does a text: a name or an
 * expression.
 *
 * @see docs/reference/flows.md#legacy-versions
 */
export function replaceIds(flow: LegacyFlow, idUuid: UuidOfId): void {
  for (const { actions } of flow.actionSets) {
    for (const action of actions) {
      for (const [key, kind] of listKinds) replaceInList(action, key, kind, idUuid);
      if (action["type"] === "flow" || action["type"] === "trigger-flow") replaceFlow(action, idUuid);
    }
  }
  for (const set of flow.ruleSets) {
    const child = mapOf(set.config["flow"]);
    if (child !== undefined) set.config["flow"] = withUuid(child, "flow", idUuid);
    for (const { test } of set.rules) {
      if (test["type"] === "in_group") test["test"] = withUuid(test["test"], "group", idUuid);
    }
  }
}

const listKinds = [
  ["groups", "group"],
  ["contacts", "contact"],
  ["labels", "label"],
] as const;

function replaceInList(action: LegacyJson, key: string, kind: string, idUuid: UuidOfId): void {
  const list = action[key];
  if (Array.isArray(list)) action[key] = list.map((item) => withUuid(item, kind, idUuid));
}

function withUuid(reference: unknown, kind: string, idUuid: UuidOfId): unknown {
  const map = mapOf(reference);
  if (map === undefined || textOf(valueAt(map, "uuid")) !== "") return reference;
  const uuid = idUuid(kind, valueAt(map, "id"));
  return uuid === "" ? reference : { ...map, uuid };
}

/** Before version 9 the action itself has the id and name of the flow. */
function replaceFlow(action: LegacyJson, idUuid: UuidOfId): void {
  const own = { id: action["id"], name: action["name"] };
  action["flow"] = withUuid(mapOf(action["flow"]) ?? own, "flow", idUuid);
}
