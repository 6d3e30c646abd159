import { type LegacyJson, textOf } from "../json.js";
import type { RuleSet } from "../legacy-flow.js";
import { MigrationError } from "../migration-error.js";
import { textIn } from "../texts.js";
import { isKnownTest, writeTest } from "./cases.js";
import { filled, type NativeWriter, writeText } from "./writer.js";

/** The native parts that the rules of one rule set become. */
export interface WrittenRules {
  readonly cases: readonly LegacyJson[];
  readonly categories: readonly LegacyJson[];
  readonly exits: readonly LegacyJson[];
  /** UUID; empty: none. */
  readonly defaultCategory: string;
  readonly timeoutCategory: string;
  /** What the editor shows for a case, by its UUID. */
  readonly caseNotes: LegacyJson;
}

/** Tests whose last rule is also the default. */
const statusTests: ReadonlySet<string> = new Set(["webhook_status", "airtime_status"]);

/**
 * Writes the rules of a rule set (docs/reference/flows.md#legacy-to-native). Rules with the same category name share a
 * category and an exit, except the one for all other answers. A rule set without rules gets a category, since a native
 * node needs an exit.
 *
 * @throws MigrationError when a test has no native form
 */
export function writeRules(set: RuleSet, writer: NativeWriter): WrittenRules {
  const rules = set.rules.length > 0 ? set.rules : [allResponses];
  const { uuids } = writer;
  const categories: LegacyJson[] = [];
  const exits: LegacyJson[] = [];
  const byName = new Map<string, string>();
  const categoryOf = rules.map((rule, place) => {
    const name = textIn(rule.category, writer.language);
    let category = rule.test["type"] === "true" ? undefined : byName.get(name);
    if (category === undefined) {
      const exit = uuids.claim(rule.uuid, "exit", set.uuid, place);
      category = uuids.at("category", set.uuid, place);
      exits.push({ uuid: exit, ...destination(rule.destination, writer) });
      categories.push({ uuid: category, ...filled({ name }), exit_uuid: exit });
    }
    byName.set(name, category);
    writeText(writer, rule.category, category, "name");
    return category;
  });
  const cases: LegacyJson[] = [];
  const caseNotes: LegacyJson = {};
  let [defaultCategory, timeoutCategory] = ["", ""];
  for (const [place, { test }] of rules.entries()) {
    const category = categoryOf[place] ?? "";
    const type = textOf(test["type"]);
    if (type === "timeout") timeoutCategory = category;
    if (type === "true" || statusTests.has(type)) defaultCategory = category;
    if (type === "true" || type === "timeout") continue;
    if (!isKnownTest(type)) throw new MigrationError(`rule ${place + 1}`, `no native form for the test '${type}'`);
    const uuid = uuids.at("case", set.uuid, place);
    const native = writeTest(test, uuid, writer);
    if (native === undefined) continue;
    cases.push({ uuid, type: native.type, ...filled({ arguments: native.arguments }), category_uuid: category });
    if (native.days !== undefined) caseNotes[uuid] = { arguments: [String(native.days)] };
  }
  return { cases, categories, exits, defaultCategory, timeoutCategory, caseNotes };
}

const allResponses = {
  uuid: "",
  category: new Map([["base", "All Responses"]]),
  test: { type: "true" },
  destination: "",
} as const;

/** A destination that does not exist ends the flow. */
export function destination(uuid: string, { sets }: NativeWriter): LegacyJson {
  return sets.has(uuid) ? { destination_uuid: uuid } : {};
}
