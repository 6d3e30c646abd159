import type { FlowDefinition } from "../definition.js";
import { generationOf } from "../legacy/generation.js";
import { migrateDefinition } from "../legacy/migrate-definition.js";
import { exportSurroundings } from "../legacy/migrate-export.js";
import { type WrittenTexts, writtenTexts } from "../legacy/written-texts.js";
import { isRecord } from "../read/json-object.js";
import { readDefinition } from "../read/read-definition.js";

/** The flows of a file. */
export interface ExportFlows {
  readonly flows: readonly FlowDefinition[];
  /** Flows that cannot be loaded. */
  readonly faults: readonly { readonly flow: string; readonly text: string }[];
  /** The export in native form; a single definition as an export of one flow. */
  readonly json: Readonly<Record<string, unknown>>;
  /** What the authors of legacy flows wrote, by the UUIDs of the migrated flows. */
  readonly migrated: ReadonlyMap<string, () => WrittenTexts>;
  /** Paths of the flows in the JSON of the file, by UUID. */
  readonly places: ReadonlyMap<string, readonly (string | number)[]>;
}

/**
 * Loads the flows of an export, or of a single definition, of any generation. A flow that cannot be loaded does not
 * stop the others.
 *
 * @throws Error when the file is neither
 */
export function readExportFlows(json: unknown): ExportFlows {
  const whole = generationOf(json) === undefined ? json : { flows: [json] };
  if (!isRecord(whole) || !Array.isArray(whole["flows"])) {
    return {
      flows: [],
      faults: [{ flow: "the file", text: "not an export: it has no flows" }],
      json: {},
      migrated: new Map(),
      places: new Map(),
    };
  }
  const flows: FlowDefinition[] = [];
  const faults: { flow: string; text: string }[] = [];
  const places = new Map<string, readonly (string | number)[]>();
  const legacy = new Map<string, () => WrittenTexts>();
  const surroundings = exportSurroundings(whole);
  const native = whole["flows"].map((flow: unknown, index) => {
    try {
      const migrated = migrateDefinition(flow, surroundings);
      const definition = readDefinition(migrated);
      flows.push(definition);
      places.set(definition.uuid, whole === json ? ["flows", index] : []);
      if (isRecord(flow) && generationOf(flow) === "legacy") {
        legacy.set(definition.uuid, () => writtenTexts(flow, migrated));
      }
      return migrated;
    } catch (error) {
      faults.push({ flow: nameOf(flow) ?? `flow ${index + 1}`, text: error instanceof Error ? error.message : "" });
      return flow;
    }
  });
  return { flows, faults, json: { ...whole, flows: native }, migrated: legacy, places };
}

function nameOf(flow: unknown): string | undefined {
  if (!isRecord(flow)) return undefined;
  const metadata = isRecord(flow["metadata"]) ? flow["metadata"] : {};
  const name = flow["name"] ?? metadata["name"] ?? flow["uuid"];
  return typeof name === "string" ? name : undefined;
}
