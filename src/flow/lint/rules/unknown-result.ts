import type { Problem } from "../finding.js";
import type { LintedFlow, Nearest } from "../linted-flow.js";
import type { LintRule } from "../rule.js";
import { addressFix, asWritten, neededPaths } from "./related-paths.js";

/** `@results.x` where no node of the flow saves x; `@child.results.x` and `@parent.results.x` alike. */
export const unknownResult: LintRule = {
  name: "unknown-result",
  level: "error",
  isOfService: true,
  summary: "a template reads a result that no node saves",
  *check(flow) {
    for (const { template, path } of neededPaths(flow, ["results", "run", "child", "parent"])) {
      const at = path.indexOf("results");
      const key = path[at + 1];
      if (at === -1 || at > 1 || key === undefined) continue;
      const owner = at === 0 || path[0] === "run" ? "own" : path[0] === "child" ? "child" : "parent";
      const missing = owner === "own" ? ownProblem(flow, key) : relatedProblem(flow, key, owner);
      if (missing === undefined) continue;
      const { node, at: place, path: json, isOperand } = template;
      // The operand of a migrated call without a name, which its author did not write.
      if (flow.isMigrated && isOperand && owner === "own" && (flow.node(node)?.actions.length ?? 0) > 0) continue;
      const fix = addressFix(template.text, path.join(".")) ?? missing.fix;
      yield {
        node,
        at: place,
        path: json,
        ...missing,
        fix,
        text: `${asWritten({ template, path }, flow)}: ${missing.text}`,
      };
    }
  },
};

type Said = Pick<Problem, "text" | "fix" | "level">;

function ownProblem(flow: LintedFlow, key: string): Said | undefined {
  if (flow.saves(key)) return undefined;
  const text = `no node of this flow saves the result '${key}'`;
  const child = [...flow.entered].map((uuid) => flow.file.flows.find(uuid)).find((one) => one?.saves(key) === true);
  if (child !== undefined) {
    return { text, fix: `flow '${child.definition.name}' saves it: read ${relatedPath(flow, "child", key)} after it` };
  }
  const parent = flow.parents().find((one) => one !== flow && one.saves(key));
  if (parent !== undefined) {
    return {
      text,
      fix: `flow '${parent.definition.name}' saves it and enters this one: read ${relatedPath(flow, "parent", key)}`,
    };
  }
  return { text, fix: fixName(key, [flow], flow.file.nearest) };
}

function relatedPath({ isMigrated }: LintedFlow, owner: "child" | "parent", key: string): string {
  return isMigrated ? `@${owner}.${key}` : `@${owner}.results.${key}`;
}

function fixName(key: string, owners: readonly LintedFlow[], nearest: Nearest): string {
  const close = nearest(
    key,
    owners.flatMap(({ results }) => [...results.keys()]),
  );
  if (close !== undefined) return `did you mean '${close}'?`;
  return "save this result in an earlier node, or delete the expression";
}

/** A problem only if all flows that can be meant are in the files, and none saves the result. */
function relatedProblem(flow: LintedFlow, key: string, owner: "child" | "parent"): Said | undefined {
  const owners =
    owner === "parent"
      ? flow.parents()
      : [...flow.entered].map((uuid) => flow.file.flows.find(uuid)).filter((one) => one !== undefined);
  if (owners.length === 0 || (owner === "child" && owners.length < flow.entered.size)) return undefined;
  if (owners.some((one) => one.saves(key))) return undefined;
  const names = owners.map(({ definition }) => `'${definition.name}'`);
  const named =
    names.length === 1
      ? `flow ${names[0] ?? ""} does not save the result '${key}'`
      : `none of ${names.length} flows saves the result '${key}'`;
  return {
    text: owner === "parent" ? `${named}, and nothing else here enters this flow` : named,
    fix: fixName(key, owners, flow.file.nearest),
    level: "warning",
  };
}
