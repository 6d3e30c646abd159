import { getOne, lister, type Named, post, writers } from "./calls.js";
import * as kinds from "./new-records.js";
import { Transport, type TransportOptions, type Value } from "./transport.js";

/**
 * Behaves as the official Python client 2.22: a missing field reads as null, wrong types are refused
 * (docs/reference/service-api.md#clients).
 *
 * @param host - the service's address, with `http://` where it is not https
 */
export function newClient(host: string, token: string, options: TransportOptions = {}) {
  const transport = new Transport(host, token, "rapidpro-python/2.22.2", options);
  const era = "new";
  const list = lister(transport, era);
  const fields = { transport, era, resource: "fields", kind: kinds.field } as const;
  return {
    getBoundaries: list("boundaries", kinds.boundary, "geometry"),
    getBroadcasts: list("broadcasts", kinds.broadcast, "uuid", "before", "after"),
    getCampaigns: list("campaigns", kinds.campaign, "uuid"),
    getCampaignEvents: list("campaign_events", kinds.campaignEvent, "uuid", "campaign"),
    getChannels: list("channels", kinds.channel, "uuid", "address"),
    getContacts: list("contacts", kinds.contact, "uuid", "urn", "group", "deleted", "before", "after", "reverse"),
    getDefinitions: (query: Named<"flow" | "campaign" | "dependencies"> = {}) =>
      getOne({ transport, era, resource: "definitions", kind: kinds.definitions }, query),
    getFields: list("fields", kinds.field, "key"),
    getFlows: list("flows", kinds.flow, "uuid", "type", "archived"),
    getFlowStarts: list("flow_starts", kinds.flowStart, "uuid"),
    getGroups: list("groups", kinds.group, "uuid", "name"),
    getLabels: list("labels", kinds.label, "uuid", "name"),
    getMessages: list("messages", kinds.message, "uuid", "folder", "before", "after"),
    getOrg: (walk: { isRetriedWhenThrottled?: boolean } = {}) =>
      getOne({ transport, era, resource: "org", kind: kinds.org }, {}, walk),
    getResthooks: list("resthooks", kinds.resthook),
    getResthookEvents: list("resthook_events", kinds.resthookEvent, "resthook"),
    getResthookSubscribers: list("resthook_subscribers", kinds.subscriber, "id", "resthook"),
    getRuns: list("runs", kinds.run, "uuid", "flow", "responded", "before", "after", "reverse", "paths"),
    ...writers(transport, era, kinds),
    createField: (name: Value, type: Value) => post(fields, { name, type }),
    updateField: (key: Value, name: Value, type: Value) => post(fields, { name, type }, { key }),
    createFlowStart: (
      flow: Value,
      start: Named<"urns" | "contacts" | "groups" | "restart_participants" | "exclude_active" | "params"> = {},
    ) => post({ transport, era, resource: "flow_starts", kind: kinds.flowStart }, { flow, ...start }),
    createMessage: (contact: Value, message: Named<"text" | "attachments" | "quick_replies">) =>
      post({ transport, era, resource: "messages", kind: kinds.message }, { contact, ...message }),
  };
}
