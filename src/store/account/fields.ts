import type { Connection } from "../sqlite/connection.js";
import type { FieldRow, FieldTable } from "../../account/index.js";
import type { FieldType } from "../../wire/index.js";
import { fold } from "../sqlite/functions.js";
import { List } from "./list.js";
import { Counter, type SqlWriter } from "./sql-writer.js";

const columns =
  "contact_field.id, contact_field.key, contact_field.label, contact_field.type, contact_field.created_at_ms AS createdAtMs";

/** Contact fields in SQLite, and all of them in memory. */
export function fieldTable({ database, write }: SqlWriter): FieldTable {
  const put = database.prepare(`INSERT INTO contact_field (id, key, label, type, created_at_ms)
    VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET label = excluded.label, type = excluded.type`);
  const ids = new Counter(database, "contact_field");
  const byId = new Map<number, FieldRow>();
  const byKey = new Map<string, FieldRow>();
  const byLabel = new Map<string, FieldRow>();
  const types = new Map<string, FieldType>();
  let all: readonly FieldRow[] = [];
  function remember(row: FieldRow): void {
    const before = byId.get(row.id);
    if (before !== undefined) byLabel.delete(fold(before.label));
    byId.set(row.id, row);
    byKey.set(row.key, row);
    types.set(row.key, row.type);
    byLabel.set(fold(row.label), row);
    all = [...byId.values()];
  }
  for (const row of database.prepare<[], FieldRow>(`SELECT ${columns} FROM contact_field ORDER BY id`).all()) {
    remember(row);
  }
  return {
    all: () => all,
    types: () => types,
    get: (id) => byId.get(id),
    byKey: (key) => byKey.get(key),
    byLabel: (label) => byLabel.get(fold(label)),
    nextId: () => ids.next(),
    put(row) {
      write(put, row.id, row.key, row.label, row.type, row.createdAtMs);
      remember(row);
    },
  };
}

/** Contact fields as the API lists them. */
export function fieldList(database: Connection): List<FieldRow> {
  return new List(database, {
    columns,
    from: "contact_field",
    orders: { created: { position: "contact_field.created_at_ms", tie: "contact_field.id" } },
    filters: { key: "contact_field.key = ?" },
    key: "contact_field.id",
  });
}
