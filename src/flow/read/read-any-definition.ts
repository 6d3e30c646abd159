import type { FlowDefinition } from "../definition.js";
import { migrateDefinition, type MigrationOptions } from "../legacy/migrate-definition.js";
import { MigrationError } from "../legacy/migration-error.js";
import { DefinitionError } from "./definition-error.js";
import { readDefinition } from "./read-definition.js";

/** A runnable definition with its native JSON, or the reason why it cannot run. */
export type DefinitionReading =
  | { readonly definition: FlowDefinition; readonly native: Readonly<Record<string, unknown>> }
  | { readonly fault: string };

/** Reads a definition of any generation; a legacy one is migrated first. Does not throw. */
export function readAnyDefinition(json: unknown, options: MigrationOptions = {}): DefinitionReading {
  try {
    const native = migrateDefinition(json, options);
    return { definition: readDefinition(native), native };
  } catch (error) {
    if (!(error instanceof DefinitionError || error instanceof MigrationError)) throw error;
    return { fault: error.message };
  }
}
