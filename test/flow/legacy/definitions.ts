/** Legacy definitions for tests, from the parts that a test is about. */
import { migrateDefinition, type MigrationOptions } from "../../../src/flow/index.js";

type Json = Record<string, unknown>;

/** A native node as the tests read it. */
export interface Node {
  readonly uuid: string;
  readonly actions?: readonly Json[];
  readonly router?: Json & {
    readonly operand?: string;
    readonly default_category_uuid?: string;
    readonly cases?: readonly (Json & { readonly uuid: string; readonly category_uuid: string })[];
    readonly categories: readonly (Json & {
      readonly uuid: string;
      readonly name: string;
      readonly exit_uuid: string;
    })[];
  };
  readonly exits: readonly Json[];
}

export interface Native extends Json {
  readonly uuid: string;
  readonly nodes: readonly Node[];
  readonly localization: Readonly<Record<string, Readonly<Record<string, Json>>>>;
  readonly _ui: { readonly nodes: Readonly<Record<string, Json>>; readonly stickies: Readonly<Record<string, Json>> };
}

export function migrate(definition: unknown, options?: MigrationOptions): Native {
  return migrateDefinition(definition, options) as Native;
}

/** A flow of the last legacy version in English. */
export function flow(parts: Json = {}): Json {
  return {
    version: "11.12",
    base_language: "eng",
    flow_type: "M",
    metadata: { uuid: "flow-1", name: "Clinic", revision: 4, expires: 1440 },
    action_sets: [],
    rule_sets: [],
    ...parts,
  };
}

/** An action set with its UUID, exit and place derived from one word. */
export function actionSet(word: string, actions: readonly Json[], parts: Json = {}): Json {
  return { uuid: `${word}-set`, exit_uuid: `${word}-exit`, x: 10, y: 20, destination: null, actions, ...parts };
}

/** A rule set that waits for an answer. */
export function ruleSet(word: string, rules: readonly Json[], parts: Json = {}): Json {
  const set = { label: "Answer", ruleset_type: "wait_message", operand: "@step.value", config: {}, x: 10, y: 100 };
  return { uuid: `${word}-set`, ...set, rules, ...parts };
}

/** A rule whose category is a text by language, or an English one. */
export function rule(word: string, category: string | Json, test: Json, destination: string | null = null): Json {
  return {
    uuid: `${word}-rule`,
    category: typeof category === "string" ? { eng: category } : category,
    test,
    destination,
  };
}

export const other: Json = rule("other", "Other", { type: "true" });

/** The native action of a legacy one, without its UUID. */
export function actionOf(action: Json, options?: MigrationOptions): Json | undefined {
  const { nodes } = migrate(flow({ action_sets: [actionSet("one", [{ uuid: "action-1", ...action }])] }), options);
  const { uuid: _, ...rest } = nodes[0]?.actions?.[0] ?? {};
  return rest;
}

/** The native case of a test: type and arguments. */
export function caseOf(test: Json): Json | undefined {
  const { nodes } = migrate(flow({ rule_sets: [ruleSet("one", [rule("a", "A", test), other])] }));
  const found = nodes[0]?.router?.cases?.[0];
  if (found === undefined) return undefined;
  const { uuid: _uuid, category_uuid: _category, ...rest } = found;
  return rest;
}

/** The native node of a rule set that is alone in its flow. */
export function nodeOf(set: Json, parts: Json = {}): Node | undefined {
  return migrate(flow({ rule_sets: [set], ...parts })).nodes[0];
}
