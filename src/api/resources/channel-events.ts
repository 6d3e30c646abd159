import type { ListedCall } from "../../store/index.js";
import { type CallEventType, formatTimestampZoned } from "../../wire/index.js";
import { contactFilter, integerFilter, timeFilters } from "../filters.js";
import { recordOf, listMethod, type Resource } from "../resource.js";
import { type RecordOf, records } from "../../schema/index.js";

/** The API's names of call types (docs/reference/service-api.md#channel-event-types). */
const types: Readonly<Record<CallEventType, RecordOf<"channel_events">["type"]>> = {
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
    record: recordOf(records.channel_events, {
      id: (call) => call.id,
      type: ({ type }) => types[type],
      contact: ({ contactUuid, contactName }) => ({ uuid: contactUuid, name: contactName }),
      channel: ({ channelUuid, channelName }) => ({ uuid: channelUuid, name: channelName }),
      extra: ({ durationS }) => ({ duration: durationS }),
      occurred_on: ({ timeMs }) => formatTimestampZoned(timeMs),
      created_on: ({ createdAtMs }, request) => request.timestamp(createdAtMs),
      // Clients from before November 2017 read these instead of `occurred_on` and `extra`.
      time: ({ timeMs }) => formatTimestampZoned(timeMs),
      duration: ({ durationS }) => durationS,
    }),
  }),
};
