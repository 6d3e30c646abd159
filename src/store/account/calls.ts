import type { Connection } from "../sqlite/connection.js";
import type { CallRow } from "../../gateway/index.js";
import { channelUuidOf } from "../recording/registration-columns.js";
import { List } from "./list.js";

/** A call as the API lists it. */
export interface ListedCall extends Pick<CallRow, "id" | "type" | "timeMs" | "durationS" | "createdAtMs"> {
  readonly contactUuid: string;
  readonly contactName: string | null;
  readonly channelUuid: string;
  readonly channelName: string;
}

/** Calls that phones reported, without those of deleted contacts (docs/reference/service-api.md#channel-events). */
export function callList(database: Connection): List<ListedCall> {
  return new List(database, {
    columns: `call.id, call.type, call.time_ms AS timeMs, call.duration_s AS durationS, call.created_at_ms AS createdAtMs,
      contact.uuid AS contactUuid, contact.name AS contactName, ${channelUuidOf("call")} AS channelUuid, channel.name AS channelName`,
    // CROSS JOIN makes SQLite read the calls first: their index gives the order.
    from: `call CROSS JOIN contact ON contact.row = call.contact AND contact.state <> 'deleted'
      CROSS JOIN channel ON channel.id = call.channel`,
    orders: { created: { position: "call.created_at_ms", tie: "call.id" } },
    filters: {
      id: "call.id = ?",
      contact: "call.contact = ?",
      before: "call.created_at_ms <= ?",
      after: "call.created_at_ms >= ?",
    },
    key: "call.id",
  });
}
