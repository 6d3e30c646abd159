import { type LegacyJson, mapOf, textOf, valueAt } from "../json.js";
import type { LegacyFlow, EditorPlace } from "../legacy-flow.js";

/** Drops action sets without actions. If the first set was among them, the topmost set that is left becomes the first. */
export function dropEmptyActionSets(flow: LegacyFlow): void {
  const kept = flow.actionSets.filter((set) => set.actions.length > 0);
  if (kept.length === flow.actionSets.length) return;
  flow.actionSets = kept;
  flow.entry = topmost([...flow.ruleSets, ...kept])?.uuid ?? "";
}

/** The set with the least y; among equals the one with the least x. */
function topmost<Set extends EditorPlace>(sets: readonly Set[]): Set | undefined {
  return sets.toSorted((a, b) => a.y - b.y || a.x - b.x)[0];
}

/** Version 11.12: drops actions that prefer a channel without naming one. */
export function dropLostChannels(flow: LegacyFlow): void {
  for (const set of flow.actionSets) {
    set.actions = set.actions.filter(({ type, channel }) => type !== "channel" || textOf(channel) !== "");
  }
}

/**
 * Gives the groups of actions names that the service accepts: at most 64 characters, a letter or digit first, no space at
 * the end.
 */
export function cleanGroupNames(flow: LegacyFlow): void {
  for (const { actions } of flow.actionSets) {
    for (const action of actions) {
      if (action["type"] !== "add_group" && action["type"] !== "del_group") continue;
      const group = valueAt(action, "group");
      if (group !== undefined && valueAt(action, "groups") === undefined) action["groups"] = [group];
      if (Array.isArray(action["groups"])) action["groups"] = action["groups"].map(withCleanName);
    }
  }
}

function withCleanName(group: unknown): unknown {
  const map: LegacyJson | undefined = mapOf(group);
  if (map === undefined) return group;
  const name = textOf(valueAt(map, "name") ?? "Unknown");
  const isValid = name.length <= 64 && /^[\p{L}\p{N}_]/u.test(name) && name.trimEnd() === name;
  return { ...map, name: isValid ? name : `Contacts ${name}` };
}

/** Moves the sets at or below a line down, to make room in the editor. */
export function moveDown(flow: LegacyFlow, line: number, distance: number): void {
  for (const set of [...flow.actionSets, ...flow.ruleSets]) if (set.y >= line) set.y += distance;
}
