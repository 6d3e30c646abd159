import type { SimTime } from "../../sim/index.js";
import type { RowTable } from "../registry.js";

/** A contact group, as it is stored. The store counts its members. */
export interface GroupRow {
  /** Counts from 1. */
  readonly id: number;
  readonly uuid: string;
  /** Unique, ignoring letter case. */
  readonly name: string;
  /** The contact query of a smart group; null for a manual group, whose members clients set. */
  readonly query: string | null;
  readonly createdAtMs: SimTime;
}

/** Where groups and their members are stored. The store implements it. */
export interface GroupTable extends RowTable<GroupRow> {
  /** Groups that are not deleted. */
  readonly count: number;
  /** Finds deleted groups, too: other rows may still refer to them. */
  get(id: number): GroupRow | undefined;
  /** Finds no deleted group. */
  byUuid(uuid: string): GroupRow | undefined;
  /** Ignores letter case. Finds no deleted group. */
  byName(name: string): GroupRow | undefined;
  /** All groups that are not deleted, by id. */
  all(): readonly GroupRow[];
  /** Deletes a group, which then has no members. The caller removes the {@link formerMembers} from it. */
  remove(id: number): void;
  /** Rows of contacts that have not yet been removed from a deleted group, at most `most`. */
  formerMembers(id: number, most: number): number[];
  /** Rows of the contacts in a group, ascending; none for a deleted group. */
  membersOf(id: number): number[];
  /** The groups of a contact, by id. */
  groupsOf(contact: number): GroupRow[];
  /** Adds a contact to a group that it is not in. */
  join(id: number, contact: number): void;
  leave(id: number, contact: number): void;
  /** Removes a contact from all groups. */
  leaveAll(contact: number): void;
}
