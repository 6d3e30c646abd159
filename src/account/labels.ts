import type { Kernel, SimTime, Streams } from "../sim/index.js";

/** A message label, as it is stored. */
export interface LabelRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly createdAtMs: SimTime;
}

/** Where labels are kept. The store implements it. */
export interface LabelTable {
  readonly count: number;
  get(id: number): LabelRow | undefined;
  byUuid(uuid: string): LabelRow | undefined;
  /** The name in any case. */
  byName(name: string): LabelRow | undefined;
  /** The id that the next label gets. */
  nextId(): number;
  /** Inserts a label, or replaces what was stored under its id. */
  put(row: LabelRow): void;
  /** Takes a label away, and off all messages. */
  remove(id: number): void;
}

/** Message labels. Names are unique in any case, which whoever calls has checked. */
export class Labels {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: LabelTable;

  constructor(options: { kernel: Kernel; streams: Streams; table: LabelTable }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
  }

  /** @param uuid - for a label that has one already; else one that seed and id determine */
  add({ name, uuid }: { name: string; uuid?: string | undefined }): LabelRow {
    const id = this.#table.nextId();
    const label = { id, uuid: uuid ?? this.#streams.uuid(`label/${id}`), name, createdAtMs: this.#kernel.now };
    this.#table.put(label);
    return label;
  }

  rename(label: LabelRow, name: string): LabelRow {
    const renamed = { ...label, name };
    this.#table.put(renamed);
    return renamed;
  }

  /** Cannot be undone (service-api.md 2.14). */
  remove(label: LabelRow): void {
    this.#table.remove(label.id);
  }
}
