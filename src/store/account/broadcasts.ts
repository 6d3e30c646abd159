import type { Connection } from "../sqlite/connection.js";
import type { BroadcastRow, BroadcastTable } from "../../account/index.js";
import type { Translations } from "../../wire/index.js";
import { List } from "./list.js";
import { named } from "./named.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

const columns = `broadcast.id, broadcast.text, broadcast.base_language AS baseLanguage, broadcast.urns,
  broadcast.channel, broadcast.status, broadcast.total, broadcast.started, broadcast.created_at_ms AS createdAtMs`;

/** A broadcast as SQLite gives it: lists and texts as JSON. */
type StoredBroadcast = Omit<BroadcastRow, "text" | "urns" | "contacts" | "groups"> &
  Readonly<Record<"text" | "urns" | "contacts" | "groups", string>>;

/** Broadcasts in SQLite. */
export function broadcastTable({ database, write }: SqlWriter): BroadcastTable {
  const put = database.prepare(
    replaceInto("broadcast", [
      "id",
      "text",
      "base_language",
      "urns",
      "contacts",
      "groups",
      "channel",
      "status",
      "total",
      "started",
      "created_at_ms",
    ]),
  );
  const unfinished = database.prepare<[], StoredBroadcast>(
    `SELECT ${columns}, contacts, groups FROM broadcast WHERE status = 'queued' ORDER BY id`,
  );
  const setProgress = database.prepare("UPDATE broadcast SET status = ?, total = ?, started = ? WHERE id = ?");
  const ids = new Counter(database, "broadcast");
  return {
    setProgress: ({ id, status, total, started }) => write(setProgress, status, total, started, id),
    nextId: () => ids.next(),
    put: (row) =>
      write(
        put,
        row.id,
        JSON.stringify(row.text),
        row.baseLanguage,
        JSON.stringify(row.urns),
        JSON.stringify(row.contacts),
        JSON.stringify(row.groups),
        row.channel,
        row.status,
        row.total,
        row.started,
        row.createdAtMs,
      ),
    unfinished: () => unfinished.all().map(broadcastFrom),
  };
}

function broadcastFrom(stored: StoredBroadcast): BroadcastRow {
  return {
    ...stored,
    text: JSON.parse(stored.text) as Translations,
    urns: JSON.parse(stored.urns) as string[],
    contacts: JSON.parse(stored.contacts) as number[],
    groups: JSON.parse(stored.groups) as number[],
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
