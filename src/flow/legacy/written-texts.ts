import { expressionsOf } from "../../expression/index.js";
import { scanTemplate } from "./expressions/scan-template.js";
import { itemsOf, type LegacyJson, mapOf, mapsOf, textOf } from "./json.js";
import type { ActionSet, RuleSet } from "./legacy-flow.js";
import { readLegacyFlow } from "./read-legacy-flow.js";
import { readTexts, textIn } from "./texts.js";

/** What the author of a migrated flow wrote, by node and native text. Texts that did not change are left out. */
export type WrittenTexts = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Types of rule sets whose operand their author chose. */
const splits: ReadonlySet<string> = new Set(["", "expression", "flow_field", "contact_field", "form_field"]);

/**
 * The texts and expressions of a legacy definition that its migration changed: to show them as their author knows them.
 * Sets keep their UUIDs in the migration, and action sets the order of their actions.
 *
 * @param native - the migrated definition
 */
export function writtenTexts(legacy: LegacyJson, native: LegacyJson): WrittenTexts {
  const flow = readLegacyFlow(legacy, undefined);
  const actionSets = new Map(flow.actionSets.map((set) => [set.uuid, set]));
  const ruleSets = new Map(flow.ruleSets.map((set) => [set.uuid, set]));
  const localization = mapOf(native["localization"]) ?? {};
  return new Map(
    mapsOf(native["nodes"]).map((node) => {
      const uuid = textOf(node["uuid"]);
      const written = new Map<string, string>();
      addActions(written, actionSets.get(uuid), { node, language: flow.language, localization });
      addOperand(written, ruleSets.get(uuid), mapOf(node["router"]) ?? {});
      return [uuid, written];
    }),
  );
}

/** Native and legacy names of the properties of actions that hold a text. */
const properties = [
  ["text", "msg"],
  ["body", "msg"],
  ["subject", "subject"],
  ["value", "value"],
] as const;

function addActions(
  written: Map<string, string>,
  set: ActionSet | undefined,
  {
    node,
    language,
    localization,
  }: { readonly node: LegacyJson; readonly language: string; readonly localization: LegacyJson },
): void {
  const actions = mapsOf(node["actions"]);
  if (set?.actions.length !== actions.length) return;
  for (const [index, action] of actions.entries()) {
    for (const [property, legacyProperty] of properties) {
      const texts = readTexts(set.actions[index]?.[legacyProperty]);
      add(written, textOf(action[property]), textIn(texts, language));
      for (const [code, objects] of Object.entries(localization)) {
        const [text] = itemsOf(mapOf(mapOf(objects)?.[textOf(action["uuid"])])?.[property]);
        add(written, textOf(text), texts.get(code) ?? "");
      }
    }
  }
}

function addOperand(written: Map<string, string>, set: RuleSet | undefined, router: LegacyJson): void {
  if (set === undefined || !splits.has(set.type) || router["wait"] !== undefined) return;
  add(written, textOf(router["operand"]), set.operand);
}

/** Adds a text, and its expressions one by one where each has its counterpart. */
function add(written: Map<string, string>, native: string, legacy: string): void {
  if (legacy === "" || legacy === native) return;
  written.set(native, legacy);
  const [after, before] = [expressionsOf(native), legacyExpressionsOf(legacy)];
  if (after.length !== before.length) return;
  for (const [index, one] of after.entries()) written.set(one, before[index] ?? one);
}

function legacyExpressionsOf(template: string): readonly string[] {
  return scanTemplate(template).flatMap(({ kind, text }) =>
    kind === "text" ? [] : [kind === "name" ? `@${text}` : `@(${text})`],
  );
}
