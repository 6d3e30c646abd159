import type { ExportFlows } from "../walk/export-flows.js";
import { recordsIn, textIn } from "../read/json-object.js";
import type { MissingReference } from "../read/missing-references.js";
import type { Finding, LintLevel, Problem } from "./finding.js";
import { FileFlows, FlowRelations } from "./flow-relations.js";
import { LintedFlow, type LintedFile, type MissingOfNode, type Nearest } from "./linted-flow.js";
import type { LintRule } from "./rule.js";
import { lintRules } from "./rules/index.js";

/** Levels by rule, instead of the rules' own. */
export type RuleLevels = ReadonlyMap<string, LintLevel | "off">;

/** What the linter is given besides the exports. */
export interface LintOptions {
  /** What the flows of each export refer to and none of the exports has, in the order of the exports. */
  readonly missing: readonly (readonly MissingReference[])[];
  readonly levels?: RuleLevels;
  /** Finds the word that an author may have meant. Default: none. */
  readonly nearest?: Nearest;
}

/** What the linter says of an export. */
export interface LintedExport {
  readonly findings: readonly Finding[];
  /** By UUID. */
  readonly flows: ReadonlyMap<string, LintedFlow>;
}

/**
 * Checks the flows of some exports together, by all rules (docs/flows.md, "flow check").
 *
 * @returns for each export its flows, and their findings in the order of the flows
 */
export function lintExports(
  exports: readonly ExportFlows[],
  { missing, levels = new Map(), nearest = () => undefined }: LintOptions,
): readonly LintedExport[] {
  const files: LintedFile[] = [];
  const flows = exports.map((one, index) => {
    const natives = new Map(recordsIn(one.json["flows"]).map((flow) => [textIn(flow["uuid"]), flow]));
    const file = (): LintedFile => {
      const found = files[index];
      if (found === undefined) throw new Error("a flow is linted before all are read");
      return found;
    };
    return one.flows.map(
      (definition) =>
        new LintedFlow(definition, {
          native: natives.get(definition.uuid),
          written: one.migrated.get(definition.uuid),
          file,
        }),
    );
  });
  const all = new FlowRelations(flows.flat());
  for (const [index, own] of flows.entries()) {
    files.push({
      flows: new FileFlows(new FlowRelations(own), all),
      missing: missingByFlow(missing[index] ?? []),
      listsFields: recordsIn(exports[index]?.json["fields"]).length > 0,
      nearest,
    });
  }
  return flows.map((ofExport) => ({
    findings: ofExport.flatMap((flow) => lintFlow(flow, levels)),
    flows: new Map(ofExport.map((flow) => [flow.definition.uuid, flow])),
  }));
}

function missingByFlow(missing: readonly MissingReference[]): ReadonlyMap<string, readonly MissingOfNode[]> {
  const byFlow = new Map<string, MissingOfNode[]>();
  for (const { kind, name, uuid, places } of missing) {
    for (const { flow, node, by } of places) {
      if (flow === null || node === null) continue;
      const one = { kind, name: name === "" ? (uuid ?? "") : name, node, by };
      const list = byFlow.get(flow.uuid);
      if (list === undefined) byFlow.set(flow.uuid, [one]);
      else list.push(one);
    }
  }
  return byFlow;
}

function lintFlow(flow: LintedFlow, levels: RuleLevels): readonly Finding[] {
  return lintRules.flatMap((rule) => {
    const set = levels.get(rule.name);
    if (set === "off") return [];
    const isForeign = rule.isOfService === true && flow.isOfOtherService;
    return [...rule.check(flow)].map((problem) =>
      findingOf(problem, { flow, rule, level: set ?? (isForeign ? "info" : (problem.level ?? rule.level)) }),
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
    node: node === undefined ? null : { uuid: node.uuid, title: flow.titleOf(node) },
    at,
    path: isMigrated || place === "" ? null : path === undefined ? place : `${place}.${path}`,
    text,
    fix,
  };
}
