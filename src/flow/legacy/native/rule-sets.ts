import { ownValue } from "../../../wire/index.js";
import { migrateTemplate } from "../expressions/migrate-template.js";
import { legacySchemes } from "../expressions/schemes.js";
import { itemsOf, type LegacyJson, mapOf, textOf, valueAt, wholeNumberOf } from "../json.js";
import type { RuleSet } from "../legacy-flow.js";
import { MigrationError } from "../migration-error.js";
import { reference } from "./references.js";
import { writeRules, type WrittenRules } from "./rules.js";
import { webhookBody } from "./webhook-body.js";
import { filled, type NativeWriter } from "./writer.js";

/** How a type of rule set routes. */
interface Route {
  /** Properties of the action, besides its UUID. */
  readonly action?: LegacyJson;
  /** Operand of a switch; without one, the router is random. */
  readonly operand?: string;
  readonly wait?: LegacyJson;
  /** Whether the router saves the result; actions that call something save it themselves. */
  readonly savesResult: boolean;
  /** What the editor shows: type of node and its settings. */
  readonly ui: { readonly type: string; readonly config?: LegacyJson };
}

type RouteForm = (set: RuleSet, rules: WrittenRules) => Route;

const wait =
  (hint?: (set: RuleSet) => LegacyJson, operand = "@input"): RouteForm =>
  (set, { timeoutCategory }) => {
    const minutes = wholeNumberOf(set.rules.find(({ test }) => test["type"] === "timeout")?.test["minutes"]);
    const timeout = minutes > 0 && timeoutCategory !== "" && { seconds: minutes * 60, category_uuid: timeoutCategory };
    return {
      operand,
      wait: { type: "msg", ...filled({ timeout, hint: hint?.(set) }) },
      savesResult: true,
      ui: { type: "wait_for_response" },
    };
  };

const hint =
  (type: string, properties: LegacyJson = {}) =>
  (): LegacyJson => ({ type, ...properties });

const split = (operand: string, type: string, config: LegacyJson = {}): Route => ({
  operand,
  savesResult: true,
  ui: { type, config },
});

/** The operand of splits by a value; a split without one reads the message. */
const operandOf = ({ operand }: RuleSet, defaultsToSelf = false): string =>
  migrateTemplate(operand, { defaultsToSelf }) || "@input";

/** A call: its action saves the result, and the router splits by that. */
const called = (action: LegacyJson, set: RuleSet, type: string, property: string): Route => ({
  action: { ...action, ...filled({ result_name: set.label }) },
  operand: `@results.${nativeKey(set.label)}${property}`,
  savesResult: false,
  ui: { type },
});

const forms: Readonly<Record<string, RouteForm>> = {
  wait_message: wait(),
  wait_menu: wait(),
  wait_ussd: wait(),
  wait_audio: wait(hint("audio")),
  wait_recording: wait(hint("audio")),
  wait_video: wait(hint("video")),
  wait_photo: wait(hint("image")),
  wait_gps: wait(hint("location")),
  wait_digit: wait(hint("digits", { count: 1 }), "@input.text"),
  wait_digits: wait((set) => ({ type: "digits", terminated_by: set.finishedKey }), "@input.text"),
  expression: (set) => split(operandOf(set, true), "split_by_expression"),
  flow_field: (set) =>
    split(operandOf(set), "split_by_run_result", lastName(set) === "" ? {} : { operand: { id: lastName(set) } }),
  contact_field: (set) =>
    lastName(set) === "groups"
      ? split(operandOf(set), "split_by_expression")
      : split(operandOf(set), "split_by_contact_field", contactOperand(lastName(set))),
  form_field: writeFormField,
  group: () => split("@contact.groups", "split_by_groups"),
  random: () => ({ savesResult: true, ui: { type: "split_by_random" } }),
  subflow: ({ config }) => {
    if (mapOf(config["flow"]) === undefined) throw new MigrationError("config", "a subflow rule set needs a flow");
    return {
      ...split("@child.status", "split_by_subflow"),
      action: { type: "enter_flow", flow: reference(config["flow"]) },
    };
  },
  webhook: (set) => called(webhookAction(set), set, "split_by_webhook", ".category"),
  resthook: (set) =>
    called({ type: "call_resthook", resthook: textOf(set.config["resthook"]) }, set, "split_by_resthook", ".category"),
  airtime: (set) => called({ type: "transfer_airtime", amounts: airtimeAmounts(set) }, set, "split_by_airtime", ""),
};

