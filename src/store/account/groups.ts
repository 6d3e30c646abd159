import type { Connection } from "../sqlite/connection.js";
import type { GroupRow, GroupTable } from "../../account/index.js";
import { fold } from "../sqlite/functions.js";
import { List } from "./list.js";
import { Counter, type SqlWriter } from "./sql-writer.js";

const columns =
  "contact_group.id, contact_group.uuid, contact_group.name, contact_group.query, contact_group.created_at_ms AS createdAtMs";

/** Contact groups and their members in SQLite; the groups that are not deleted are held in memory, too. */
export function groupTable({ database, write }: SqlWriter): GroupTable {
  const select = `SELECT ${columns} FROM contact_group`;
  const deleted = database.prepare<[number], GroupRow>(`${select} WHERE id = ?`);
  const put = database.prepare(`INSERT INTO contact_group (id, uuid, name, query, members, created_at_ms, is_active)
    VALUES (?, ?, ?, ?, 0, ?, 1) ON CONFLICT (id) DO UPDATE SET name = excluded.name, query = excluded.query`);
  const remove = database.prepare("UPDATE contact_group SET is_active = 0 WHERE id = ?");
  const members = database.prepare<[number], number>(
    "SELECT contact FROM membership WHERE contact_group = ? ORDER BY contact",
    "value",
  );
  const someMembers = database.prepare<[number, number], number>(
    "SELECT contact FROM membership WHERE contact_group = ? LIMIT ?",
    "value",
  );
  const groups = database.prepare<[number], number>(
    "SELECT contact_group FROM membership WHERE contact = ? ORDER BY contact_group",
    "value",
  );
  const join = database.prepare(`INSERT OR IGNORE INTO membership (contact, contact_group, modified_at_ms)
    SELECT row, ?, modified_at_ms FROM contact WHERE row = ?`);
  const leave = database.prepare("DELETE FROM membership WHERE contact = ? AND contact_group = ?");
  const leaveAll = database.prepare("DELETE FROM membership WHERE contact = ?");
  const ids = new Counter(database, "contact_group");

  const byId = new Map<number, GroupRow>();
  const byUuid = new Map<string, GroupRow>();
  const byName = new Map<string, GroupRow>();
  function remember(row: GroupRow): void {
    forget(row.id);
    byId.set(row.id, row);
    byUuid.set(row.uuid, row);
    byName.set(fold(row.name), row);
  }
  function forget(id: number): void {
    const row = byId.get(id);
    if (row === undefined) return;
    byUuid.delete(row.uuid);
    byName.delete(fold(row.name));
  }
  for (const row of database.prepare<[], GroupRow>(`${select} WHERE is_active ORDER BY id`).all()) remember(row);

  return {
    get count() {
      return byId.size;
    },
    get: (id) => byId.get(id) ?? deleted.get(id),
    byUuid: (uuid) => byUuid.get(uuid),
    byName: (name) => byName.get(fold(name)),
    all: () => [...byId.values()],
    nextId: () => ids.next(),
    put(row) {
      write(put, row.id, row.uuid, row.name, row.query, row.createdAtMs);
      remember(row);
    },
    remove(id) {
      write(remove, id);
      forget(id);
      byId.delete(id);
    },
    membersOf: (id) => (byId.has(id) ? members.all(id) : []),
    formerMembers: (id, most) => (byId.has(id) ? [] : someMembers.all(id, most)),
    groupsOf: (contact) => groups.all(contact).flatMap((id) => byId.get(id) ?? []),
    join: (id, contact) => write(join, id, contact),
    leave: (id, contact) => write(leave, contact, id),
    leaveAll: (contact) => write(leaveAll, contact),
  };
}

/** A group as the API lists it. */
export interface ListedGroup extends GroupRow {
  readonly members: number;
}

/** Groups that are not deleted, newest first. */
export function groupList(database: Connection): List<ListedGroup> {
  return new List(database, {
    columns: `${columns}, contact_group.members`,
    from: "contact_group",
    where: "contact_group.is_active",
    orders: { created: { position: "contact_group.created_at_ms", tie: "contact_group.id" } },
    filters: { uuid: "contact_group.uuid = ?", name: "fold(contact_group.name) = fold(?)" },
    key: "contact_group.id",
  });
}
