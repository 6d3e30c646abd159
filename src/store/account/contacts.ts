import type { Connection } from "../sqlite/connection.js";
import type { ContactRow, ContactTable } from "../../account/index.js";
import { type ContactState, withoutDisplay } from "../../wire/index.js";
import { List, type SqlValue } from "./list.js";
import { Counter, type SqlWriter } from "./sql-writer.js";

/** The columns of a contact. */
export const contactColumns: string = `contact.row, contact.uuid, contact.name, contact.language, contact.state, contact.urns, contact.fields,
  contact.created_at_ms AS createdAtMs, contact.modified_at_ms AS modifiedAtMs, contact.last_seen_at_ms AS lastSeenAtMs,
  contact.timezone`;

/** A contact as SQLite gives it. */
export type ContactCells = Omit<ContactRow, "urns" | "fields"> & { readonly urns: string; readonly fields: string };

/** Page size for reading all contacts. */
const BATCH = 500;

/** Contacts and their addresses in SQLite. */
export function contactTable({ database, write }: SqlWriter): ContactTable {
  const get = database.prepare<[number], ContactCells>(`SELECT ${contactColumns} FROM contact WHERE row = ?`);
  const stateOf = database.prepare<[number], ContactState>("SELECT state FROM contact WHERE row = ?", "value");
  const byUuid = database.prepare<[string], ContactCells>(`SELECT ${contactColumns} FROM contact WHERE uuid = ?`);
  const byUrn = database.prepare<[string], ContactCells>(
    `SELECT ${contactColumns} FROM contact_urn JOIN contact ON contact.row = contact_urn.contact WHERE urn = ?`,
  );
  const owner = database.prepare<[string], { contact: number; channel: number | null }>(
    "SELECT contact, channel FROM contact_urn WHERE urn = ?",
  );
  const after = database.prepare<[number], ContactCells>(
    `SELECT ${contactColumns} FROM contact WHERE row > ? AND state = 'active' ORDER BY row LIMIT ${BATCH}`,
  );
  // A run begins with many contacts. Both statements only append, so the writer can batch them.
  const add = database.prepare("INSERT INTO contact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const address = database.prepare("INSERT INTO contact_urn VALUES (?, ?, NULL)");
  // Not REPLACE: it would delete the row first, and the trigger that copies its time to the memberships would not fire.
  const put =
    database.prepare(`INSERT INTO contact VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (row) DO UPDATE SET
    name = excluded.name, language = excluded.language, state = excluded.state, urns = excluded.urns,
    fields = excluded.fields, modified_at_ms = excluded.modified_at_ms, last_seen_at_ms = excluded.last_seen_at_ms, timezone = excluded.timezone`);
  const touch = database.prepare("UPDATE contact SET modified_at_ms = ? WHERE row = ?");
  const assign = database.prepare("INSERT OR REPLACE INTO contact_urn VALUES (?, ?, ?)");
  const release = database.prepare("DELETE FROM contact_urn WHERE urn = ?");
  const seen = database.prepare("UPDATE contact SET last_seen_at_ms = ? WHERE row = ?");
  const reached = database.prepare("UPDATE contact_urn SET channel = ? WHERE urn = ?");
  const rows = new Counter(database, "contact", "row");
  return {
    isEmpty: () => rows.isAtStart,
    get: (row) => given(get.get(row)),
    stateOf: (row) => stateOf.get(row),
    get lastRow() {
      return rows.last;
    },
    byUuid: (uuid) => given(byUuid.get(uuid)),
    byUrn: (urn) => given(byUrn.get(withoutDisplay(urn))),
    ownerOf: (urn) => owner.get(withoutDisplay(urn)),
    activeAfter: (row) => after.all(row).map(contactFrom),
    nextRow: () => rows.next(),
    add(row) {
      write(add, ...cellsOf(row));
      for (const urn of row.urns) write(address, withoutDisplay(urn), row.row);
    },
    put: (row) => write(put, ...cellsOf(row)),
    touch: (row, atMs) => write(touch, atMs, row),
    assign: (urn, contact, channel) => write(assign, withoutDisplay(urn), contact, channel),
    release: (urn) => write(release, withoutDisplay(urn)),
    seen(contact, urn, channel, atMs) {
      write(seen, atMs, contact);
      write(reached, channel, withoutDisplay(urn));
    },
  };
}

function cellsOf(row: ContactRow): SqlValue[] {
  return [
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
    row.timezone,
  ];
}

/** Reads the JSON columns. */
export function contactFrom(stored: ContactCells): ContactRow {
  return {
    ...stored,
    urns: JSON.parse(stored.urns) as string[],
    fields: JSON.parse(stored.fields) as Record<string, string>,
  };
}

function given(stored: ContactCells | undefined): ContactRow | undefined {
  return stored === undefined ? undefined : contactFrom(stored);
}

/** A contact as the API lists it. `urns` and `fields` are still JSON. */
export interface ListedContact extends ContactCells {
  /** Ids of its groups, separated by commas; null: none. */
  readonly groups: string | null;
  /** The latest flow that it is in, as JSON `{uuid, name}`; null: none. */
  readonly flow: string | null;
}

const listedColumns = `${contactColumns},
  (SELECT group_concat(contact_group) FROM membership AS own WHERE own.contact = contact.row) AS groups,
  (SELECT json_object('uuid', flow.uuid, 'name', flow.name) FROM flow_run AS run JOIN flow ON flow.id = run.flow
    WHERE run.contact = contact.row AND run.exit_type IS NULL ORDER BY run.id DESC LIMIT 1) AS flow`;

const listedFilters = {
  uuid: "contact.uuid = ?",
  urn: "contact.row = (SELECT contact FROM contact_urn WHERE urn = ?)",
};

/** All contacts; the filters `active` and `deleted` have an index each. */
export function contactList(database: Connection): List<ListedContact> {
  return new List(database, {
    columns: listedColumns,
    from: "contact",
    orders: { modified: { position: "contact.modified_at_ms", tie: "contact.row" } },
    filters: {
      ...listedFilters,
      active: "contact.state <> 'deleted'",
      deleted: "contact.state = 'deleted'",
      before: "contact.modified_at_ms <= ?",
      after: "contact.modified_at_ms >= ?",
    },
    key: "contact.row",
  });
}

/**
 * The members of the group that the filter `group` names. An index holds the memberships in list order, so the cost of
 * a page does not depend on the size of the group.
 */
export function memberList(database: Connection): List<ListedContact> {
  return new List(database, {
    columns: listedColumns,
    from: "membership JOIN contact ON contact.row = membership.contact",
    orders: { modified: { position: "membership.modified_at_ms", tie: "membership.contact" } },
    filters: {
      ...listedFilters,
      group: "membership.contact_group = ?",
      // A deleted contact is in no group.
      active: "true",
      deleted: "false",
      before: "membership.modified_at_ms <= ?",
      after: "membership.modified_at_ms >= ?",
    },
    key: "contact.row",
  });
}
