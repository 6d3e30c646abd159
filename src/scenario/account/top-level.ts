import type * as z from "zod";
import { boundariesSchema } from "./parts/boundaries.js";
import { campaignsSchema } from "./parts/campaigns.js";
import { contactFieldsSchema } from "./parts/contact-fields.js";
import { contactsSchema } from "./parts/contacts.js";
import { definitionsSchema, flowsSchema } from "./parts/definitions.js";
import { globalsSchema } from "./parts/globals.js";
import { groupsSchema, labelsSchema } from "./parts/groups.js";
import { accountSchema, tokensSchema } from "./parts/organisation.js";
import { ordersSchema } from "./parts/orders.js";
import { peopleSchema } from "./parts/people.js";
import { resthooksSchema } from "./parts/resthooks.js";
import { runsSchema } from "./parts/runs.js";
import { triggersSchema } from "./parts/triggers.js";

/** The parts of an account file, by their keys; only `account` is required. */
export const accountParts: Readonly<Record<string, z.ZodType>> = {
  account: accountSchema.describe("The organisation; or existing: the file adds to the account that is there."),
  tokens: tokensSchema.describe("Tokens of the API."),
  fields: contactFieldsSchema.describe("Contact fields: their types by key, or maps."),
  groups: groupsSchema.describe("Groups of contacts: names, or maps."),
  globals: globalsSchema.describe("Texts by key, which flows read as @globals.key."),
  labels: labelsSchema.describe("Labels of messages: names, or maps."),
  contacts: contactsSchema.describe(
    "Contacts: a list, or a map by name, in which a phone number may stand for the contact.",
  ),
  people: peopleSchema.describe("Contacts to be made up."),
  flows: flowsSchema.describe("Flows: JSON files, or maps."),
  definitions: definitionsSchema.describe("Exports of accounts: JSON files, all of which is taken over."),
  campaigns: campaignsSchema.describe("What happens to the members of a group before and after a date of theirs."),
  triggers: triggersSchema.describe("What starts flows by itself."),
  resthooks: resthooksSchema.describe("Resthooks: slugs, or a map of slugs and the addresses of subscribers."),
  runs: runsSchema.describe("What flows have done before the account is loaded."),
  orders: ordersSchema.describe(
    "What is done as soon as the account is there: broadcasts, flow starts, events of resthooks.",
  ),
  boundaries: boundariesSchema.describe(
    "Administrative boundaries: countries with states, districts and wards in them; or a GeoJSON file.",
  ),
};

/** The keys at the top. */
export const accountKeys: readonly string[] = Object.keys(accountParts);
