import { DerivedUuids } from "./derived-uuids.js";
import { generationOf } from "./generation.js";
import { isTooDeep, type LegacyJson, mapOf, textOf } from "./json.js";
import { MigrationError } from "./migration-error.js";
import { writeFlow } from "./native/flow.js";
import { idUuid, readLegacyFlow } from "./read-legacy-flow.js";
import type { FieldTypes } from "./versions/formatted-values.js";
import type { FlowTypes } from "./versions/flow-types.js";
import { applySteps } from "./versions/steps.js";
import { readVersion, version } from "./versions/version.js";

/** Inputs of the migration that the definition itself does not contain. */
export interface MigrationOptions {
  /** URL to which relative paths of media are joined; default: empty. */
  readonly mediaBase?: string;
  /** Version of the export, for flows that do not say theirs. */
  readonly version?: string | number | undefined;
  /** Types of other flows by UUID (`V` or `voice`): before 11.10 a flow could enter one of another type. */
  readonly flowTypes?: FlowTypes;
  /** Types of contact fields by key: before 11.0 dates and locations in messages were formatted. */
  readonly fieldTypes?: FieldTypes;
  /**
   * UUID for a numeric id, as exports before version 9 have them. Default: a hash of kind and id. Where it returns an
   * empty text, groups and labels are found by name.
   */
  readonly idUuid?: (kind: string, id: unknown) => string | undefined;
}

/**
 * The native form of a definition of any generation (docs/reference/flows.md#legacy-to-native). A native definition is
 * returned as it is. A legacy one is brought to the last legacy version and then written as version 13.0.
 *
 * Deterministic: UUIDs of sets, actions and rules stay. Objects without a UUID of their own (categories, cases, actions of
 * rule sets) get a hash of the flow's UUID and their place, so the same input gives the same output.
 *
 * @throws MigrationError for a value that is no definition, a version before 3, and parts without a native form
 */
export function migrateDefinition(json: unknown, options: MigrationOptions = {}): LegacyJson {
  const definition = mapOf(json);
  const generation = generationOf(json);
  if (definition === undefined || generation === undefined) {
    throw new MigrationError("", "not a flow definition: it has neither nodes nor action_sets and rule_sets");
  }
  if (generation === "native") return definition;
  if (isTooDeep(definition)) throw new MigrationError("", "objects and lists are nested deeper than 100 levels");
  const written = readVersion(definition["version"] ?? mapOf(definition["definition"])?.["version"]);
  const stated = written ?? readVersion(options.version);
  if (stated !== undefined && stated < version(3)) {
    throw new MigrationError("", `version ${textOf(definition["version"] ?? options.version)} is older than 3`);
  }
  const flow = readLegacyFlow(structuredClone(definition), stated);
  const uuids = new DerivedUuids(flow.uuid === "" ? JSON.stringify(definition) : flow.uuid);
  applySteps(flow, {
    flowTypes: options.flowTypes ?? new Map(),
    fieldTypes: options.fieldTypes ?? new Map(),
    idUuid: (kind, id) => options.idUuid?.(kind, id) ?? idUuid(kind, id),
    uuids,
  });
  return writeFlow(flow, uuids, options.mediaBase ?? "");
}
