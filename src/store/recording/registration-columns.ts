/** The table `registration`: how its rows are written and read. */

import type { Registration, RegistrationRow } from "../../gateway/index.js";
import { idWithin } from "../../wire/index.js";
import type { Connection } from "../sqlite/connection.js";
import type { Cell } from "../writer/writer.js";

/** Inserts a registration, or replaces the one with its id. See `registrationCells`. */
export const insertRegistration = `INSERT OR REPLACE INTO registration (relayer, channel, uuid, phone, org, install,
  registered_at_ms, claimed_at_ms, released_at_ms, message_before, call_before) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** The cells of `insertRegistration`. */
export function registrationCells(row: RegistrationRow): Cell[] {
  return [
    row.relayer,
    row.channel,
    row.uuid,
    row.phone,
    row.org,
    row.install,
    row.registeredAtMs,
    row.claimedAtMs,
    row.releasedAtMs,
    idWithin(row.channel, row.messagesBefore),
    idWithin(row.channel, row.callsBefore),
  ];
}

/** All registrations by channel, oldest first. */
export function registrationsOf(database: Connection): Map<number, Registration[]> {
  const rows = database
    .prepare<[], RegistrationRow>(
      `SELECT relayer, channel, uuid, phone, org, install, registered_at_ms AS registeredAtMs,
        claimed_at_ms AS claimedAtMs, released_at_ms AS releasedAtMs, message_before AS messagesBefore,
        call_before AS callsBefore FROM registration ORDER BY relayer`,
    )
    .all();
  const byChannel = new Map<number, Registration[]>();
  for (const { channel, ...registration } of rows) {
    const first = idWithin(channel, 0);
    registration.messagesBefore -= first;
    registration.callsBefore -= first;
    const known = byChannel.get(channel);
    if (known === undefined) byChannel.set(channel, [registration]);
    else known.push(registration);
  }
  return byChannel;
}

/**
 * SQL for the UUID that the channel had when a message or call was made: that of the last registration claimed before
 * it.
 *
 * @param table - a table of the statement, which must also have `channel`
 */
export function channelUuidOf(table: "message" | "call"): string {
  return `coalesce((SELECT made.uuid FROM registration AS made WHERE made.channel = ${table}.channel
    AND made.claimed_at_ms IS NOT NULL AND made.${table}_before < ${table}.id ORDER BY made.relayer DESC LIMIT 1),
    channel.uuid)`;
}
