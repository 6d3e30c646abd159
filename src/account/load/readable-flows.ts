import {
  DefinitionError,
  type FlowDefinition,
  migrateDefinition,
  MigrationError,
  readDefinition,
} from "../../flow/index.js";
import type { FlowData } from "../../wire/index.js";
import { legacyId } from "../definitions/index.js";

/** A flow of an account's data, as the runner would execute it. */
export interface ReadableFlow {
  readonly data: FlowData;
  /** The definition, or why it cannot run. */
  readonly read: { readonly definition: FlowDefinition } | { readonly fault: string };
}

/** Reads flows together, because a legacy one needs the others: their types, and the numbers by which it knows them. */
export function readableFlows(flows: readonly FlowData[]): readonly ReadableFlow[] {
  const flowTypes = new Map(
    flows.flatMap(({ uuid, type }) => (uuid === undefined ? [] : [[uuid.toLowerCase(), type]])),
  );
  const uuids = new Map(flows.map(({ uuid, definition }) => [legacyId(definition), uuid]));
  const idUuid = (kind: string, id: unknown): string | undefined => (kind === "flow" ? uuids.get(String(id)) : "");
  return flows.map((data) => {
    try {
      return { data, read: { definition: readDefinition(migrateDefinition(data.definition, { flowTypes, idUuid })) } };
    } catch (error) {
      if (!(error instanceof DefinitionError || error instanceof MigrationError)) throw error;
      return { data, read: { fault: error.message } };
    }
  });
}
