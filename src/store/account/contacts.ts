import type { ContactRow, ContactTable } from "../../gateway/index.js";
import { Counter, type Pen } from "./pen.js";

/** The columns of a contact. */
export const contactColumns: string = `contact.row, contact.uuid, contact.name, contact.language, contact.state, contact.urns, contact.fields,
  contact.created_at_ms AS createdAtMs, contact.modified_at_ms AS modifiedAtMs, contact.last_seen_at_ms AS lastSeenAtMs`;

/** A contact as SQLite gives it. */
export type StoredContact = Omit<ContactRow, "urns" | "fields"> & { readonly urns: string; readonly fields: string };

/** Contacts and their addresses in SQLite. */
export function contactTable({ database, write }: Pen): ContactTable {
  const get = database.prepare<[number], StoredContact>(`SELECT ${contactColumns} FROM contact WHERE row = ?`);
  const byUuid = database.prepare<[string], StoredContact>(`SELECT ${contactColumns} FROM contact WHERE uuid = ?`);
  const owner = database.prepare<[string], { contact: number; channel: number | null }>(
    "SELECT contact, channel FROM contact_urn WHERE urn = ?",
  );
  const put = database.prepare("INSERT OR REPLACE INTO contact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const assign = database.prepare("INSERT OR REPLACE INTO contact_urn VALUES (?, ?, ?)");
  const release = database.prepare("DELETE FROM contact_urn WHERE urn = ?");
  const seen = database.prepare("UPDATE contact SET last_seen_at_ms = ? WHERE row = ?");
  const reached = database.prepare("UPDATE contact_urn SET channel = ? WHERE urn = ?");
  const rows = new Counter(database, "contact", "row");
  return {
    get: (row) => given(get.get(row)),
    byUuid: (uuid) => given(byUuid.get(uuid)),
    ownerOf: (urn) => owner.get(urn),
    nextRow: () => rows.next(),
    put: (row) =>
      write(
        put,
        row.row,
        row.uuid,
        row.name,
        row.language,
        row.state,
        JSON.stringify(row.urns),
        JSON.stringify(row.fields),
        row.createdAtMs,
        row.modifiedAtMs,
        row.lastSeenAtMs,
      ),
    assign: (urn, contact, channel) => write(assign, urn, contact, channel),
    release: (urn) => write(release, urn),
    seen(contact, urn, channel, atMs) {
      write(seen, atMs, contact);
      write(reached, channel, urn);
    },
  };
}

/** Reads the JSON columns. */
export function contactFrom(stored: StoredContact): ContactRow {
  return {
    ...stored,
    urns: JSON.parse(stored.urns) as string[],
    fields: JSON.parse(stored.fields) as Record<string, string>,
  };
}

function given(stored: StoredContact | undefined): ContactRow | undefined {
  return stored === undefined ? undefined : contactFrom(stored);
}
