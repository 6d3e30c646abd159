import type { CampaignRow, ContactRow, FlowRow, GroupRow, LabelRow } from "../account/index.js";
import type { Channel } from "../gateway/index.js";
import { urnIdentity } from "../wire/index.js";
import type { Call } from "./call.js";
import { Fault } from "./error.js";
import { integerOf, type Kind, shown, wellFormed } from "./fields.js";

/**
 * A reference to something that exists already, as a bare text (service-api.md 1.11). Numbers are taken as text.
 *
 * @param find - undefined when there is no such thing
 */
export function referenceTo<T>(about: string, find: (text: string, call: Call) => T | undefined): Kind<T> {
  return {
    schema: { type: "string", description: about },
    shape: "one",
    read(value, call) {
      if (typeof value !== "string" && integerOf(value) === undefined) throw new Fault("Must be a string or integer");
      const words = wellFormed(String(value));
      if (words === "") throw new Fault("This field may not be null.");
      const found = find(words, call);
      if (found === undefined) throw new Fault(`No such object: ${shown(words)}`);
      return found;
    },
  };
}

/** A message label, by UUID or by name in any case. */
export const labelReference: Kind<LabelRow> = referenceTo(
  "UUID or name of a label",
  (text, { desk }) => desk.tables.labels.byUuid(text.toLowerCase()) ?? desk.tables.labels.byName(text.trim()),
);

/** A contact that is not deleted, by UUID or by URN. Texts with a colon are URNs: no UUID has one. */
export const contactReference: Kind<ContactRow> = referenceTo("UUID or URN of a contact", (text, call) => {
  if (!text.includes(":")) return contactByUuid(text, call);
  const urn = urnIdentity(text);
  return urn === undefined ? undefined : call.desk.tables.contacts.byUrn(urn);
});

/** A contact that is not deleted, by its UUID in any case. */
export function contactByUuid(uuid: string, { desk }: Call): ContactRow | undefined {
  const contact = desk.tables.contacts.byUuid(uuid.toLowerCase());
  return contact?.state === "deleted" ? undefined : contact;
}

/** A contact group, by UUID or by name in any case. */
export const groupReference: Kind<GroupRow> = referenceTo(
  "UUID or name of a group",
  (text, { desk }) => desk.tables.groups.byUuid(text.toLowerCase()) ?? desk.tables.groups.byName(text.trim()),
);

/** The same, of a group whose members are put in by hand. */
export const manualGroupReference: Kind<GroupRow> = {
  ...groupReference,
  read(value, call) {
    const group = groupReference.read(value, call);
    if (group.query !== null) throw new Fault(`Group membership is set by a query: ${shown(value)}`);
    return group;
  },
};

/** A flow, by UUID. */
export const flowReference: Kind<FlowRow> = referenceTo("UUID of a flow", (text, { desk }) =>
  desk.tables.flows.byUuid(text.toLowerCase()),
);

/** A channel, by UUID. */
export const channelReference: Kind<Channel> = referenceTo("UUID of a channel", (text, { desk }) =>
  desk.account.channels.byUuid(text.toLowerCase()),
);

/** A campaign, by UUID. */
export const campaignReference: Kind<CampaignRow> = referenceTo("UUID of a campaign", (text, { desk }) =>
  desk.tables.campaigns.byUuid(text.toLowerCase()),
);
