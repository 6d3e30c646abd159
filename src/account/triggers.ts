import type { Schedule } from "../flow/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { TriggerData } from "../wire/index.js";
import type { RowTable } from "./registry.js";
import { sortedIds } from "./sorted-ids.js";

/** When a schedule fires, as it is stored. Hours and days are in the organisation's zone. */
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
  /** Id of the channel to which it is limited; null for any channel. */
  readonly channel: number | null;
  /** Ids of groups, ascending: the contact must be in one of them; empty for any contact. */
  readonly groups: readonly number[];
  /** Ids of groups, ascending, in which the contact must not be. */
  readonly excludeGroups: readonly number[];
  /** Rows of contacts, ascending; schedules only. */
  readonly contacts: readonly number[];
  /** Null for a trigger that is not a schedule. */
  readonly schedule: ScheduleRow | null;
  /** When a schedule fires next; null when never. */
  readonly nextFireAtMs: SimTime | null;
  readonly isArchived: boolean;
  readonly createdAtMs: SimTime;
}

/** The properties in which active triggers differ: of two triggers with the same condition, one would never fire. */
export type TriggerCondition = Pick<TriggerRow, "type" | "keyword" | "channel" | "groups" | "contacts" | "schedule">;

/** Where triggers are stored. The store implements it. */
export interface TriggerTable extends RowTable<TriggerRow> {
  /** Triggers that are not archived, oldest first. */
  active(): readonly TriggerRow[];
  /** Triggers with this condition that are not archived, oldest first. */
  activeWith(condition: TriggerCondition): TriggerRow[];
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
  /** Default: the trigger is not a schedule. */
  readonly schedule?: ScheduleRow | null;
  /** The first fire of a schedule; default: the first matching time. */
  readonly startAtMs?: SimTime | null;
}

/** Computes the fire times of schedules (`Schedules`). */
export interface ScheduleTimer {
  /**
   * When a new schedule first fires; null when never. `startAtMs` is the wanted instant; null for the first matching
   * time.
   */
  firstFire(schedule: ScheduleRow, startAtMs: SimTime | null): SimTime | null;
  /** Called when a schedule was added that fires at an instant; null when it never fires. */
  added(fireAtMs: SimTime | null): void;
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
   * existing one instead when it also starts the same flow, so that importing an export twice changes nothing. Two
   * schedules conflict only when all their properties are equal.
   */
  add({ startAtMs = null, ...trigger }: NewTrigger): TriggerRow {
    const wanted = normalised(trigger);
    const { schedule } = wanted;
    for (const other of this.#table.activeWith(wanted)) {
      if (contentOf(other) === contentOf(wanted)) return other;
      if (schedule === null) this.#table.put({ ...other, isArchived: true });
    }
    const nextFireAtMs = schedule === null ? null : this.#schedules.firstFire(schedule, startAtMs);
    const identity = { id: this.#table.nextId(), isArchived: false, createdAtMs: this.#kernel.now };
    const row = { ...wanted, nextFireAtMs, ...identity };
    this.#table.put(row);
    if (schedule !== null) this.#schedules.added(nextFireAtMs);
    return row;
  }

  /** Whether adding a trigger would change nothing. */
  has(trigger: NewTrigger): boolean {
    const wanted = normalised(trigger);
    return this.#table.activeWith(wanted).some((other) => contentOf(other) === contentOf(wanted));
  }
}

type Normalised = Omit<TriggerRow, "id" | "nextFireAtMs" | "isArchived" | "createdAtMs">;

function normalised(trigger: NewTrigger): Normalised {
  const { type, matchType, flow, channel } = trigger;
  return {
    type,
    matchType,
    flow,
    channel,
    contacts: sortedIds(trigger.contacts ?? []),
    schedule: trigger.schedule ?? null,
    keyword: trigger.keyword?.toLowerCase() ?? null,
    groups: sortedIds(trigger.groups),
    excludeGroups: sortedIds(trigger.excludeGroups),
  };
}

function contentOf({
  flow,
  matchType,
  excludeGroups,
}: Pick<TriggerRow, "flow" | "matchType" | "excludeGroups">): string {
  return JSON.stringify([flow, matchType, excludeGroups]);
}
