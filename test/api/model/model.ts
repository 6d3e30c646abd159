/**
 * A model of the account in plain Maps, written from docs/reference/service-api.md alone, for comparison with
 * the service. It has no clock: `number` gives the order of creation, and `touched` the records that may have changed.
 */
export interface ContactModel {
  readonly uuid: string;
  /** Counts from 0 in the order of creation: the tie-breaker of lists. */
  readonly number: number;
  name: string | null;
  language: string | null;
  urns: string[];
  groups: Set<string>;
  /** By field key, as given. */
  values: Map<string, string>;
  blocked: boolean;
  deleted: boolean;
}

export interface GroupModel {
  readonly uuid: string;
  readonly number: number;
  name: string;
}

export interface FieldModel {
  readonly key: string;
  readonly number: number;
  label: string;
  type: "text" | "numeric" | "datetime";
}

export interface MessageModel {
  readonly id: number;
  readonly contact: string;
  readonly text: string;
  visibility: "visible" | "archived" | "deleted";
  labels: Set<string>;
}

export interface Model {
  readonly contacts: Map<string, ContactModel>;
  readonly groups: Map<string, GroupModel>;
  readonly labels: Map<string, GroupModel>;
  readonly fields: Map<string, FieldModel>;
  readonly messages: Map<number, MessageModel>;
  /** Contacts and messages that may have changed since the last comparison; all others keep their `modified_on`. */
  readonly touched: Set<string | number>;
  /** Counts of all contacts, groups, labels and fields ever created. */
  made: number;
}

export function emptyModel(): Model {
  return {
    contacts: new Map(),
    groups: new Map(),
    labels: new Map(),
    fields: new Map(),
    messages: new Map(),
    touched: new Set(),
    made: 0,
  };
}

/** Contacts that are not deleted. */
export function activeContacts(model: Model): ContactModel[] {
  return [...model.contacts.values()].filter(({ deleted }) => !deleted);
}

/** The active contact that has a URN. */
export function ownerOf(model: Model, urn: string): ContactModel | undefined {
  return activeContacts(model).find(({ urns }) => urns.includes(urn));
}

/**
 * Group or label by UUID or, in any case, by name, as bodies refer to it
 * (docs/reference/service-api.md#references-in-bodies).
 */
export function byUuidOrName(of: ReadonlyMap<string, GroupModel>, reference: string): GroupModel | undefined {
  return of.get(reference) ?? byName(of, reference);
}

/** Group or label by name in any case. */
export function byName(of: ReadonlyMap<string, GroupModel>, name: string): GroupModel | undefined {
  return [...of.values()].find((each) => each.name.toLowerCase() === name.toLowerCase());
}

/** A new contact with addresses only. */
export function addContact(model: Model, uuid: string, urns: readonly string[] = []): ContactModel {
  const contact: ContactModel = {
    uuid,
    number: model.made++,
    name: null,
    language: null,
    urns: [...urns],
    groups: new Set(),
    values: new Map(),
    blocked: false,
    deleted: false,
  };
  model.contacts.set(uuid, contact);
  return contact;
}

/** Deletes a contact: its URNs, groups and messages go (docs/reference/service-api.md#contacts). */
export function deleteContact(model: Model, contact: ContactModel): void {
  Object.assign(contact, { deleted: true, urns: [], groups: new Set() });
  model.touched.add(contact.uuid);
  for (const message of model.messages.values()) {
    if (message.contact === contact.uuid) deleteMessage(model, message);
  }
}

/** Deletes a message for good, with its labels (docs/reference/service-api.md#message-actions). */
export function deleteMessage(model: Model, message: MessageModel): void {
  message.visibility = "deleted";
  message.labels.clear();
  model.touched.add(message.id);
}

/**
 * A field's value as the record shows it (docs/reference/service-api.md#contacts); null also stands for the empty text.
 */
export function shownValue(raw: string | undefined, type: FieldModel["type"]): string | null {
  if (raw === undefined) return null;
  if (type === "text") return raw;
  if (type === "numeric")
    return /^-?\d+(\.\d+)?$/.test(raw) ? raw.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") : null;
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(raw) ? raw.replace("Z", ".000000Z") : null;
}

/** Whether a name is valid for a group or label, and free (docs/reference/service-api.md#groups, #labels). */
export function isGoodName(of: ReadonlyMap<string, GroupModel>, name: string, own?: string): boolean {
  const trimmed = name.trim();
  const taken = byName(of, trimmed);
  return /^[\p{L}\p{N}_]/u.test(trimmed) && trimmed.length <= 64 && (taken === undefined || taken.uuid === own);
}

/** Some of the reserved keys (docs/reference/service-api.md#fields). */
const RESERVED = new Set(["name", "language", "uuid", "groups", "phone", "tel"]);

/** The key for a label; undefined when it is invalid. */
export function keyOf(label: string): string | undefined {
  const key = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  return /^[a-z][a-z0-9_]{0,35}$/.test(key) && !RESERVED.has(key) ? key : undefined;
}

/** Whether a label is valid for a field, and free. */
export function isGoodLabel(model: Model, label: string, own?: string): boolean {
  const taken = [...model.fields.values()].find((each) => each.label.toLowerCase() === label.toLowerCase());
  const isWellFormed = /^[A-Za-z0-9 -]{1,36}$/.test(label) && keyOf(label) !== undefined;
  return isWellFormed && (taken === undefined || taken.key === own);
}
