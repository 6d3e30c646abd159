import {
  DefinitionError,
  inspectDefinition,
  migrateDefinition,
  MigrationError,
  readDefinition,
} from "../../flow/index.js";
import type { AccountData, FlowData } from "../../wire/index.js";

/**
 * What of these flows does not run as in the service, by flow, node and name. Such a flow is loaded nevertheless.
 *
 * @returns sentences without a full stop
 */
export function flowProblems({ flows }: Pick<AccountData, "flows">): string[] {
  const types = new Map(flows.flatMap(({ uuid, type }) => (uuid === undefined ? [] : [[uuid.toLowerCase(), type]])));
  return flows.flatMap((flow) => problemsOf(flow, types));
}

function problemsOf({ name, type, definition }: FlowData, flowTypes: ReadonlyMap<string, string>): string[] {
  if (type === "voice") return [`flow '${name}' does not run: handsets do not run voice flows`];
  try {
    return inspectDefinition(readDefinition(migrateDefinition(definition, { flowTypes }))).map(
      ({ node, kind, name: part, effect }) => `flow '${name}', node ${node}: ${kind} ${part} ${effect}`,
    );
  } catch (error) {
    if (!(error instanceof DefinitionError || error instanceof MigrationError)) throw error;
    return [`flow '${name}' does not run: ${error.message}`];
  }
}
