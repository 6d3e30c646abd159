import type { Kernel, SimTime } from "../sim/index.js";
import type { FieldType } from "../wire/index.js";
import { Registry, type RowTable } from "./registry.js";
import type { SmartGroups } from "./groups/smart-groups.js";

/** A contact field, as it is stored. */
export interface FieldRow {
  /** Counts from 1. */
  readonly id: number;
  /** Identifies the field in contacts, queries and templates. Derived from the first label; never changes. */
  readonly key: string;
  /** Unique, ignoring letter case. */
  readonly label: string;
  readonly type: FieldType;
  readonly createdAtMs: SimTime;
}

/**
 * Storage of contact fields, which are all held in memory, because every shown contact reads them. The store
 * implements it.
 */
export interface FieldTable extends RowTable<FieldRow> {
  /** By id. */
  all(): readonly FieldRow[];
  /** By key. */
  types(): ReadonlyMap<string, FieldType>;
  get(id: number): FieldRow | undefined;
  byKey(key: string): FieldRow | undefined;
  /** Ignores letter case. */
  byLabel(label: string): FieldRow | undefined;
}

/** Contact fields. The API cannot delete them. */
export class Fields extends Registry<FieldRow> {
  readonly #smartGroups: SmartGroups;
  readonly #added: (field: FieldRow) => void;

  /** @param options - `added`: called for each new field */
  constructor(options: {
    kernel: Kernel;
    table: FieldTable;
    smartGroups: SmartGroups;
    added: (field: FieldRow) => void;
  }) {
    super(options);
    this.#smartGroups = options.smartGroups;
    this.#added = options.added;
  }

  override add(field: { key: string; label: string; type: FieldType }): FieldRow {
    const row = super.add(field);
    this.#smartGroups.updateForField(row.key);
    this.#added(row);
    return row;
  }

  /**
   * Changes a field. Stored values keep their text; the new type only changes how they are shown and compared
   * (docs/reference/service-api.md#contacts).
   */
  override change(field: FieldRow, changes: { label: string; type: FieldType }): FieldRow {
    const changed = super.change(field, changes);
    if (changed.type !== field.type) this.#smartGroups.updateForField(field.key);
    return changed;
  }
}
