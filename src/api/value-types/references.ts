import type { CampaignRow, ContactRow, FlowRow, GroupRow, LabelRow } from "../../account/index.js";
import type { Channel } from "../../gateway/index.js";
import { urnIdentity } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { InvalidValue } from "../error.js";
import { parseInteger, type ValueType, shorten, requireStorable } from "../body-fields.js";

/**
 * A reference to an existing object, as text (docs/reference/service-api.md#references-in-bodies). Numbers are accepted
 * as text.
 *
 * @param find - returns undefined when no object matches
 */
export function referenceTo<T>(
  about: string,
  find: (text: string, request: ApiRequest) => T | undefined,
): ValueType<T> {
  return {
    schema: { type: "string", description: about },
    shape: "one",
    parse(value, request) {
      if (typeof value !== "string" && parseInteger(value) === undefined)
        throw new InvalidValue("Must be a string or integer");
      const words = requireStorable(String(value));
      if (words === "") throw new InvalidValue("This field may not be null.");
      const found = find(words, request);
      if (found === undefined) throw new InvalidValue(`No such object: ${shorten(words)}`);
      return found;
    },
  };
}

/** A message label, by UUID or by name; ignores case. */
export const labelReference: ValueType<LabelRow> = referenceTo(
  "UUID or name of a label",
  (text, { context }) => context.tables.labels.byUuid(text.toLowerCase()) ?? context.tables.labels.byName(text.trim()),
);

/** A contact that is not deleted, by UUID or by URN. Text with a colon is a URN. */
export const contactReference: ValueType<ContactRow> = referenceTo("UUID or URN of a contact", (text, request) => {
  if (!text.includes(":")) return contactByUuid(text, request);
  const urn = urnIdentity(text);
  return urn === undefined ? undefined : request.context.tables.contacts.byUrn(urn);
});

/** Finds a contact that is not deleted by its UUID; ignores case. */
export function contactByUuid(uuid: string, { context }: ApiRequest): ContactRow | undefined {
  const contact = context.tables.contacts.byUuid(uuid.toLowerCase());
  return contact?.state === "deleted" ? undefined : contact;
}

/** A contact group, by UUID or by name; ignores case. */
export const groupReference: ValueType<GroupRow> = referenceTo(
  "UUID or name of a group",
  (text, { context }) => context.tables.groups.byUuid(text.toLowerCase()) ?? context.tables.groups.byName(text.trim()),
);

/** A contact group without a query: clients set its members. */
export const manualGroupReference: ValueType<GroupRow> = {
  ...groupReference,
  parse(value, request) {
    const group = groupReference.parse(value, request);
    if (group.query !== null) throw new InvalidValue(`Group membership is set by a query: ${shorten(value)}`);
    return group;
  },
};

/** A flow, by UUID. */
export const flowReference: ValueType<FlowRow> = referenceTo("UUID of a flow", (text, { context }) =>
  context.tables.flows.byUuid(text.toLowerCase()),
);

/** A channel, by UUID. */
export const channelReference: ValueType<Channel> = referenceTo("UUID of a channel", (text, { context }) =>
  context.account.channels.byUuid(text.toLowerCase()),
);

/** A campaign, by UUID. */
export const campaignReference: ValueType<CampaignRow> = referenceTo("UUID of a campaign", (text, { context }) =>
  context.tables.campaigns.byUuid(text.toLowerCase()),
);
