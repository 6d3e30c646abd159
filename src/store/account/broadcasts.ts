import type { Connection } from "../sqlite/connection.js";
import type { BroadcastRow, BroadcastTable } from "../../account/index.js";

import { List } from "./list.js";
import { named } from "./named.js";
import { Counter, rowPutter, type SqlWriter } from "./sql-writer.js";
import { rowReader } from "./stored-row.js";

const columns = `broadcast.id, broadcast.text, broadcast.base_language AS baseLanguage, broadcast.urns,
  broadcast.channel, broadcast.status, broadcast.total, broadcast.started, broadcast.created_at_ms AS createdAtMs`;

const broadcastFrom = rowReader<BroadcastRow>()({ json: ["text", "urns", "contacts", "groups"] });

/** A broadcast as SQLite returns it: lists and texts are JSON. */
type StoredBroadcast = Parameters<typeof broadcastFrom>[0];

/** Broadcasts in SQLite. */
export function broadcastTable(writer: SqlWriter): BroadcastTable {
  const { database, write } = writer;
  const put = rowPutter(writer, "broadcast", (row: BroadcastRow) => ({
    id: row.id,
    text: JSON.stringify(row.text),
    base_language: row.baseLanguage,
    urns: JSON.stringify(row.urns),
    contacts: JSON.stringify(row.contacts),
    groups: JSON.stringify(row.groups),
    channel: row.channel,
    status: row.status,
    total: row.total,
    started: row.started,
    created_at_ms: row.createdAtMs,
  }));
  const unfinished = database.prepare<[], StoredBroadcast>(
    `SELECT ${columns}, contacts, groups FROM broadcast WHERE status = 'queued' ORDER BY id`,
  );
  const setProgress = database.prepare("UPDATE broadcast SET status = ?, total = ?, started = ? WHERE id = ?");
  const ids = new Counter(database, "broadcast");
  return {
    setProgress: ({ id, status, total, started }) => write(setProgress, status, total, started, id),
    nextId: () => ids.next(),
    put,
    unfinished: () => unfinished.all().map(broadcastFrom),
  };
}

/** A broadcast as the API lists it; `urns` is still JSON, `contacts` and `groups` are JSON lists of `{uuid, name}`. */
export type ListedBroadcast = StoredBroadcast;

/** Broadcasts, newest first. */
export function broadcastList(database: Connection): List<ListedBroadcast> {
  return new List(database, {
    columns: `${columns}, ${named("contact_group", "id", "broadcast.groups")} AS groups,
      ${named("contact", "row", "broadcast.contacts")} AS contacts`,
    from: "broadcast",
    orders: { created: { position: "broadcast.created_at_ms", tie: "broadcast.id" } },
    filters: {
      id: "broadcast.id = ?",
      before: "broadcast.created_at_ms <= ?",
      after: "broadcast.created_at_ms >= ?",
    },
    key: "broadcast.id",
  });
}
