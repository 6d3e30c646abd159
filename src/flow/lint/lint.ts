import type { FlowNode } from "../definition.js";
import type { ExportFlows } from "../walk/export-flows.js";
import { nodeTitle } from "../node-title.js";
import { recordsIn, textIn } from "../read/json-object.js";
import type { MissingReference } from "../read/missing-references.js";
import type { Finding, LintLevel, Problem } from "./finding.js";
import { LintedFlow, type LintedFlows, type Nearest } from "./linted-flow.js";
import type { LintRule } from "./rule.js";
import { lintRules } from "./rules/index.js";

/** Levels by rule, instead of the rules' own. */
export type RuleLevels = ReadonlyMap<string, LintLevel | "off">;

/** What the linter is given besides the exports. */
export interface LintOptions {
  /** What all exports together lack. */
  readonly missing: readonly MissingReference[];
  readonly levels?: RuleLevels;
  /** Finds the word that an author may have meant. Default: none. */
  readonly nearest?: Nearest;
}

/**
 * Checks the flows of some exports together, by all rules (docs/flows.md, "flow check").
 *
 * @returns the findings of each export, in the order of its flows
 */
export function lintExports(
  exports: readonly ExportFlows[],
  { missing, levels = new Map(), nearest = () => undefined }: LintOptions,
): readonly (readonly Finding[])[] {
  const byUuid = new Map<string, LintedFlow>();
  const all: LintedFlows = {
    byUuid,
    missing,
    listsFields: exports.some(({ json }) => recordsIn(json["fields"]).length > 0),
    nearest,
  };
  const flows = exports.map((one) => {
    const natives = new Map(recordsIn(one.json["flows"]).map((flow) => [textIn(flow["uuid"]), flow]));
    return one.flows.map((definition) => {
      const flow = new LintedFlow(definition, {
        native: natives.get(definition.uuid),
        isMigrated: one.migrated.has(definition.uuid),
        all: () => all,
      });
      byUuid.set(definition.uuid, flow);
      return flow;
    });
  });
  return flows.map((ofExport) => ofExport.flatMap((flow) => lintFlow(flow, levels)));
}

function lintFlow(flow: LintedFlow, levels: RuleLevels): readonly Finding[] {
  return lintRules.flatMap((rule) => {
    const set = levels.get(rule.name);
    if (set === "off") return [];
    return [...rule.check(flow)].map((problem) =>
      findingOf(problem, { flow, rule, level: set ?? problem.level ?? rule.level }),
    );
  });
}

function findingOf(
  { node: uuid, at = "", path, text, fix }: Problem,
  { flow, rule, level }: { readonly flow: LintedFlow; readonly rule: LintRule; readonly level: LintLevel },
): Finding {
  const { definition, isMigrated } = flow;
  const node = uuid === undefined ? undefined : flow.node(uuid);
  const index = node === undefined ? -1 : definition.nodes.indexOf(node);
  const place = index === -1 ? "" : `nodes[${index}]`;
  return {
    rule: rule.name,
    level,
    flow: { uuid: definition.uuid, name: definition.name },
    node: node === undefined ? null : { uuid: node.uuid, title: titleOf(flow, node) },
    at,
    path: isMigrated || place === "" ? null : path === undefined ? place : `${place}.${path}`,
    text,
    fix,
  };
}

/** The title of a node. A question without a name has that of the message before it. */
function titleOf({ definition }: LintedFlow, node: FlowNode): string {
  const title = nodeTitle(node);
  if (node.router?.wait === undefined || title !== "wait") return title;
  const before = definition.nodes.find(
    ({ actions, exits }) => actions.length > 0 && exits.some(({ destination }) => destination === node.uuid),
  );
  return before === undefined ? "wait" : `wait after ${nodeTitle(before)}`;
}
