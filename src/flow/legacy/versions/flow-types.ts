import { ownValue } from "../../../wire/index.js";
import type { DerivedUuids } from "../derived-uuids.js";
import { mapOf, textOf, valueAt } from "../json.js";
import type { LegacyFlow } from "../legacy-flow.js";

/** The type of each flow that is known, by UUID: its legacy letter, its native name or its name in the API. */
export type FlowTypes = ReadonlyMap<string, string>;

const letters: Readonly<Record<string, string>> = {
  "": "F",
  M: "F",
  U: "F",
  background: "F",
  message: "F",
  messaging: "F",
  messaging_background: "F",
  messaging_offline: "S",
  survey: "S",
  voice: "V",
};

function kindOf(type: string): string {
  return ownValue(letters, type) ?? type;
}

/**
 * Replaces entering a flow of another type (a voice flow from a message flow) by starting it as a session of its own,
 * which does not return.
 *
 * @see docs/reference/flows.md#legacy-versions
 */
export function startFlowsOfOtherTypes(flow: LegacyFlow, flowTypes: FlowTypes, uuids: DerivedUuids): void {
  const isOther = (reference: unknown): boolean => {
    const type = flowTypes.get(textOf(valueAt(mapOf(reference), "uuid")));
    return type !== undefined && kindOf(type) !== kindOf(flow.type);
  };
  const recipients = { contacts: [], groups: [], variables: [{ id: "@contact.uuid" }] };
  for (const set of flow.actionSets) {
    set.actions = set.actions.map((action) =>
      action["type"] === "flow" && isOther(action["flow"])
        ? { ...action, ...recipients, type: "trigger-flow" }
        : action,
    );
  }
  const replaced = flow.ruleSets.filter((set) => set.type === "subflow" && isOther(set.config["flow"]));
  flow.ruleSets = flow.ruleSets.filter((set) => !replaced.includes(set));
  for (const { uuid, x, y, config, rules } of replaced) {
    const start = { ...recipients, type: "trigger-flow", uuid: uuids.at("start", uuid), flow: config["flow"] };
    const [rule] = rules;
    flow.actionSets.push({
      uuid,
      x,
      y,
      destination: rule?.destination ?? "",
      exitUuid: rule?.uuid ?? "",
      actions: [start],
    });
  }
}
