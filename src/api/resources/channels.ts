import type { ListedChannel } from "../../store/index.js";
import { phoneCountry } from "../../wire/index.js";
import { deviceOf } from "../device.js";
import { textFilter, uuidFilter } from "../filters.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { records } from "../../schema/index.js";

const byAddress = textFilter("address", "The channel with this number, in exactly this spelling");

/** Channels (docs/reference/service-api.md#channels): each is a phone. */
export const channels: Resource = {
  name: "channels",
  about: "Channels: the phones that send and receive.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedChannel>({
    about: "Lists channels, the newest first.",
    list: ({ context }) => context.lists.channels,
    order: "created",
    filters: {
      uuid: uuidFilter("uuid", "The channel with this UUID"),
      address: {
        ...byAddress,
        // An unencoded plus sign arrives as a space (docs/reference/service-api.md#urns).
        parse: (value, request) => byAddress.parse(value.replace(/^ (?=\d)/, "+"), request),
      },
    },
    record: recordOf(records.channels, {
      uuid: (channel) => channel.uuid,
      name: (channel) => channel.name,
      address: ({ phone }) => (phone === "" ? null : phone),
      type: () => "android" as const,
      country: ({ phone }) => phoneCountry(phone) ?? null,
      device: ({ id }, { context }) => deviceOf(context.account.channels.get(id), context.nowMs),
      last_seen: ({ id }, request) => request.timestamp(request.context.account.channels.get(id).shownSeenMs),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
    }),
  }),
};
