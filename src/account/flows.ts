import { generationOf } from "../flow/index.js";
import type { Kernel, SimTime, Streams } from "../sim/index.js";
import type { FlowData, FlowType } from "../wire/index.js";
import { type FlowResult, type FlowSummary, flowSummary } from "./definitions/index.js";

/** The JSON of one flow, of any generation. */
export type FlowJson = Readonly<Record<string, unknown>>;

/** A flow, as it is stored. Its definition, which can be long, is read separately. */
export interface FlowRow {
  /** Counts from 1; `flow` in flow events. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly type: FlowType;
  readonly isArchived: boolean;
  /** Minutes of silence before a run expires. */
  readonly expiresMinutes: number;
  /** Flow labels, which are not message labels (docs/reference/service-api.md#flows). */
  readonly labels: readonly { readonly uuid: string; readonly name: string }[];
  /** The results that the definition saves. Stored, so that a page of flows does not parse 250 definitions. */
  readonly results: readonly FlowResult[];
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
}

/** Where flows are stored. The store implements it. */
export interface FlowTable {
  get(id: number): FlowRow | undefined;
  byUuid(uuid: string): FlowRow | undefined;
  /** The oldest flow with this name, in any letter case. */
  byName(name: string): FlowRow | undefined;
  /** Oldest first. */
  all(): FlowRow[];
  definition(id: number): FlowJson | undefined;
  /** The id that the next flow gets. */
  nextId(): number;
  /** Inserts a flow, or replaces the one with its id. */
  put(row: FlowRow, definition: FlowJson): void;
}

/** Flows. */
export class Flows {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: FlowTable;
  readonly #changed: (id: number) => void;

  /** @param options - `changed`: called when a flow was added or replaced */
  constructor(options: { kernel: Kernel; streams: Streams; table: FlowTable; changed: (id: number) => void }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
    this.#changed = options.changed;
  }

  /** Adds a flow, or replaces the one with its UUID, whose runs and starts then refer to the new content. */
  add(data: FlowData): FlowRow {
    const now = this.#kernel.now;
    const known = data.uuid === undefined ? undefined : this.#table.byUuid(data.uuid);
    const id = known?.id ?? this.#table.nextId();
    const uuid = known?.uuid ?? data.uuid ?? this.#streams.uuid(`flow/${id}`);
    const summary = flowSummary(data.definition);
    const flow: FlowRow = {
      id,
      uuid,
      name: data.name,
      type: data.type,
      isArchived: data.isArchived,
      expiresMinutes: data.expiresMinutes,
      labels: this.#labels(data.labels),
      results: summary.results,
      createdAtMs: known?.createdAtMs ?? now,
      modifiedAtMs: now,
    };
    this.#table.put(flow, identified(data.definition, { summary, flow }));
    this.#changed(id);
    return flow;
  }

  /**
   * Labels with UUIDs derived from their names, in any letter case, so flows with the same label name share the label.
   */
  #labels(names: readonly string[]): FlowRow["labels"] {
    const labels = new Map<string, FlowRow["labels"][number]>();
    for (const name of names) {
      const uuid = this.#streams.uuid(`flow-label/${name.normalize("NFC").toLowerCase()}`);
      if (!labels.has(uuid)) labels.set(uuid, { uuid, name });
    }
    return [...labels.values()];
  }
}

/** The definition with the flow's UUID and name, so that references in an export resolve. Otherwise unchanged. */
function identified(
  definition: FlowJson,
  { summary, flow: { uuid, name } }: { summary: FlowSummary; flow: FlowRow },
): FlowJson {
  const changes = {
    ...(summary.uuid?.toLowerCase() !== uuid && { uuid }),
    ...(summary.name?.trim() !== name && { name }),
  };
  if (Object.keys(changes).length === 0) return definition;
  if (generationOf(definition) !== "legacy") return { ...definition, ...changes };
  const metadata = definition["metadata"];
  return { ...definition, metadata: { ...(typeof metadata === "object" && metadata), ...changes } };
}
