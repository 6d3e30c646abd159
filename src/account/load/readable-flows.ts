import { type DefinitionReading, readAnyDefinition } from "../../flow/index.js";
import type { FlowData } from "../../wire/index.js";
import { uuidsOfFlowNumbers } from "../definitions/index.js";

/** A flow of an account's data in the form that the runner executes. */
export interface ReadableFlow {
  readonly data: FlowData;
  readonly read: DefinitionReading;
}

/** Reads flows together, because a legacy flow needs the types and the numbers of the others. */
export function readableFlows(flows: readonly FlowData[]): readonly ReadableFlow[] {
  const flowTypes = new Map(
    flows.flatMap(({ uuid, type }) => (uuid === undefined ? [] : [[uuid.toLowerCase(), type]])),
  );
  const idUuid = uuidsOfFlowNumbers(flows);
  return flows.map((data) => ({ data, read: readAnyDefinition(data.definition, { flowTypes, idUuid }) }));
}
