import type { ScheduleRow, TriggerRow, TriggerTable } from "../../account/index.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

/** A trigger as SQLite gives it: lists are JSON. */
type StoredTrigger = Omit<TriggerRow, "groups" | "excludeGroups" | "contacts" | "schedule" | "isArchived"> & {
  readonly groups: string;
  readonly excludeGroups: string;
  readonly contacts: string;
  readonly schedule: string | null;
  readonly isArchived: number;
};

/** Triggers in SQLite. */
export function triggerTable({ database, write }: SqlWriter): TriggerTable {
  const select = `SELECT id, type, keyword, match_type AS matchType, flow, channel, groups, exclude_groups AS excludeGroups,
    contacts, schedule, next_fire_at_ms AS nextFireAtMs,
    is_archived AS isArchived, created_at_ms AS createdAtMs FROM trigger_rule WHERE is_archived = 0`;
  const active = database.prepare<[], StoredTrigger>(`${select} ORDER BY id`);
  const activeOf = database.prepare<[string, string | null], StoredTrigger>(
    `${select} AND type = ? AND keyword IS ? ORDER BY id`,
  );
  const put = database.prepare(
    replaceInto("trigger_rule", [
      "id",
      "type",
      "keyword",
      "match_type",
      "flow",
      "channel",
      "groups",
      "exclude_groups",
      "contacts",
      "schedule",
      "next_fire_at_ms",
      "is_archived",
      "created_at_ms",
    ]),
  );
  const archiveOfGroup = database.prepare(
    "UPDATE trigger_rule SET is_archived = 1 WHERE is_archived = 0 AND ? IN (SELECT value FROM json_each(groups))",
  );
  const ids = new Counter(database, "trigger_rule");
  // Every text of a contact asks for the triggers: they are kept until one changes.
  let cached: readonly TriggerRow[] | undefined;
  return {
    active: () => (cached ??= active.all().map(triggerFrom)),
    activeOf: (type, keyword) => activeOf.all(type, keyword).map(triggerFrom),
    nextId: () => ids.next(),
    put(row) {
      cached = undefined;
      write(
        put,
        row.id,
        row.type,
        row.keyword,
        row.matchType,
        row.flow,
        row.channel,
        JSON.stringify(row.groups),
        JSON.stringify(row.excludeGroups),
        JSON.stringify(row.contacts),
        row.schedule === null ? null : JSON.stringify(row.schedule),
        row.nextFireAtMs,
        row.isArchived ? 1 : 0,
        row.createdAtMs,
      );
    },
    archiveOfGroup(group) {
      cached = undefined;
      write(archiveOfGroup, group);
    },
  };
}

function triggerFrom(stored: StoredTrigger): TriggerRow {
  return {
    ...stored,
    groups: JSON.parse(stored.groups) as number[],
    excludeGroups: JSON.parse(stored.excludeGroups) as number[],
    contacts: JSON.parse(stored.contacts) as number[],
    schedule: stored.schedule === null ? null : (JSON.parse(stored.schedule) as ScheduleRow),
    isArchived: stored.isArchived === 1,
  };
}
