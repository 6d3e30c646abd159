import { ArrayValue, type DateTimeValue, Decimal, objectValue, type Value } from "../../expression/index.js";
import { ownValue, readableUrn } from "../../wire/index.js";
import { contactSchemes, splitUrn, withoutQuery } from "../contact/contact-urn.js";
import { preferredDestination } from "../contact/destinations.js";
import type { SessionContact, FieldValue } from "../contact-state.js";
import type { Assets, ChannelAsset, ContextHost, FieldAssetType } from "../host.js";
import { ComputedMap, ComputedObject, type ComputedProperties } from "./computed-object.js";
import { instantValue, storedInstant } from "./instants.js";

interface ContactSource {
  readonly contact: SessionContact;
  readonly host: ContextHost;
}

/** Replaces the path of a hidden address. */
const mask = "********";

const contactProperties: ComputedProperties<ContactSource> = {
  uuid: ({ contact }) => contact.uuid,
  id: ({ contact }) => String(contact.id),
  name: ({ contact }) => contact.name,
  first_name: ({ contact }) => /[\p{L}\p{M}\p{N}_']+/u.exec(contact.name)?.[0] ?? null,
  language: ({ contact }) => contact.language,
  timezone: ({ contact }) => (contact.timezone === "" ? null : contact.timezone),
  status: ({ contact }) => contact.status,
  created_on: ({ contact }) => instantValue(contact.createdAtMs),
  last_seen_on: ({ contact }) => (contact.lastSeenAtMs === undefined ? null : instantValue(contact.lastSeenAtMs)),
  urns: ({ contact, host }) => new ArrayValue(contact.urns.map((urn) => shownUrn(urn, host))),
  urn: ({ contact, host }) => {
    const urn = preferredDestination(contact, host.assets)?.urn;
    return urn === undefined ? null : shownUrn(urn, host);
  },
  groups: ({ contact }) => new ArrayValue(contact.groups.map(({ uuid, name }) => objectValue({ uuid, name }))),
  fields: ({ contact, host }) => fieldsContext(contact, host.assets),
  channel: ({ contact, host }) => {
    const channel = preferredDestination(contact, host.assets)?.channel;
    return channel === undefined ? null : channelContext(channel);
  },
};

/** `@contact`: docs/reference/flows.md#context-roots. */
export function contactContext(contact: SessionContact, host: ContextHost): Value {
  return new ComputedObject(contactProperties, { contact, host }, () => readableContact(contact, host));
}

/** A contact as people read it: its name, else its first address, or its id where addresses are hidden. */
export function readableContact({ name, id, urns }: SessionContact, { environment }: ContextHost): string {
  if (name !== "") return name;
  if (environment.hidesUrns === true) return String(id);
  return urns[0] === undefined ? "" : readableUrn(withoutQuery(urns[0]));
}

/** An address as templates see it: with its display, without its channel; a hidden one is its scheme and a mask. */
export function shownUrn(urn: string, { environment }: ContextHost): string {
  return environment.hidesUrns === true ? `${splitUrn(urn).scheme}:${mask}` : withoutQuery(urn);
}

/** A channel in templates. */
export function channelContext({ uuid, name, address }: ChannelAsset): Value {
  return objectValue({ uuid, name, address }, name);
}

/** `@fields`: a property for each defined field. */
export function fieldsContext({ fields }: SessionContact, assets: Assets): Value {
  return new ComputedMap(
    () => assets.fields().map(({ key }) => key),
    (key) => {
      const field = assets.field(key);
      return field === undefined ? undefined : fieldValue(ownValue(fields, field.key), field.type);
    },
    () =>
      assets
        .fields()
        .flatMap(({ key, name, type }) => {
          const value = fieldValue(ownValue(fields, key), type);
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

function fieldValue(value: FieldValue | undefined, type: FieldAssetType): string | Decimal | DateTimeValue | null {
  if (value === undefined) return null;
  if (type === "text") return value.text;
  if (type === "number") return value.number === undefined ? null : new Decimal(value.number);
  if (type === "datetime") return storedInstant(value.datetime);
  return value[type] ?? null;
}

const knownSchemes: ReadonlySet<string> = new Set(contactSchemes);

/** `@urns`: the first address of each scheme. */
export function urnsContext({ urns }: SessionContact, host: ContextHost): Value {
  return new ComputedMap(
    () => [...new Set([...contactSchemes, ...urns.map((urn) => splitUrn(urn).scheme)])],
    (scheme) => {
      const urn = urns.find((own) => own.startsWith(`${scheme}:`));
      if (urn !== undefined) return shownUrn(urn, host);
      return knownSchemes.has(scheme) ? null : undefined;
    },
  );
}
