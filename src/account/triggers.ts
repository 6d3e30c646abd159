import type { Kernel, SimTime } from "../sim/index.js";
import type { TriggerData } from "../wire/index.js";
import type { RowTable } from "./registry.js";
import { sortedIds } from "./sorted-ids.js";

/** A condition that starts a flow, as it is stored (docs/reference/flows.md#triggers). */
export interface TriggerRow {
  /** Counts from 1. */
  readonly id: number;
  /** A letter: K keyword, C catch-all, M missed call… */
  readonly type: string;
  /** Lower case; null where the type has none. */
  readonly keyword: string | null;
  /** F: first word of the message; O: the message is this word only. */
  readonly matchType: TriggerData["matchType"];
  /** Id of the flow. */
  readonly flow: number;
  /** Id of the channel to which it is limited; null: any. */
  readonly channel: number | null;
  /** Ids of groups, ascending: the contact must be in one of them; empty: any contact. */
  readonly groups: readonly number[];
  /** Ids of groups, ascending, in which the contact must not be. */
  readonly excludeGroups: readonly number[];
  readonly isArchived: boolean;
  readonly createdAtMs: SimTime;
}

/** Where triggers are stored. The store implements it. */
export interface TriggerTable extends RowTable<TriggerRow> {
  /** Triggers that are not archived, oldest first. */
  active(): readonly TriggerRow[];
  /** Triggers of a type that are not archived, with this keyword; null: without one. */
  activeOf(type: string, keyword: string | null): TriggerRow[];
  /** Archives the triggers that are limited to a group. */
  archiveOfGroup(groupId: number): void;
}

/** Triggers. Only imports and exports reach them; the API has no resource for them. */
export class Triggers {
  readonly #kernel: Kernel;
  readonly #table: TriggerTable;

  constructor(options: { kernel: Kernel; table: TriggerTable }) {
    this.#kernel = options.kernel;
    this.#table = options.table;
  }

  /**
   * Adds a trigger and archives the one with the same condition (docs/reference/flows.md#triggers). Returns the
   * existing one instead when it also starts the same flow, so that importing an export twice changes nothing.
   */
  add(trigger: Omit<TriggerRow, "id" | "isArchived" | "createdAtMs">): TriggerRow {
    const wanted = {
      ...trigger,
      keyword: trigger.keyword?.toLowerCase() ?? null,
      groups: sortedIds(trigger.groups),
      excludeGroups: sortedIds(trigger.excludeGroups),
    };
    for (const other of this.#table.activeOf(wanted.type, wanted.keyword)) {
      if (conditionOf(other) !== conditionOf(wanted)) continue;
      const isSame = other.flow === wanted.flow && other.matchType === wanted.matchType;
      if (isSame && String(other.excludeGroups) === String(wanted.excludeGroups)) return other;
      this.#table.put({ ...other, isArchived: true });
    }
    const row = { ...wanted, id: this.#table.nextId(), isArchived: false, createdAtMs: this.#kernel.now };
    this.#table.put(row);
    return row;
  }
}

/** The rest of a trigger's condition; unique among active triggers together with type and keyword. */
function conditionOf({ channel, groups }: Pick<TriggerRow, "channel" | "groups">): string {
  return JSON.stringify([channel, groups]);
}
