import { getOne, lister, type Named, post, writers } from "./calls.js";
import * as kinds from "./old-records.js";
import { Transport, type TransportOptions, type Value } from "./transport.js";

/**
 * Behaves as the official Python client 2.6.1: every listed field of a record must be there
 * (docs/reference/service-api.md#clients).
 *
 * @param host - the service's address, with `http://` where it is not https
 */
export function oldClient(host: string, token: string, options: TransportOptions = {}) {
  const transport = new Transport(host, token, "rapidpro-python/2.6.1", options);
  const era = "old";
  const list = lister(transport, era);
  const fields = { transport, era, resource: "fields", kind: kinds.field } as const;
  return {
    getBoundaries: list("boundaries", kinds.boundary, "geometry"),
    getBroadcasts: list("broadcasts", kinds.broadcast, "id", "before", "after"),
    getCampaigns: list("campaigns", kinds.campaign, "uuid"),
    getCampaignEvents: list("campaign_events", kinds.campaignEvent, "uuid", "campaign"),
    getChannels: list("channels", kinds.channel, "uuid", "address"),
    getChannelEvents: list("channel_events", kinds.channelEvent, "id", "contact", "before", "after"),
    getContacts: list("contacts", kinds.contact, "uuid", "urn", "group", "deleted", "before", "after"),
    getDefinitions: (query: Named<"flow" | "campaign" | "dependencies"> = {}) =>
      getOne({ transport, era, resource: "definitions", kind: kinds.definitions }, query),
    getFields: list("fields", kinds.field, "key"),
    getFlows: list("flows", kinds.flow, "uuid"),
    getFlowStarts: list("flow_starts", kinds.flowStart, "uuid"),
    getGroups: list("groups", kinds.group, "uuid", "name"),
    getLabels: list("labels", kinds.label, "uuid", "name"),
    getMessages: list("messages", kinds.message, "id", "broadcast", "contact", "folder", "label", "before", "after"),
    getOrg: (walk: { isRetriedWhenThrottled?: boolean } = {}) =>
      getOne({ transport, era, resource: "org", kind: kinds.org }, {}, walk),
    getResthooks: list("resthooks", kinds.resthook),
    getResthookEvents: list("resthook_events", kinds.resthookEvent, "resthook"),
    getResthookSubscribers: list("resthook_subscribers", kinds.subscriber, "id", "resthook"),
    getRuns: list("runs", kinds.run, "id", "flow", "contact", "responded", "before", "after"),
    ...writers(transport, era, kinds),
    createField: (label: Value, value_type: Value) => post(fields, { label, value_type }),
    updateField: (key: Value, label: Value, value_type: Value) => post(fields, { label, value_type }, { key }),
    createFlowStart: (
      flow: Value,
      start: Named<"urns" | "contacts" | "groups" | "restart_participants" | "extra"> = {},
    ) => post({ transport, era, resource: "flow_starts", kind: kinds.flowStart }, { flow, ...start }),
  };
}
