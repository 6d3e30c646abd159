import type { Connection } from "../sqlite/connection.js";
import type {
  PendingRow,
  ResthookAttemptRow,
  ResthookEventRow,
  ResthookRow,
  ResthookTable,
  SubscriberRow,
} from "../../account/index.js";
import { List } from "./list.js";
import { Counter, replaceInto, type SqlWriter } from "./sql-writer.js";

const columns = {
  resthook: `resthook.id, resthook.slug, resthook.created_at_ms AS createdAtMs,
    resthook.modified_at_ms AS modifiedAtMs`,
  subscriber: `resthook_subscriber.id, resthook_subscriber.resthook, resthook_subscriber.target_url AS targetUrl,
    resthook_subscriber.created_at_ms AS createdAtMs, resthook_subscriber.is_active AS isActive`,
  event: `resthook_event.id, resthook_event.resthook, resthook_event.data,
    resthook_event.created_at_ms AS createdAtMs`,
};

/** Rows as SQLite gives them. */
type StoredSubscriber = Omit<SubscriberRow, "isActive"> & { readonly isActive: number };
type StoredEvent = Omit<ResthookEventRow, "data"> & { readonly data: string };

/** Resthooks, their subscribers, events and deliveries in SQLite. */
export function resthookTable({ database, write }: SqlWriter): ResthookTable {
  const byId = database.prepare<[number], ResthookRow>(`SELECT ${columns.resthook} FROM resthook WHERE id = ?`);
  const bySlug = database.prepare<[string], ResthookRow>(`SELECT ${columns.resthook} FROM resthook WHERE slug = ?`);
  const put = database.prepare(replaceInto("resthook", ["id", "slug", "created_at_ms", "modified_at_ms"]));
  const subscriber = database.prepare<[number], StoredSubscriber>(
    `SELECT ${columns.subscriber} FROM resthook_subscriber WHERE id = ?`,
  );
  const subscribers = database.prepare<[number], StoredSubscriber>(
    `SELECT ${columns.subscriber} FROM resthook_subscriber WHERE resthook = ? AND is_active = 1 ORDER BY id`,
  );
  const putSubscriber = database.prepare(
    `INSERT OR REPLACE INTO resthook_subscriber (id, resthook, target_url, created_at_ms, is_active)
      VALUES (?, ?, ?, ?, ?)`,
  );
  const event = database.prepare<[number], StoredEvent>(`SELECT ${columns.event} FROM resthook_event WHERE id = ?`);
  const putEvent = database.prepare(
    "INSERT INTO resthook_event (id, resthook, data, created_at_ms) VALUES (?, ?, ?, ?)",
  );
  const pending = database.prepare<[], PendingRow>(
    "SELECT event, subscriber, try, due_at_ms AS dueAtMs FROM resthook_pending ORDER BY due_at_ms, event, subscriber",
  );
  const putPending = database.prepare(replaceInto("resthook_pending", ["event", "subscriber", "try", "due_at_ms"]));
  const removePending = database.prepare("DELETE FROM resthook_pending WHERE event = ? AND subscriber = ?");
  const addAttempt = database.prepare("INSERT INTO resthook_attempt VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const attempts = database.prepare<[number], ResthookAttemptRow>(
    `SELECT event, subscriber, try, at_ms AS atMs, duration_ms AS durationMs, status, error, outcome, body
    FROM resthook_attempt WHERE event = ? ORDER BY row`,
  );
  const pendingOf = database.prepare<[number], PendingRow>(
    "SELECT event, subscriber, try, due_at_ms AS dueAtMs FROM resthook_pending WHERE event = ? ORDER BY subscriber",
  );
  const ids = new Counter(database, "resthook");
  const subscriberIds = new Counter(database, "resthook_subscriber");
  const eventIds = new Counter(database, "resthook_event");
  return {
    nextId: () => ids.next(),
    bySlug: (slug) => bySlug.get(slug),
    get: (id) => byId.get(id),
    put: ({ id, slug, createdAtMs, modifiedAtMs }) => write(put, id, slug, createdAtMs, modifiedAtMs),

    nextSubscriberId: () => subscriberIds.next(),
    subscriber(id) {
      const row = subscriber.get(id);
      return row === undefined ? undefined : subscriberFrom(row);
    },
    subscribersOf: (resthook) => subscribers.all(resthook).map(subscriberFrom),
    putSubscriber: ({ id, resthook, targetUrl, createdAtMs, isActive }) =>
      write(putSubscriber, id, resthook, targetUrl, createdAtMs, isActive ? 1 : 0),

    nextEventId: () => eventIds.next(),
    event(id) {
      const row = event.get(id);
      return row === undefined ? undefined : { ...row, data: JSON.parse(row.data) as ResthookEventRow["data"] };
    },
    putEvent: ({ id, resthook, data, createdAtMs }) => write(putEvent, id, resthook, JSON.stringify(data), createdAtMs),

    pending: () => pending.all(),
    putPending: (row) => write(putPending, row.event, row.subscriber, row.try, row.dueAtMs),
    removePending: (eventId, subscriberId) => write(removePending, eventId, subscriberId),
    attemptsOf: (id) => attempts.all(id),
    pendingOf: (id) => pendingOf.all(id),
    addAttempt: (row) =>
      write(
        addAttempt,
        row.event,
        row.subscriber,
        row.try,
        row.atMs,
        row.durationMs,
        row.status,
        row.error,
        row.outcome,
        row.body,
        row.step ?? null,
      ),
  };
}

function subscriberFrom(row: StoredSubscriber): SubscriberRow {
  return { ...row, isActive: row.isActive === 1 };
}

/** Resthooks, last modified first. */
export function resthookList(database: Connection): List<ResthookRow> {
  return new List(database, {
    columns: columns.resthook,
    from: "resthook",
    orders: { modified: { position: "resthook.modified_at_ms", tie: "resthook.id" } },
    filters: {},
    key: "resthook.id",
  });
}

/** SQL for the slug. A subquery, because SQLite might read a join in another order than the list's. */
function slugOf(table: string): string {
  return `(SELECT slug FROM resthook WHERE resthook.id = ${table}.resthook) AS slug`;
}

/** An event of a resthook as the API lists it. */
export interface ListedResthookEvent extends StoredEvent {
  readonly slug: string;
}

/** Events of resthooks, newest first. */
export function resthookEventList(database: Connection): List<ListedResthookEvent> {
  return new List(database, {
    columns: `${columns.event}, ${slugOf("resthook_event")}`,
    from: "resthook_event",
    orders: { created: { position: "resthook_event.created_at_ms", tie: "resthook_event.id" } },
    filters: { resthook: "resthook_event.resthook = ?" },
    key: "resthook_event.id",
  });
}

/** A subscriber as the API lists it. */
export interface ListedSubscriber extends StoredSubscriber {
  readonly slug: string;
}

/** Active subscribers of resthooks, newest first. */
export function subscriberList(database: Connection): List<ListedSubscriber> {
  return new List(database, {
    columns: `${columns.subscriber}, ${slugOf("resthook_subscriber")}`,
    from: "resthook_subscriber",
    where: "resthook_subscriber.is_active = 1",
    orders: { created: { position: "resthook_subscriber.created_at_ms", tie: "resthook_subscriber.id" } },
    filters: { id: "resthook_subscriber.id = ?", resthook: "resthook_subscriber.resthook = ?" },
    key: "resthook_subscriber.id",
  });
}
