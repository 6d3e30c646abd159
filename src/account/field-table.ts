import type { SimTime } from "../sim/index.js";
import type { FieldType } from "../wire/index.js";

/** A contact field, as it is stored. */
export interface FieldRow {
  /** Counts from 1. */
  readonly id: number;
  /** Names it in contacts, queries and templates; made from the first label and never changed. */
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  readonly createdAtMs: SimTime;
}

/** Where contact fields are kept: all in memory, since every contact that is shown asks for them. The store implements it. */
export interface FieldTable {
  /** In the order of their ids. */
  all(): readonly FieldRow[];
  /** By key. */
  types(): ReadonlyMap<string, FieldType>;
  get(id: number): FieldRow | undefined;
  byKey(key: string): FieldRow | undefined;
  /** The label in any case. */
  byLabel(label: string): FieldRow | undefined;
  /** The id that the next field gets. */
  nextId(): number;
  /** Inserts a field, or replaces what was stored under its id. */
  put(row: FieldRow): void;
}
