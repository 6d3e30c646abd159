import { type Walk, Pages } from "./pages.js";
import type { Era, Kind, Read } from "./records.js";
import type { Parameters, Transport, Value } from "./transport.js";

/** Parameters by name, each of them optional. */
export type Named<N extends string> = { readonly [K in N]?: Value };

/** A list call of a resource, with the parameters that the client offers for it. */
export function lister(transport: Transport, era: Era) {
  return <K extends Kind<unknown>, N extends string = never>(resource: string, kind: K, ..._names: N[]) =>
    (query: Named<N> = {}): Pages<Read<K>> =>
      new Pages<Read<K>>(transport, resource, { query: query as Parameters, kind: kind as Kind<Read<K>>, era });
}

/** A call that sends a payload and reads a record. */
export async function post<K extends Kind<unknown>>(
  { transport, era, resource, kind }: { transport: Transport; era: Era; resource: string; kind: K },
  payload: Parameters,
  query: Parameters = {},
): Promise<Read<K>> {
  return kind.read(await transport.call("POST", resource, { query, payload }), era, resource) as Read<K>;
}

/** The parameter that identifies a contact: a text with a colon is a URN, any other a UUID. */
export function contactBy(contact: Value): Parameters {
  return typeof contact === "string" && contact.includes(":") ? { urn: contact } : { uuid: contact };
}

/** Kinds of the records that both clients write. */
export interface WrittenKinds {
  readonly broadcast: Kind<unknown>;
  readonly campaign: Kind<unknown>;
  readonly campaignEvent: Kind<unknown>;
  readonly contact: Kind<unknown>;
  readonly group: Kind<unknown>;
  readonly label: Kind<unknown>;
  readonly subscriber: Kind<unknown>;
}

type Recipients = Named<"urns" | "contacts" | "groups">;
type EventPayload = Named<"relative_to" | "offset" | "unit" | "delivery_hour" | "message" | "flow">;
type ContactPayload = Named<"name" | "language" | "urns" | "fields" | "groups">;

/** The writing calls that are the same in both clients (docs/reference/service-api.md#python-client-calls). */
export function writers<R extends WrittenKinds>(transport: Transport, era: Era, kinds: R) {
  const to = <K extends Kind<unknown>>(resource: string, kind: K) => ({ transport, era, resource, kind });
  const named = <K extends Kind<unknown>>(resource: string, kind: K) => ({
    create: (name: Value): Promise<Read<K>> => post(to(resource, kind), { name }),
    update: (uuid: Value, name: Value): Promise<Read<K>> => post(to(resource, kind), { name }, { uuid }),
  });
  const contacts = (action: string) => async (contacts: Value, group?: Value) => {
    await transport.call("POST", "contact_actions", { payload: { contacts, action, group } });
  };
  const messages =
    (action: string) =>
    async (messages: Value, label: Named<"label" | "label_name"> = {}) => {
      await transport.call("POST", "message_actions", { payload: { messages, action, ...label } });
    };
  const remove = async (resource: string, query: Parameters): Promise<void> => {
    await transport.call("DELETE", resource, { query });
  };
  const { create: createGroup, update: updateGroup } = named<R["group"]>("groups", kinds.group);
  const { create: createLabel, update: updateLabel } = named<R["label"]>("labels", kinds.label);
  const campaigns = to<R["campaign"]>("campaigns", kinds.campaign);
  const campaignEvents = to<R["campaignEvent"]>("campaign_events", kinds.campaignEvent);
  const contactRecords = to<R["contact"]>("contacts", kinds.contact);

  return {
    createBroadcast: (text: Value, recipients: Recipients = {}): Promise<Read<R["broadcast"]>> =>
      post(to<R["broadcast"]>("broadcasts", kinds.broadcast), { text, ...recipients }),
    createCampaign: (name: Value, group: Value): Promise<Read<R["campaign"]>> => post(campaigns, { name, group }),
    updateCampaign: (uuid: Value, name: Value, group: Value): Promise<Read<R["campaign"]>> =>
      post(campaigns, { name, group }, { uuid }),
    createCampaignEvent: (campaign: Value, event: EventPayload): Promise<Read<R["campaignEvent"]>> =>
      post(campaignEvents, { campaign, ...event }),
    /** Does not name the campaign of the event. */
    updateCampaignEvent: (uuid: Value, event: EventPayload): Promise<Read<R["campaignEvent"]>> =>
      post(campaignEvents, event, { uuid }),
    deleteCampaignEvent: (uuid: Value) => remove("campaign_events", { uuid }),
    createContact: (contact: ContactPayload = {}): Promise<Read<R["contact"]>> => post(contactRecords, contact),
    updateContact: (contact: Value, changes: ContactPayload): Promise<Read<R["contact"]>> =>
      post(contactRecords, changes, contactBy(contact)),
    deleteContact: (contact: Value) => remove("contacts", contactBy(contact)),
    createGroup,
    updateGroup,
    deleteGroup: (uuid: Value) => remove("groups", { uuid }),
    createLabel,
    updateLabel,
    deleteLabel: (uuid: Value) => remove("labels", { uuid }),
    createResthookSubscriber: (resthook: Value, target_url: Value): Promise<Read<R["subscriber"]>> =>
      post(to<R["subscriber"]>("resthook_subscribers", kinds.subscriber), { resthook, target_url }),
    deleteResthookSubscriber: (id: Value) => remove("resthook_subscribers", { id }),
    bulkAddContacts: contacts("add"),
    bulkRemoveContacts: contacts("remove"),
    bulkBlockContacts: contacts("block"),
    bulkUnblockContacts: contacts("unblock"),
    bulkInterruptContacts: contacts("interrupt"),
    bulkDeleteContacts: contacts("delete"),
    /** The action's word differs between the clients. */
    bulkArchiveContacts: contacts(era === "old" ? "archive" : "archive_messages"),
    bulkLabelMessages: messages("label"),
    bulkUnlabelMessages: messages("unlabel"),
    bulkArchiveMessages: messages("archive"),
    bulkRestoreMessages: messages("restore"),
    bulkDeleteMessages: messages("delete"),
  };
}

/** A call for the one object of a resource. */
export async function getOne<K extends Kind<unknown>>(
  { transport, era, resource, kind }: { transport: Transport; era: Era; resource: string; kind: K },
  query: Parameters = {},
  walk: Walk = {},
): Promise<Read<K>> {
  const body = await transport.call("GET", resource, { query, ...walk });
  return kind.read(body, era, resource) as Read<K>;
}