/**
 * Writes the native node of a rule set, and what the editor shows for it (docs/reference/flows.md#legacy-to-native).
 *
 * @throws MigrationError when its type or one of its tests has no native form
 */
export function writeRuleSet(
  set: RuleSet,
  writer: NativeWriter,
): { readonly node: LegacyJson; readonly ui: LegacyJson } {
  const type = set.type === "" ? "wait_message" : set.type;
  const form = ownValue(forms, type);
  if (form === undefined) throw new MigrationError("", `no native form for the rule set type '${type}'`);
  const rules = writeRules(set, writer);
  const route = form(set, rules);
  const action = route.action && { uuid: writer.uuids.at("action", set.uuid), ...route.action };
  const name = filled({ result_name: route.savesResult ? set.label : "" });
  const { cases, categories, exits, defaultCategory, caseNotes } = rules;
  const router =
    route.operand === undefined
      ? { type: "random", ...name, categories }
      : {
          type: "switch",
          ...filled({ wait: route.wait }),
          ...name,
          operand: route.operand,
          cases,
          categories,
          default_category_uuid: defaultCategory,
        };
  const notes = Object.keys(caseNotes).length > 0 ? { cases: caseNotes } : {};
  const config = { ...route.ui.config, ...notes };
  return {
    node: { uuid: set.uuid, ...(action && { actions: [action] }), router, exits },
    ui: {
      type: route.ui.type,
      position: { left: set.x, top: set.y },
      ...(Object.keys(config).length > 0 && { config }),
    },
  };
}

/** Key of a result in native paths (docs/reference/flows.md#result-keys). */
function nativeKey(label: string): string {
  return label
    .trim()
    .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
    .toLowerCase();
}

/** The last name in a path: `response_1` of `@flow.response_1`; empty: no path. */
function lastName({ operand }: RuleSet): string {
  const dot = operand.lastIndexOf(".");
  return dot === -1 ? "" : operand.slice(dot + 1);
}

/** What the editor shows for a split by a property of the contact. */
function contactOperand(key: string): LegacyJson {
  if (key === "") return {};
  if (key === "name") return { operand: { type: "property", id: "name", name: "Name" } };
  return { operand: { type: legacySchemes.has(key) ? "scheme" : "field", id: key } };
}

/** Splits by one of several values in an answer, such as the second of `3 Kigali`. */
function writeFormField(set: RuleSet): Route {
  const index = wholeNumberOf(set.config["field_index"]);
  const delimiter = textOf(set.config["field_delimiter"]);
  const operand = operandOf(set);
  const value = operand.startsWith("@") ? operand.slice(1) : `"${escaped(operand)}"`;
  const id = lastName(set);
  return split(
    `@(field(${value}, ${index}, "${escaped(delimiter)}"))`,
    "split_by_run_result_delimited",
    id === "" ? {} : { operand: { id }, delimiter, index },
  );
}

function escaped(text: string): string {
  return text.replaceAll(/["\\]/g, String.raw`\$&`);
}

function webhookAction({ config }: RuleSet): LegacyJson {
  const method = textOf(config["webhook_action"]).toUpperCase() || "POST";
  const headers: [string, string][] = method === "POST" ? [["Content-Type", "application/json"]] : [];
  for (const header of itemsOf(config["webhook_headers"])) {
    const name = textOf(valueAt(mapOf(header), "name"));
    if (name !== "") headers.push([name, migrateTemplate(textOf(valueAt(mapOf(header), "value")))]);
  }
  return {
    type: "call_webhook",
    method,
    url: migrateTemplate(textOf(config["webhook"]), { isUrl: true }),
    ...filled({
      headers: headers.length > 0 ? Object.fromEntries(headers) : undefined,
      body: method === "POST" ? webhookBody : "",
    }),
  };
}

/** The amounts by currency; a legacy rule set has them by country. */
function airtimeAmounts({ config }: RuleSet): LegacyJson {
  const amounts = new Map<string, number>();
  for (const country of Object.values(config)) {
    const currency = textOf(valueAt(mapOf(country), "currency_code"));
    const amount = Number(valueAt(mapOf(country), "amount"));
    if (currency === "" || !Number.isFinite(amount)) continue;
    const other = amounts.get(currency);
    if (other !== undefined && other !== amount) {
      throw new MigrationError("config", `two amounts in ${currency}: ${other} and ${amount}; native flows allow one`);
    }
    amounts.set(currency, amount);
  }
  return Object.fromEntries(amounts);
}
