import {
  type ContactChanges,
  type ContactRow,
  rawFieldOf,
  shownFieldValue,
  isFieldInput,
  storedFieldText,
} from "../../account/index.js";
import type { ListedContact } from "../../store/index.js";
import { normaliseUrn, urnIdentity } from "../../wire/index.js";
import type { ApiRequest } from "../api-request.js";
import { fieldError, detailError, urnMessages, InvalidValue } from "../error.js";
import {
  clearable,
  listType,
  optional,
  shorten,
  textType,
  dictionaryType,
  type ValueType,
  requireStorable,
} from "../body-fields.js";
import { type Filter, isTrue, namedFilter, timeFilters, uuidFilter } from "../filters.js";
import { urnListType } from "../value-types/urn.js";
import { contactByUuid, manualGroupReference } from "../value-types/references.js";
import {
  type RecordMaker,
  recordOf,
  type Identifier,
  listMethod,
  postMethod,
  deleteMethod,
  type Resource,
} from "../resource.js";
import { records, type Reference, schema } from "../../schema/index.js";
import { cannotJoin } from "./contact-actions.js";

const threeCharacters = textType({ min: 3, max: 3 });

/** A contact's language: an ISO 639-3 code in any letter case (docs/reference/service-api.md#limits). */
const languageCode: ValueType<string> = {
  ...threeCharacters,
  schema: { ...threeCharacters.schema, pattern: "^[A-Za-z]{3}$", examples: ["eng"] },
  parse(value, request) {
    const code = threeCharacters.parse(value, request);
    if (!/^[A-Za-z]{3}$/.test(code)) {
      throw new InvalidValue(
        `Not a language code: ${shorten(code)}. Give the three letters of ISO 639-3, such as eng.`,
      );
    }
    return code;
  },
};

const anyDictionary = dictionaryType({ type: ["string", "number", "boolean", "null"] });

/** Values of contact fields by key, as stored; undefined clears a value (docs/reference/service-api.md#contacts). */
const contactFields: ValueType<ReadonlyMap<string, string | undefined>> = {
  ...anyDictionary,
  parse(value, request) {
    const values = new Map<string, string | undefined>();
    for (const [key, given] of anyDictionary.parse(value, request)) {
      if (request.context.tables.fields.byKey(key) === undefined)
        throw new InvalidValue(`Unknown contact field: ${shorten(key)}`);
      if (!isFieldInput(given)) throw new InvalidValue("Not a valid string.");
      if (typeof given === "string") requireStorable(given);
      values.set(key, storedFieldText(given));
    }
    return values;
  },
};

const record: RecordMaker<ListedContact> = recordOf(records.contacts, {
  uuid: (contact) => contact.uuid,
  name: (contact) => contact.name,
  status: (contact) => (contact.state === "deleted" ? null : contact.state),
  language: (contact) => contact.language,
  urns: (contact, { context }) => (context.organisation.isAnonymous ? [] : (JSON.parse(contact.urns) as string[])),
  groups: (contact, request) => groupsOf(contact, request),
  fields: (contact, request) => fieldsOf(contact, request),
  flow: ({ flow }) => (flow === null ? null : (JSON.parse(flow) as Reference)),
  blocked: (contact) => unlessDeleted(contact, contact.state === "blocked"),
  stopped: (contact) => unlessDeleted(contact, contact.state === "stopped"),
  created_on: (contact, request) => request.timestamp(contact.createdAtMs),
  modified_on: (contact, request) => request.timestamp(contact.modifiedAtMs),
  last_seen_on: ({ lastSeenAtMs }, request) => (lastSeenAtMs === null ? null : request.timestamp(lastSeenAtMs)),
  notes: () => [],
});

function unlessDeleted<T>(contact: ListedContact, value: T): T | null {
  return contact.state === "deleted" ? null : value;
}

function groupsOf(
  { groups }: ListedContact,
  { context: { tables } }: ApiRequest,
): { readonly uuid: string; readonly name: string }[] {
  if (groups === null) return [];
  const ids = groups.split(",").map(Number);
  const shown = [];
  for (const id of ids.sort((a, b) => a - b)) {
    const group = tables.groups.get(id);
    // A deleted group keeps some of its members until later steps (`Groups.releaseSome`).
    if (group !== undefined && tables.groups.byUuid(group.uuid) !== undefined)
      shown.push({ uuid: group.uuid, name: group.name });
  }
  return shown;
}

/** The values of all fields of the account, null where unset (docs/reference/service-api.md#contacts). */
function fieldsOf(contact: ListedContact, { context }: ApiRequest): Record<string, string | null> {
  if (contact.state === "deleted") return {};
  const raw = JSON.parse(contact.fields) as Record<string, string>;
  const { fieldContext } = context.account;
  const shown: Record<string, string | null> = {};
  for (const { key, type } of context.tables.fields.all()) {
    shown[key] = shownFieldValue(type, rawFieldOf({ fields: raw }, key), fieldContext);
  }
  return shown;
}

