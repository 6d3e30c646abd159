import type { Connection } from "../sqlite/connection.js";
import type { ChannelRow } from "../../gateway/index.js";
import { List } from "./list.js";

/** The constant columns of a channel; the gateway has the current state of the others, see `Account.channels`. */
export type ListedChannel = Pick<ChannelRow, "id" | "uuid" | "name" | "phone">;

/** All channels are created at once, so the list is ordered by id. */
export function channelList(database: Connection): List<ListedChannel> {
  return new List(database, {
    columns: "channel.id, channel.uuid, channel.name, channel.phone",
    from: "channel",
    orders: { created: { position: "channel.id", tie: "channel.id" } },
    filters: { uuid: "channel.uuid = ?", address: "channel.phone = ?" },
    key: "channel.id",
  });
}
