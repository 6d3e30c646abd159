import type { Kernel, SimTime, Streams } from "../sim/index.js";
import { Registry, type RowTable } from "./registry.js";

/** A message label, as it is stored. */
export interface LabelRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Unique, ignoring letter case. */
  readonly name: string;
  readonly createdAtMs: SimTime;
}

/** Where labels are stored. The store implements it. */
export interface LabelTable extends RowTable<LabelRow> {
  readonly count: number;
  get(id: number): LabelRow | undefined;
  byUuid(uuid: string): LabelRow | undefined;
  /** Ignores letter case. */
  byName(name: string): LabelRow | undefined;
  /** Deletes a label and takes it off all messages. */
  remove(id: number): void;
}

/** Message labels (docs/reference/service-api.md#labels). */
export class Labels extends Registry<LabelRow> {
  readonly #table: LabelTable;

  constructor({ kernel, streams, table }: { kernel: Kernel; streams: Streams; table: LabelTable }) {
    super({ kernel, table, uuids: { streams, kind: "label" } });
    this.#table = table;
  }

  /** Deletes a label and takes it off all messages. Cannot be undone (docs/reference/service-api.md#labels). */
  remove(label: LabelRow): void {
    this.#table.remove(label.id);
  }
}
