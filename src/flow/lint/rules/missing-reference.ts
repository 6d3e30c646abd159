import type { Problem } from "../finding.js";
import type { LintedFlow } from "../linted-flow.js";
import type { LintRule } from "../rule.js";
import type { ReferenceKind } from "../../read/flow-references.js";

/** The places of a flow that refer to something of a kind that no file has. */
function* missingOf(
  flow: LintedFlow,
  kind: ReferenceKind,
  say: (name: string) => Pick<Problem, "text" | "fix" | "level">,
): Generator<Problem, void> {
  for (const missing of flow.file.missing.get(flow.definition.uuid) ?? []) {
    if (missing.kind !== kind) continue;
    const said = say(missing.name);
    yield { node: missing.node, ...said, text: `${flow.asWritten(missing.node, missing.by)}: ${said.text}` };
  }
}

/** A flow that is entered or started, and that no file has: the account may have it. */
export const missingFlow: LintRule = {
  name: "missing-flow",
  level: "info",
  summary: "a flow that is entered or started is in none of the files",
  check: (flow) =>
    missingOf(flow, "flow", (name) => ({
      text: `flow '${name}' is in none of the files; without it the conversation ends there with an error`,
      fix: "export it with the others, or check its file too",
    })),
};

/** A group without a name and with a uuid that no file lists: the account may have it. */
export const missingGroup: LintRule = {
  name: "missing-group",
  level: "info",
  summary: "a group that no file lists and that has no name to create it by",
  check: (flow) =>
    missingOf(flow, "group", (name) => ({
      text: `group '${name}' must exist in the account: no file lists it, and it has no name to create it by`,
      fix: "choose the group again if the account does not have it",
    })),
};

/** A field that templates read, and nothing defines or sets. */
export const unknownField: LintRule = {
  name: "unknown-field",
  level: "warning",
  isOfService: true,
  summary: "a template reads a contact field that the files neither list nor set",
  check: (flow) =>
    missingOf(flow, "field", (name) =>
      flow.file.listsFields
        ? {
            text: `the field '${name}' does not exist: the file lists its fields without it, and no flow sets it`,
            fix: "correct its key, or create the field",
          }
        : {
            text: `the field '${name}' must exist in the account: the file lists no fields, and no flow sets it`,
            fix: "correct its key, or create the field",
            level: "info",
          },
    ),
};
