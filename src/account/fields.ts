import type { Kernel } from "../sim/index.js";
import type { FieldType } from "../wire/index.js";
import type { FieldRow, FieldTable } from "./field-table.js";
import type { SmartGroups } from "./smart-groups.js";

/** Contact fields. No field is ever deleted: the API has no way to. */
export class Fields {
  readonly #kernel: Kernel;
  readonly #table: FieldTable;
  readonly #smartGroups: SmartGroups;

  constructor(options: { kernel: Kernel; table: FieldTable; smartGroups: SmartGroups }) {
    this.#kernel = options.kernel;
    this.#table = options.table;
    this.#smartGroups = options.smartGroups;
  }

  /** Keys and labels are unique, which whoever calls has checked. */
  add({ key, label, type }: { key: string; label: string; type: FieldType }): FieldRow {
    const field = { id: this.#table.nextId(), key, label, type, createdAtMs: this.#kernel.now };
    this.#table.put(field);
    this.#smartGroups.fieldChanged(key);
    return field;
  }

  /** Values stay as they were written: another type shows and compares them otherwise (service-api.md 2.7). */
  change(field: FieldRow, { label, type }: { label: string; type: FieldType }): FieldRow {
    const changed = { ...field, label, type };
    this.#table.put(changed);
    if (type !== field.type) this.#smartGroups.fieldChanged(field.key);
    return changed;
  }
}
