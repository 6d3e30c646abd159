import type { Schedule } from "../flow/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { TriggerData } from "../wire/index.js";
import type { RowTable } from "./registry.js";
import { sortedIds } from "./sorted-ids.js";

/** When a schedule fires, as it is stored. Hours and days are those of the organisation's zone. */
export type ScheduleRow = Omit<Schedule, "timezone">;

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
  /** Rows of contacts, ascending; schedules only. */
  readonly contacts: readonly number[];
  /** Null: no schedule. */
  readonly schedule: ScheduleRow | null;
  /** When a schedule fires next; null: never. */
  readonly nextFireAtMs: SimTime | null;
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

/** A trigger to add. */
export interface NewTrigger extends Pick<
  TriggerRow,
  "type" | "keyword" | "matchType" | "flow" | "channel" | "groups" | "excludeGroups"
> {
  /** Default: none. */
  readonly contacts?: readonly number[];
  /** Default: it is no schedule. */
  readonly schedule?: ScheduleRow | null;
  /** The first fire of a schedule; default: the first matching time. */
  readonly startAtMs?: SimTime | null;
}

/** Dates the fires of schedules (`Schedules`). */
export interface ScheduleTimer {
  /** When a new schedule fires first; null: never. `startAtMs`: the wanted instant; null: the first matching time. */
  firstFire(schedule: ScheduleRow, startAtMs: SimTime | null): SimTime | null;
  /** A schedule was added. */
  wake(): void;
}

/** Triggers. Only imports and exports reach them; the API has no resource for them. */
export class Triggers {
  readonly #kernel: Kernel;
  readonly #table: TriggerTable;
  readonly #schedules: ScheduleTimer;

  constructor(options: { kernel: Kernel; table: TriggerTable; schedules: ScheduleTimer }) {
    this.#kernel = options.kernel;
    this.#table = options.table;
    this.#schedules = options.schedules;
  }

  /**
   * Adds a trigger and archives the one with the same condition (docs/reference/flows.md#triggers). Returns the
   * existing one instead when it also starts the same flow, so that importing an export twice changes nothing. Schedules
   * exclude each other only when they are the same in everything.
   */
  add({ startAtMs = null, ...trigger }: NewTrigger): TriggerRow {
    const { schedule = null } = trigger;
    const wanted = {
      ...trigger,
      contacts: sortedIds(trigger.contacts ?? []),
      schedule,
      nextFireAtMs: schedule === null ? null : this.#schedules.firstFire(schedule, startAtMs),
      keyword: trigger.keyword?.toLowerCase() ?? null,
      groups: sortedIds(trigger.groups),
      excludeGroups: sortedIds(trigger.excludeGroups),
    };
    for (const other of this.#table.activeOf(wanted.type, wanted.keyword)) {
      if (conditionOf(other) !== conditionOf(wanted)) continue;
      if (contentOf(other) === contentOf(wanted)) return other;
      if (schedule === null) this.#table.put({ ...other, isArchived: true });
    }
    const row = { ...wanted, id: this.#table.nextId(), isArchived: false, createdAtMs: this.#kernel.now };
    this.#table.put(row);
    if (schedule !== null) this.#schedules.wake();
    return row;
  }
}

/** The rest of a trigger's condition; unique among active triggers together with type and keyword. */
function conditionOf({ channel, groups }: Pick<TriggerRow, "channel" | "groups">): string {
  return JSON.stringify([channel, groups]);
}

function contentOf({
  flow,
  matchType,
  excludeGroups,
  contacts,
  schedule,
}: Pick<TriggerRow, "flow" | "matchType" | "excludeGroups" | "contacts" | "schedule">): string {
  const times = schedule && [schedule.repeat, schedule.days, schedule.dayOfMonth, schedule.hour, schedule.minute];
  return JSON.stringify([flow, matchType, excludeGroups, contacts, times]);
}
