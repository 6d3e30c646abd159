import { nearest } from "../../../src/scenario/index.js";
import { exportsHave, lintExports, missingReferences, readExportFlows, type Finding } from "../../../src/flow/index.js";

/** The findings of one rule in an export: `[level, node's place, text]`. */
export function linted(flows: readonly unknown[], rule: string, more: object = {}): readonly Finding[] {
  const read = readExportFlows({ version: "13", flows, ...more });
  if (read.faults.length > 0) throw new Error(JSON.stringify(read.faults));
  const missing = missingReferences(read.flows, exportsHave([read]));
  const [linted] = lintExports([read], { missing: [missing], nearest });
  return (linted?.findings ?? []).filter((one) => one.rule === rule);
}

/** The texts of {@link linted}. */
export function textsOf(flows: readonly unknown[], rule: string, more: object = {}): readonly string[] {
  return linted(flows, rule, more).map(({ text }) => text);
}

/** A message of a node. */
export function say(text: string, more: object = {}): Record<string, unknown> {
  return { type: "send_msg", text, ...more };
}
