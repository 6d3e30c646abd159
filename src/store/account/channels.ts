import type { Connection } from "../sqlite/connection.js";
import type { ChannelRow } from "../../gateway/index.js";
import { List } from "./list.js";

/** What of a channel never changes; the rest the gateway knows better, see `Account.channels`. */
export type ListedChannel = Pick<ChannelRow, "id" | "uuid" | "name" | "phone">;

/** All came into being together: the ids are their order. */
export function channelList(database: Connection): List<ListedChannel> {
  return new List(database, {
    columns: "channel.id, channel.uuid, channel.name, channel.phone",
    from: "channel",
    orders: { created: { position: "channel.id", tie: "channel.id" } },
    filters: { uuid: "channel.uuid = ?", address: "channel.phone = ?" },
    key: "channel.id",
  });
}
