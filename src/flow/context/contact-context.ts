import { ArrayValue, type DateTimeValue, Decimal, objectValue, type Value } from "../../expression/index.js";
import { readableUrn } from "../../wire/index.js";
import { contactSchemes, splitUrn, withoutQuery } from "../contact/contact-urn.js";
import { preferredDestination } from "../contact/destinations.js";
import type { ContactState, FieldValue } from "../contact-state.js";
import type { Assets, ChannelAsset, FieldType } from "../host.js";
import { ComputedMap, ComputedObject, type Properties } from "./computed-object.js";
import { instantValue, storedInstant } from "./instants.js";

interface ContactSource {
  readonly contact: ContactState;
  readonly assets: Assets;
}

const contactProperties: Properties<ContactSource> = {
  uuid: ({ contact }) => contact.uuid,
  id: ({ contact }) => String(contact.id),
  name: ({ contact }) => contact.name,
  first_name: ({ contact }) => /[\p{L}\p{M}\p{N}_']+/u.exec(contact.name)?.[0] ?? null,
  language: ({ contact }) => contact.language,
  timezone: ({ contact }) => (contact.timezone === "" ? null : contact.timezone),
  status: ({ contact }) => contact.status,
  created_on: ({ contact }) => instantValue(contact.createdAtMs),
  last_seen_on: ({ contact }) => (contact.lastSeenAtMs === undefined ? null : instantValue(contact.lastSeenAtMs)),
  urns: ({ contact }) => new ArrayValue(contact.urns.map(withoutQuery)),
  urn: ({ contact, assets }) => {
    const urn = preferredDestination(contact, assets)?.urn;
    return urn === undefined ? null : withoutQuery(urn);
  },
  groups: ({ contact }) => new ArrayValue(contact.groups.map(({ uuid, name }) => objectValue({ uuid, name }))),
  fields: ({ contact, assets }) => fieldsContext(contact, assets),
  channel: ({ contact, assets }) => {
    const channel = preferredDestination(contact, assets)?.channel;
    return channel === undefined ? null : channelContext(channel);
  },
};

/** `@contact`: docs/reference/flows.md#context-roots. */
export function contactContext(contact: ContactState, assets: Assets): Value {
  return new ComputedObject(contactProperties, { contact, assets }, () => readableContact(contact));
}

/** A contact as people read it: its name, else its first address. */
export function readableContact(contact: ContactState): string {
  const urn = contact.urns[0];
  return contact.name === "" && urn !== undefined ? readableUrn(withoutQuery(urn)) : contact.name;
}

/** A channel in templates. */
export function channelContext({ uuid, name, address }: ChannelAsset): Value {
  return objectValue({ uuid, name, address }, name);
}

/** `@fields`: a property for each defined field. */
export function fieldsContext({ fields }: ContactState, assets: Assets): Value {
  return new ComputedMap(
    () => assets.fields().map(({ key }) => key),
    (key) => {
      const field = assets.field(key);
      return field === undefined ? undefined : fieldValue(fields[field.key], field.type);
    },
    () =>
      assets
        .fields()
        .flatMap(({ key, name, type }) => {
          const value = fieldValue(fields[key], type);
          return value === null ? [] : [`${name}: ${shownField(value)}`];
        })
        .toSorted()
        .join("\n"),
  );
}

function shownField(value: string | Decimal | DateTimeValue): string {
  if (typeof value === "string") return value;
  return value instanceof Decimal ? value.toFixed() : value.toString();
}

function fieldValue(value: FieldValue | undefined, type: FieldType): string | Decimal | DateTimeValue | null {
  if (value === undefined) return null;
  if (type === "text") return value.text;
  if (type === "number") return value.number === undefined ? null : new Decimal(value.number);
  if (type === "datetime") return storedInstant(value.datetime);
  return value[type] ?? null;
}

const knownSchemes: ReadonlySet<string> = new Set(contactSchemes);

/** `@urns`: the first address of each scheme. */
export function urnsContext({ urns }: ContactState): Value {
  return new ComputedMap(
    () => [...new Set([...contactSchemes, ...urns.map((urn) => splitUrn(urn).scheme)])],
    (scheme) => {
      const urn = urns.find((own) => own.startsWith(`${scheme}:`));
      if (urn !== undefined) return withoutQuery(urn);
      return knownSchemes.has(scheme) ? null : undefined;
    },
  );
}
