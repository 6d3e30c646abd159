import type { Kernel, SimTime } from "../sim/index.js";
import type { TriggerData } from "../wire/index.js";
import type { RowTable } from "./registry.js";

/** What starts a flow by itself, as it is stored (flows.md 13). */
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
  /** Id of the channel that it is for; null: any. */
  readonly channel: number | null;
  /** Ids of the groups one of which the contact must be in, rising; none: anybody. */
  readonly groups: readonly number[];
  /** Ids of the groups in which the contact must not be, rising. */
  readonly excludeGroups: readonly number[];
  readonly isArchived: boolean;
  readonly createdAtMs: SimTime;
}

/** Where triggers are stored. The store implements it. */
export interface TriggerTable extends RowTable<TriggerRow> {
  /** Those that are not archived, the oldest first. */
  active(): TriggerRow[];
  /** Those of them that are of a type, and have a keyword or, null, none. */
  activeOf(type: string, keyword: string | null): TriggerRow[];
  /** Archives the triggers that are limited to a group. */
  archiveOfGroup(groupId: number): void;
}

/** Triggers: imported and exported; there is no other way to them. */
export class Triggers {
  readonly #kernel: Kernel;
  readonly #table: TriggerTable;

  constructor(options: { kernel: Kernel; table: TriggerTable }) {
    this.#kernel = options.kernel;
    this.#table = options.table;
  }

  /**
   * Adds a trigger. One that waits for the very same is archived (flows.md 13, "Conflict rule"); one that also does the
   * same is kept, and nothing is added: an export that is read twice changes nothing.
   *
   * @returns the trigger that does it now
   */
  add(trigger: Omit<TriggerRow, "id" | "isArchived" | "createdAtMs">): TriggerRow {
    const wanted = {
      ...trigger,
      keyword: trigger.keyword?.toLowerCase() ?? null,
      groups: rising(trigger.groups),
      excludeGroups: rising(trigger.excludeGroups),
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

/** With type and keyword what no two active triggers share. */
function conditionOf({ channel, groups }: Pick<TriggerRow, "channel" | "groups">): string {
  return JSON.stringify([channel, groups]);
}

function rising(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
