import type { TriggerCondition, TriggerRow, TriggerTable } from "../../account/index.js";
import { Counter, rowPutter, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const triggerFrom = rowReader<TriggerRow>()({
  json: ["groups", "excludeGroups", "contacts", "schedule"],
  flags: ["isArchived"],
});

/** A trigger as SQLite gives it: lists are JSON. */
type StoredTrigger = Parameters<typeof triggerFrom>[0];

/** Triggers in SQLite. */
export function triggerTable(writer: SqlWriter): TriggerTable {
  const { database, write } = writer;
  const select = `SELECT id, type, keyword, match_type AS matchType, flow, channel, groups, exclude_groups AS excludeGroups,
    contacts, schedule, next_fire_at_ms AS nextFireAtMs,
    is_archived AS isArchived, created_at_ms AS createdAtMs FROM trigger_rule WHERE is_archived = 0`;
  const active = database.prepare<[], StoredTrigger>(`${select} ORDER BY id`);
  const put = rowPutter(writer, "trigger_rule", (row: TriggerRow) => ({
    id: row.id,
    type: row.type,
    keyword: row.keyword,
    match_type: row.matchType,
    flow: row.flow,
    channel: row.channel,
    groups: JSON.stringify(row.groups),
    exclude_groups: JSON.stringify(row.excludeGroups),
    contacts: JSON.stringify(row.contacts),
    schedule: row.schedule === null ? null : JSON.stringify(row.schedule),
    next_fire_at_ms: row.nextFireAtMs,
    is_archived: row.isArchived ? 1 : 0,
    created_at_ms: row.createdAtMs,
  }));
  const archive = database.prepare("UPDATE trigger_rule SET is_archived = 1 WHERE id = ?");
  const ids = new Counter(database, "trigger_rule");
  // Cache: every text of a contact reads all triggers, and each new trigger reads those with the same condition.
  const rows = new Map<number, TriggerRow>();
  const byCondition = new Map<string, Set<number>>();
  let all: readonly TriggerRow[] | undefined;
  function remember(row: TriggerRow): void {
    forget(row.id);
    if (row.isArchived) return;
    rows.set(row.id, row);
    const key = conditionOf(row);
    const same = byCondition.get(key);
    if (same === undefined) byCondition.set(key, new Set([row.id]));
    else same.add(row.id);
  }
  function forget(id: number): void {
    all = undefined;
    const row = rows.get(id);
    if (row === undefined) return;
    rows.delete(id);
    const key = conditionOf(row);
    const same = byCondition.get(key);
    same?.delete(id);
    if (same?.size === 0) byCondition.delete(key);
  }
  for (const stored of active.all()) remember(triggerFrom(stored));
  return {
    active: () => (all ??= [...rows.values()].toSorted((a, b) => a.id - b.id)),
    activeWith: (condition) =>
      Array.from(byCondition.get(conditionOf(condition)) ?? [], (id) => rows.get(id))
        .filter((row) => row !== undefined)
        .toSorted((a, b) => a.id - b.id),
    nextId: () => ids.next(),
    put(row) {
      remember(row);
      put(row);
    },
    archiveOfGroup(group) {
      for (const { id, groups } of rows.values()) {
        if (!groups.includes(group)) continue;
        write(archive, id);
        forget(id);
      }
    },
  };
}

function conditionOf({ type, keyword, channel, groups, contacts, schedule }: TriggerCondition): string {
  return JSON.stringify([type, keyword, channel, groups, contacts, schedule]);
}
