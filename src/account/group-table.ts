import type { SimTime } from "../sim/index.js";

/** A contact group, as it is stored. How many members it has is counted by the store. */
export interface GroupRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  /** What the members of a smart group have in common; null: members are put in by hand. */
  readonly query: string | null;
  readonly createdAtMs: SimTime;
}

/** Where groups and their members are kept. The store implements it. */
export interface GroupTable {
  /** How many there are, deleted ones apart. */
  readonly count: number;
  /** Deleted ones too: others may still refer to them. */
  get(id: number): GroupRow | undefined;
  /** Not deleted; `byName` in any case. */
  byUuid(uuid: string): GroupRow | undefined;
  byName(name: string): GroupRow | undefined;
  /** All that are not deleted, in the order of their ids. */
  all(): readonly GroupRow[];
  /** The id that the next group gets. */
  nextId(): number;
  /** Inserts a group, or replaces what was stored under its id. */
  put(row: GroupRow): void;
  /** Deletes a group; its members leave it, which changes them. */
  remove(id: number, atMs: SimTime): void;
  /** Rows of the contacts in a group, rising. */
  membersOf(id: number): number[];
  /** The groups that a contact is in, in the order of their ids. */
  groupsOf(contact: number): GroupRow[];
  /** Puts a contact that is not in the group into it. */
  join(id: number, contact: number): void;
  leave(id: number, contact: number): void;
  /** Takes a contact out of all groups. */
  leaveAll(contact: number): void;
}
