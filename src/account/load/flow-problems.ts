import { inspectDefinition } from "../../flow/index.js";
import type { AccountData } from "../../wire/index.js";
import { type ReadableFlow, readableFlows } from "./readable-flows.js";

/**
 * The parts of these flows that do not run as in the service, by flow, node and name. Such flows are still loaded.
 *
 * @returns sentences without a full stop
 */
export function flowProblems({ flows }: Pick<AccountData, "flows">): string[] {
  return readableFlows(flows).flatMap(problemsOf);
}

function problemsOf({ data: { name, type }, read }: ReadableFlow): string[] {
  if (type === "voice") return [`flow '${name}' does not run: handsets do not run voice flows`];
  if ("fault" in read) return [`flow '${name}' does not run: ${read.fault}`];
  return inspectDefinition(read.definition).map(
    ({ node, kind, name: part, effect }) => `flow '${name}', node ${node}: ${kind} ${part} ${effect}`,
  );
}
