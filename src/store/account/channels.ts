import type { Connection } from "../sqlite/connection.js";
import type { ChannelRow } from "../../gateway/index.js";
import { List } from "./list.js";

/**
 * The columns of a channel that only a registration changes; the gateway has the current state of the others, see
 * `Account.channels`.
 */
export type ListedChannel = Pick<ChannelRow, "id" | "uuid" | "name" | "phone" | "createdAtMs">;

/** The active channels, in the order of their registration. */
export function channelList(database: Connection): List<ListedChannel> {
  return new List(database, {
    columns: "channel.id, channel.uuid, channel.name, channel.phone, channel.created_at_ms AS createdAtMs",
    from: "channel",
    where: "channel.is_active = 1",
    orders: { created: { position: "channel.created_at_ms", tie: "channel.id" } },
    filters: { uuid: "channel.uuid = ?", address: "channel.phone = ?" },
    key: "channel.id",
  });
}