const urnFilter: Filter = {
  about: "The contact with this address",
  schema: schema.text,
  parse: (value, request) => ["urn", urnInQuery(value, request)],
};

/** Parses a URN in the query. @throws ApiError 400 when it is malformed, or when the account hides URNs */
function urnInQuery(value: string, { context }: ApiRequest): string {
  if (context.organisation.isAnonymous)
    throw detailError(400, "URNs are hidden in this account: they cannot be looked up");
  const urn = urnIdentity(value);
  if (urn === undefined) throw detailError(400, `Invalid URN: ${shorten(value)}`);
  return urn;
}

const identifiers = {
  uuid: {
    about: "UUID of the contact",
    schema: schema.uuid,
    find: contactByUuid,
  },
  urn: {
    about: "Address of the contact",
    schema: schema.text,
    find: (value: string, request: ApiRequest) => request.context.tables.contacts.byUrn(urnInQuery(value, request)),
    mayCreate: true,
  },
} satisfies Record<string, Identifier<ContactRow>>;

/** Contacts (docs/reference/service-api.md#contacts). */
export const contacts: Resource = {
  name: "contacts",
  about: "People: their addresses, groups and fields.",
  scope: "contacts",
  forSurveyors: true,
  list: listMethod<ListedContact>({
    about: "Lists contacts, the last modified first.",
    // The query of a POST identifies the contact; it does not filter the record in the response.
    list: (request) =>
      request.method === "POST" || request.param("group") === undefined
        ? request.context.lists.contacts
        : request.context.lists.members,
    order: "modified",
    canReverse: true,
    filters: {
      uuid: uuidFilter("uuid", "The contact with this UUID"),
      urn: urnFilter,
      group: namedFilter(
        "group",
        "Members of the group with this UUID or name",
        ({ context }) => context.tables.groups,
      ),
      deleted: {
        about: "Contacts that were deleted, and no others",
        schema: schema.boolean,
        parse: () => "all",
      },
      ...timeFilters("Modified"),
    },
    fixedFilters: (request) => [[isTrue(request.param("deleted") ?? "") ? "deleted" : "active"]],
    record,
  }),
  post: postMethod({
    about:
      "Changes the contact with this `uuid` or `urn`. Without them, or when no contact has the `urn`, adds a contact.",
    identifiers,
    fields: {
      name: clearable(textType({ max: 64 }), "Null clears it"),
      language: clearable(languageCode, "ISO 639-3 code; null clears it"),
      urns: optional(urnListType, "Addresses, the best first; they replace those that were there"),
      groups: optional(listType(manualGroupReference), "UUIDs or names of all groups without a query to be in"),
      fields: optional(contactFields, "Values by key; null and empty clear, what is not named stays"),
    },
    example: {
      name: "Ada Mwangi",
      language: "eng",
      urns: ["tel:+12065550199"],
      groups: ["Mothers"],
      fields: { age: "34" },
    },
    check(values, request, identified) {
      if (identified?.name === "urn" && values.urns !== undefined) {
        throw fieldError("urns", "Not allowed together with a URN in the URL");
      }
      const contact = identified?.target;
      return contact === undefined ? checkNew(values, identified, request) : checkKnown(contact, values, request);
    },
  }),
  remove: deleteMethod({
    about: "Deletes a contact; its messages are emptied, its addresses are free.",
    identifiers,
    check:
      (contact, { context }) =>
      () =>
        context.account.contacts.remove(contact),
  }),
};

function checkNew(
  values: ContactChanges,
  named: { readonly value: string } | undefined,
  request: ApiRequest,
): () => { status: 201; key: number } {
  const { account, tables } = request.context;
  for (const [index, urn] of (values.urns ?? []).entries()) {
    if (tables.contacts.ownerOf(urn) === undefined) continue;
    const message = `URN belongs to another contact: ${urn}`;
    throw fieldError("urns", urnMessages(request.context.urnErrors, { index, message }));
  }
  const urns = named === undefined ? (values.urns ?? []) : [newContactUrn(named.value, request)];
  return () => ({ status: 201, key: account.contacts.add({ ...values, urns }).row });
}

/** The URN of a new contact from the URL; unlike a URN that only identifies a contact, it must be normalisable. */
function newContactUrn(value: string, { isStrict }: ApiRequest): string {
  const urn = normaliseUrn(value, { strict: isStrict });
  if (urn === undefined) throw detailError(400, `Invalid URN: ${shorten(value)}`);
  return urn;
}

function checkKnown(
  contact: ContactRow,
  values: ContactChanges,
  request: ApiRequest,
): () => { status: 200; key: number } {
  if (values.urns !== undefined && request.context.organisation.isAnonymous) {
    throw fieldError("urns", "URNs are hidden in this account: they cannot be changed");
  }
  if (contact.state !== "active" && (values.groups ?? []).length > 0) {
    throw fieldError("groups", cannotJoin([contact]));
  }
  return () => ({ status: 200, key: request.context.account.contacts.change(contact, values).row });
}
