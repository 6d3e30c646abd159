import type { Connection } from "../sqlite/connection.js";
import type { MessageTable } from "../../account/index.js";
import type { KnownMessage, MessageRow } from "../../gateway/index.js";
import { channelUuidOf } from "../recording/registration-columns.js";
import { List } from "./list.js";
import type { SqlWriter } from "./sql-writer.js";

/** Messages in SQLite, for the account to read and change; the Journal inserts them. */
export function messageTable({ database, write }: SqlWriter): MessageTable {
  const byIds = database.prepare<[string], KnownMessage>(
    `SELECT row, id, contact, phone, direction, status, text, visibility FROM message
      WHERE id IN (SELECT value FROM json_each(?))`,
  );
  const hasLabel = database.prepare<[number, number], 1>(
    "SELECT 1 FROM message_label WHERE message = ? AND label = ?",
    "value",
  );
  const addLabel = database.prepare(
    `INSERT INTO message_label (message, label, is_visible, created_at_ms, id)
      SELECT row, ?, visibility = 'visible', created_at_ms, id FROM message WHERE row = ?`,
  );
  const removeLabel = database.prepare("DELETE FROM message_label WHERE label = ? AND message = ?");
  const touch = database.prepare("UPDATE message SET modified_at_ms = ? WHERE row = ?");
  const show = database.prepare("UPDATE message SET visibility = ?, modified_at_ms = ? WHERE row = ?");
  const erased = "UPDATE message SET visibility = 'deleted', text = '', modified_at_ms = ?";
  const erase = database.prepare(`${erased} WHERE row = ?`);
  const eraseOf = database.prepare(`${erased} WHERE contact = ? AND visibility <> 'deleted'`);
  const archiveIncomingOf = database.prepare(
    `UPDATE message SET visibility = 'archived', modified_at_ms = ?
      WHERE contact = ? AND direction = 'I' AND visibility = 'visible'`,
  );
  const ofBroadcast = database.prepare<[number], number>("SELECT contact FROM message WHERE broadcast = ?", "value");
  const statuses = database.prepare<[string], ReturnType<MessageTable["statusesOfBroadcasts"]>[number]>(
    `SELECT broadcast, status, COUNT(*) AS count FROM message
      WHERE broadcast IN (SELECT value FROM json_each(?)) GROUP BY broadcast, status ORDER BY broadcast, status`,
  );
  return {
    byIds: (ids) => byIds.all(JSON.stringify(ids)),
    hasLabel: (row, label) => hasLabel.get(row, label) !== undefined,
    addLabel(row, label, atMs) {
      write(addLabel, label, row);
      write(touch, atMs, row);
    },
    removeLabel(row, label, atMs) {
      write(removeLabel, label, row);
      write(touch, atMs, row);
    },
    setVisibility: (row, visibility, atMs) => write(show, visibility, atMs, row),
    erase: (row, atMs) => write(erase, atMs, row),
    archiveIncomingOf: (contact, atMs) => write(archiveIncomingOf, atMs, contact),
    eraseOf: (contact, atMs) => write(eraseOf, atMs, contact),
    ofBroadcast(broadcast) {
      const contacts = ofBroadcast.all(broadcast);
      return { contacts: new Set(contacts), count: contacts.length };
    },
    statusesOfBroadcasts: (broadcasts) => statuses.all(JSON.stringify(broadcasts)),
  };
}

/** A message as the API lists it. */
export interface ListedMessage extends Pick<
  MessageRow,
  "id" | "broadcast" | "phone" | "direction" | "type" | "status" | "visibility" | "text" | "createdAtMs" | "sentAtMs"
> {
  readonly row: number;
  readonly modifiedAtMs: number;
  readonly contactUuid: string;
  readonly contactName: string | null;
  /** JSON list. */
  readonly contactUrns: string;
  readonly channelUuid: string;
  readonly channelName: string;
  readonly flowUuid: string | null;
  readonly flowName: string | null;
  /** JSON list of `{uuid, name}`. */
  readonly labels: string;
}

const listed = {
  columns: `message.row, message.id, message.broadcast, message.phone, message.direction, message.type, message.status,
    message.visibility, message.text, message.created_at_ms AS createdAtMs, message.sent_at_ms AS sentAtMs,
    message.modified_at_ms AS modifiedAtMs, contact.uuid AS contactUuid, contact.name AS contactName, contact.urns AS contactUrns,
    ${channelUuidOf("message")} AS channelUuid, channel.name AS channelName, flow.uuid AS flowUuid, flow.name AS flowName,
    (SELECT json_group_array(json_object('uuid', label.uuid, 'name', label.name) ORDER BY label.id)
      FROM message_label AS own CROSS JOIN label ON label.id = own.label WHERE own.message = message.row) AS labels`,
  // CROSS JOIN makes SQLite read the first table first: its index gives the list's order.
  joins: `CROSS JOIN contact ON contact.row = message.contact
    CROSS JOIN channel ON channel.id = message.channel LEFT JOIN flow ON flow.id = message.flow`,
  filters: {
    id: "message.id = ?",
    broadcast: "message.broadcast = ?",
    contact: "message.contact = ?",
    kept: "message.visibility <> 'deleted'",
    // The folders of docs/reference/service-api.md#message-folders. Each has an index whose condition is the same, word
    // by word.
    inbox: "message.direction = 'I' AND message.visibility = 'visible' AND message.type = 'inbox'",
    flows: "message.direction = 'I' AND message.visibility = 'visible' AND message.type = 'flow'",
    archived: "message.direction = 'I' AND message.visibility = 'archived'",
    outbox: "message.direction = 'O' AND message.visibility = 'visible' AND message.status = 'Q'",
    sent: "message.direction = 'O' AND message.visibility = 'visible' AND message.status IN ('S', 'D')",
    failed: "message.direction = 'O' AND message.visibility = 'visible' AND message.status = 'F'",
    incoming: "message.direction = 'I'",
    before: "message.created_at_ms <= ?",
    after: "message.created_at_ms >= ?",
    modifiedBefore: "message.modified_at_ms <= ?",
    modifiedAfter: "message.modified_at_ms >= ?",
  },
};

/** All messages, newest or last modified first; the filters select folders, contacts, broadcasts and labels. */
export function messageList(database: Connection): List<ListedMessage> {
  return new List(database, {
    columns: listed.columns,
    from: `message ${listed.joins}`,
    orders: {
      created: { position: "message.created_at_ms", tie: "message.id" },
      modified: { position: "message.modified_at_ms", tie: "message.id" },
    },
    filters: {
      ...listed.filters,
      label: `EXISTS (SELECT 1 FROM message_label AS of
        WHERE of.message = message.row AND of.label = ? AND of.is_visible = 1)`,
    },
    key: "message.id",
  });
}

/**
 * The messages with the label that the filter `label` (visible ones) or `labelArchived` names. An index holds the links
 * to labels in list order, so the cost of a page does not depend on their number.
 */
export function labelledMessageList(database: Connection): List<ListedMessage> {
  return new List(database, {
    columns: listed.columns,
    from: `message_label CROSS JOIN message ON message.row = message_label.message ${listed.joins}`,
    orders: { created: { position: "message_label.created_at_ms", tie: "message_label.id" } },
    filters: {
      ...listed.filters,
      label: "message_label.label = ? AND message_label.is_visible = 1",
      labelArchived: "message_label.label = ? AND message_label.is_visible = 0",
      before: "message_label.created_at_ms <= ?",
      after: "message_label.created_at_ms >= ?",
    },
    key: "message.id",
  });
}
