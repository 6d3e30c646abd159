import * as z from "zod";
import { type ContactData, contactStates, distinctUrns } from "../../../wire/index.js";
import { keyed } from "../../sheet/field.js";
import { text, word } from "../../fields/fields.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { entries, type Entry } from "../entries.js";
import { nameField, language, phoneUrn, textList, urns, uuid } from "../account-fields.js";

const phone = phoneUrn("Their phone number, E.164; comes before other addresses.");

const contact = keyed({
  name: nameField("What they are called; in a map, default: the key.", { max: 128 }).optional(),
  uuid: uuid("Their UUID; without it, one that the seed determines.").optional(),
  phone: phone.optional(),
  urns: urns("Their addresses, `scheme:path` or `scheme:path#display`, the preferred first.").optional(),
  language: language("Their language (ISO 639-3).").optional(),
  groups: textList("Groups that they are in: names or UUIDs of groups without a query.").optional(),
  fields: z
    .record(z.string(), text("The field's value, as text."))
    .describe("Values of contact fields, by key.")
    .optional(),
  state: word(contactStates, "Whether they take part; stopped: has opted out.").prefault("active"),
});

/** `contacts`: a list, or a map by name, in which a phone number may stand for the whole contact. */
export const contactsSchema: z.ZodType = z
  .union([z.array(contact), z.record(z.string(), z.union([phone, contact]))])
  .nullable();

/** A contact and its entry. */
export interface ReadContact {
  readonly entry: Entry;
  readonly data: ContactData;
}

/** Reads `contacts`. */
export function readContacts(reader: DocumentReader): ReadContact[] {
  return entries(reader, ["contacts"]).flatMap((entry) => {
    const data = readContact(reader, entry);
    return data === undefined ? [] : [{ entry, data }];
  });
}

function readContact(reader: DocumentReader, { path, name }: Entry): ContactData | undefined {
  const nothing = { language: null, groups: [], fields: {}, state: "active" } as const;
  if (name !== undefined && typeof reader.at(path) === "string") {
    const only = reader.read(phone, path);
    return only === undefined ? undefined : { ...nothing, name, urns: [only] };
  }
  const given = reader.read(contact, path);
  if (given === undefined) return undefined;
  const { state } = given;
  if (state !== "active" && (given.groups ?? []).length > 0) {
    reader.reportProblem([...path, "groups"], {
      code: "not-together",
      message: `cannot be used with state: ${state}: only active contacts are in groups`,
      hint: "remove the groups",
    });
  }
  return {
    uuid: given.uuid,
    name: given.name ?? name ?? null,
    language: given.language ?? null,
    urns: distinctUrns([...(given.phone === undefined ? [] : [given.phone]), ...(given.urns ?? [])]),
    groups: given.groups ?? [],
    fields: { ...given.fields },
    state,
  };
}
