import type { Connection } from "../sqlite/connection.js";
import type { ContinuedChannel, ContinuedState, Registration } from "../../gateway/index.js";
import { idWithin } from "../../wire/index.js";
import { channelFrom, selectChannels, type StoredChannel } from "./channel-columns.js";
import { registrationsOf } from "./registration-columns.js";

/** The latest instant of any row. */
const lastInstant = `
  SELECT max(at_ms) FROM (
    SELECT 0 AS at_ms
    UNION ALL SELECT max(last_seen_at_ms) FROM channel
    UNION ALL SELECT * FROM (SELECT at_ms FROM event ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT created_at_ms FROM message ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT created_at_ms FROM call ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT at_ms FROM input ORDER BY row DESC LIMIT 1)
    UNION ALL SELECT * FROM (SELECT at_ms FROM note ORDER BY row DESC LIMIT 1))`;

/**
 * Reads the state from which a gateway continues a served database. With the indexes of `Recording.prepareToServe` it
 * is fast for a recording of any size.
 */
export function readGatewayState(database: Connection): ContinuedState {
  const number = (sql: string): number => database.prepare<[], number>(sql, "value").get() ?? 0;
  const rowsOf = (table: string): number => number(`SELECT max(row) FROM ${table}`);
  return {
    atMs: number(lastInstant),
    rows: { messages: rowsOf("message"), calls: rowsOf("call"), events: rowsOf("event") },
    channels: channelsOf(database),
    // A deleted message has no text: it stays queued in its table and is never sent.
    queued: database
      .prepare<[], ContinuedState["queued"][number]>(
        `SELECT row, id, channel, phone, text, status FROM message
          WHERE direction = 'O' AND visibility = 'visible' AND status = 'Q' ORDER BY created_at_ms, id`,
      )
      .all(),
  };
}

function channelsOf(database: Connection): Map<number, ContinuedChannel> {
  const highest = (table: string): ((channel: number) => number) => {
    const select = database.prepare<[number, number], number>(
      `SELECT max(id) FROM ${table} WHERE id > ? AND id < ?`,
      "value",
    );
    return (channel) => {
      const [first, end] = [idWithin(channel, 0), idWithin(channel + 1, 0)];
      return (select.get(first, end) ?? first) - first;
    };
  };
  const [messageCount, callCount] = [highest("message"), highest("call")];
  // The unique index on (channel, number) covers this query: SQLite reads no row.
  const lastEvent = database.prepare<[number], number | null>(
    "SELECT max(number) FROM event WHERE channel = ?",
    "value",
  );
  const registrations = registrationsOf(database);
  const stored = database.prepare<[number, number], StoredChannel>(selectChannels).all(0, -1);
  return new Map(
    stored.map(channelFrom).map(({ id, lastSeenMs, shownSeenMs, hasSynced, device, ...row }) => [
      id,
      {
        changed: changesOf(row, registrations.get(id)),
        lastSeenMs,
        shownSeenMs,
        hasSynced,
        device,
        messageCount: messageCount(id),
        callCount: callCount(id),
        eventCount: lastEvent.get(id) ?? 0,
      },
    ]),
  );
}

function changesOf(
  {
    relayer,
    uuid,
    phone,
    isActive,
    createdAtMs,
    claimAfterMs,
  }: Omit<NonNullable<ContinuedChannel["changed"]>, "registrations">,
  registrations: readonly Registration[] | undefined,
): ContinuedChannel["changed"] {
  return registrations && { relayer, uuid, phone, isActive, createdAtMs, claimAfterMs, registrations };
}
