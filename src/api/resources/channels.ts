import type { ListedChannel } from "../../store/index.js";
import { phoneCountry } from "../../wire/index.js";
import { deviceOf } from "../device.js";
import { textFilter, uuidFilter } from "../filters.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

const deviceSchema = schema.objectOf({
  name: schema.text,
  power_level: { type: "integer", minimum: -1, maximum: 100 },
  power_status: schema.nullable(schema.text),
  power_source: schema.nullable(schema.text),
  network_type: schema.nullable(schema.text),
});

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
    record: {
      uuid: column(schema.uuid, (channel) => channel.uuid),
      name: column(schema.nullable(schema.text), (channel) => channel.name),
      address: column(schema.nullable(schema.text), (channel) => channel.phone),
      type: column(schema.oneOf(["android"]), () => "android"),
      country: column(schema.nullable(schema.text), ({ phone }) => phoneCountry(phone) ?? null),
      device: column(schema.nullable(deviceSchema), ({ id }, { context }) =>
        deviceOf(context.account.channels.get(id), context.nowMs),
      ),
      last_seen: column(schema.timestamp, ({ id }, request) =>
        request.timestamp(request.context.account.channels.get(id).shownSeenMs),
      ),
      // All channels are created with the account.
      created_on: column(schema.timestamp, (_channel, request) => request.timestamp(0)),
    },
  }),
};
