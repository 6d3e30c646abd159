import { ownValue } from "../../wire/index.js";
import { legacyBody } from "./legacy-body.js";
import { mapOf, type JsonCursor, describeJson, textOf } from "./json-cursor.js";
import { legacyActions, legacyTests, legacyTypes, limits, ruleSetTypes } from "./vocabulary.js";

/**
 * Checks a legacy definition against the rules of loading (docs/reference/flows.md#legacy-shape). They are more lenient
 * than for native flows: a missing destination ends the flow (docs/reference/flows.md#legacy-to-native), and old
 * versions lack many properties.
 */
export function checkLegacy(flow: JsonCursor): void {
  const name = flow.at("metadata").at("name");
  (name.isAbsent ? flow.at("name") : name).neededText();
  const body = legacyBody(flow);
  const type = flow.at("flow_type");
  if (type.value !== "") type.oneOf(Object.keys(legacyTypes));
  checkVersion(flow.at("version"));
  const seen = new Map<string, string>();
  const actionSets = setsOf(body.at("action_sets"));
  const ruleSets = setsOf(body.at("rule_sets"));
  if (actionSets.length + ruleSets.length > limits.nodes) {
    body.addProblem(`must hold at most ${limits.nodes} action sets and rule sets`);
  }
  for (const set of actionSets) {
    checkUuid(set, "action set", seen);
    for (const action of set.at("actions").items()) {
      if (action.neededMap() !== undefined) known(action.at("type"), legacyActions, "action");
    }
  }
  for (const set of ruleSets) {
    checkUuid(set, "rule set", seen);
    const kind = set.at("ruleset_type");
    // Before version 5 a rule set has no type, only the kind of its wait.
    if (!kind.isAbsent) known(kind, ruleSetTypes, "rule set");
    for (const rule of set.at("rules").items()) {
      if (rule.neededMap() !== undefined) checkTest(rule.at("test"), 0);
    }
  }
}

/** Exports before version 3 cannot be read (docs/reference/flows.md#export-files). */
function checkVersion(version: JsonCursor): void {
  if (version.isAbsent) return;
  const number = Number(textOf(version.value));
  if (!(number >= 3 && number < 13)) version.addProblem(`must be 3 to 12, got ${describeJson(version.value)}`);
}

function setsOf(list: JsonCursor): JsonCursor[] {
  return list.items().filter((set) => set.neededMap() !== undefined);
}

function checkUuid(set: JsonCursor, noun: string, seen: Map<string, string>): void {
  const uuid = set.at("uuid").neededText();
  if (uuid === undefined) return;
  const other = seen.get(uuid);
  if (other !== undefined) set.at("uuid").addProblem(`is also the UUID of another ${other}: ${describeJson(uuid)}`);
  seen.set(uuid, noun);
}

/** Maximum nesting of `and` and `or`. */
const mostNested = 10;

function checkTest(test: JsonCursor, level: number): void {
  if (test.neededMap() === undefined) return;
  const type = known(test.at("type"), legacyTests, "test");
  if (type !== "and" && type !== "or") return;
  if (level === mostNested) return test.addProblem(`has tests nested deeper than ${mostNested} levels`);
  for (const inner of test.at("tests").items()) checkTest(inner, level + 1);
}

function known(type: JsonCursor, valid: ReadonlySet<string>, noun: string): string | undefined {
  const name = type.neededText();
  if (name !== undefined && !valid.has(name)) type.addProblem(`is no kind of ${noun}: ${describeJson(name)}`);
  return name;
}

/** The base language of a legacy definition; default: `base`. */
export function baseLanguage(flow: JsonCursor): string {
  return textOf(legacyBody(flow).at("base_language").value) ?? textOf(flow.at("base_language").value) ?? "base";
}

/**
 * A text of a legacy definition in its base language: plain, or a map by language
 * (docs/reference/flows.md#legacy-shape).
 */
export function baseText(value: unknown, language: string): string | undefined {
  if (typeof value === "string") return value;
  const texts = mapOf(value);
  const text = ownValue(texts, language) ?? Object.values(texts ?? {})[0];
  return typeof text === "string" ? text : undefined;
}
