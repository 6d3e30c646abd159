import type { CampaignFire, CampaignFireTable, ListedFire } from "../../account/index.js";
import type { SqlWriter } from "./sql-writer.js";

const columns = "event, contact, due_at_ms AS dueAtMs";

/** Fires of campaigns in SQLite. */
export function campaignFireTable({ database, write }: SqlWriter): CampaignFireTable {
  const firstDue = database.prepare<[], number | null>(
    "SELECT min(due_at_ms) FROM campaign_fire WHERE fired_at_ms IS NULL",
    "value",
  );
  const dueBy = database.prepare<[number, number], CampaignFire>(
    `SELECT ${columns} FROM campaign_fire WHERE fired_at_ms IS NULL AND due_at_ms <= ?
    ORDER BY due_at_ms, event, contact LIMIT ?`,
  );
  const pendingOf = database.prepare<[number], CampaignFire>(
    `SELECT ${columns} FROM campaign_fire WHERE fired_at_ms IS NULL AND contact = ? ORDER BY event`,
  );
  const listed = (isDone: boolean): string => `FROM (SELECT ? AS events, ? AS person) CROSS JOIN campaign_fire
    WHERE (events IS NULL OR event IN (SELECT value FROM json_each(events))) AND (person IS NULL OR contact = person)
    AND fired_at_ms IS ${isDone ? "NOT NULL" : "NULL"}`;
  const [toCome, done] = [false, true].map((isDone) => ({
    rows: database.prepare<[string | null, number | null, number], ListedFire>(
      `SELECT ${columns}, fired_at_ms AS firedAtMs ${listed(isDone)}
      ORDER BY ${isDone ? "fired_at_ms DESC" : "due_at_ms"}, event, contact LIMIT ?`,
    ),
    count: database.prepare<[string | null, number | null], number>(`SELECT count(*) ${listed(isDone)}`, "value"),
  }));
  const add = database.prepare(
    "INSERT OR IGNORE INTO campaign_fire (event, contact, due_at_ms, fired_at_ms) VALUES (?, ?, ?, NULL)",
  );
  const pending = "event = ? AND contact = ? AND due_at_ms = ? AND fired_at_ms IS NULL";
  const remove = database.prepare(`DELETE FROM campaign_fire WHERE ${pending}`);
  const removePendingOf = database.prepare("DELETE FROM campaign_fire WHERE event = ? AND fired_at_ms IS NULL");
  const setDone = database.prepare(`UPDATE campaign_fire SET fired_at_ms = ? WHERE ${pending}`);
  const markStale = database.prepare("INSERT OR IGNORE INTO campaign_stale (contact) VALUES (?)");
  const markMembersStale = database.prepare(
    "INSERT OR IGNORE INTO campaign_stale (contact) SELECT contact FROM membership WHERE contact_group = ?",
  );
  const isStale = database.prepare<[number], number>("SELECT 1 FROM campaign_stale WHERE contact = ?", "value");
  const stale = database.prepare<[number], number>(
    "SELECT contact FROM campaign_stale ORDER BY contact LIMIT ?",
    "value",
  );
  const clearStale = database.prepare("DELETE FROM campaign_stale WHERE contact = ?");
  return {
    firstDueAtMs: () => firstDue.get() ?? undefined,
    dueBy: (atMs, limit) => dueBy.all(atMs, limit),
    pendingOf: (contact) => pendingOf.all(contact),
    list({ events, contact = null, isDone, limit }) {
      const statements = isDone ? done : toCome;
      const ids = events === undefined ? null : JSON.stringify(events);
      return {
        fires: statements?.rows.all(ids, contact, limit) ?? [],
        count: statements?.count.get(ids, contact) ?? 0,
      };
    },
    add: ({ event, contact, dueAtMs }) => write(add, event, contact, dueAtMs),
    remove: ({ event, contact, dueAtMs }) => write(remove, event, contact, dueAtMs),
    removePendingOf: (event) => write(removePendingOf, event),
    setDone: ({ event, contact, dueAtMs }, atMs) => write(setDone, atMs, event, contact, dueAtMs),
    markStale: (contact) => write(markStale, contact),
    markMembersStale: (group) => write(markMembersStale, group),
    isStale: (contact) => isStale.get(contact) !== undefined,
    staleContacts: (limit) => stale.all(limit),
    clearStale: (contact) => write(clearStale, contact),
  };
}
