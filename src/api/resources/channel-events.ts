import type { ListedCall } from "../../store/index.js";
import { type CallEventType, formatTimestampZoned } from "../../wire/index.js";
import { contactFilter, integerFilter, timeFilters } from "../filters.js";
import { column, listMethod, type Resource } from "../resource.js";
import { schema } from "../../schema/index.js";

/** The API's names of call types (docs/reference/service-api.md#channel-event-types). */
const types: Readonly<Record<CallEventType, string>> = {
  mo_call: "call-in",
  mo_miss: "call-in-missed",
  mt_call: "call-out",
  mt_miss: "call-out-missed",
};

/** Channel events (docs/reference/service-api.md#channel-events): the calls in the logs of the phones. */
export const channelEvents: Resource = {
  name: "channel_events",
  about: "Channel events: calls that the phones have logged.",
  scope: "others",
  forSurveyors: false,
  list: listMethod<ListedCall>({
    about: "Lists channel events, the newest first. Those of deleted contacts are gone.",
    list: ({ context }) => context.lists.calls,
    order: "created",
    filters: {
      id: integerFilter("id", "The event with this id"),
      contact: contactFilter("Events of the contact with this UUID"),
      ...timeFilters("Created"),
    },
    record: {
      id: column(schema.integer, (call) => call.id),
      type: column(schema.oneOf(Object.values(types)), ({ type }) => types[type]),
      contact: column(schema.reference, ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName })),
      channel: column(schema.reference, ({ channelUuid, channelName }) => ({ uuid: channelUuid, name: channelName })),
      extra: column(schema.objectOf({ duration: schema.integer }), ({ durationS }) => ({ duration: durationS })),
      occurred_on: column(schema.timestamp, ({ timeMs }) => formatTimestampZoned(timeMs)),
      created_on: column(schema.timestamp, ({ createdAtMs }, request) => request.timestamp(createdAtMs)),
      // Clients from before November 2017 read these instead of `occurred_on` and `extra`.
      time: column(schema.timestamp, ({ timeMs }) => formatTimestampZoned(timeMs)),
      duration: column(schema.integer, ({ durationS }) => durationS),
    },
  }),
};
