import {
  ArrayValue,
  type DateTimeValue,
  Decimal,
  lazyObject,
  objectValue,
  type Value,
} from "../../expression/index.js";
import { readableUrn } from "../../wire/index.js";
import { contactSchemes, splitUrn, withoutQuery } from "../contact/contact-urn.js";
import { preferredDestination } from "../contact/destinations.js";
import type { ContactState, FieldValue } from "../contact-state.js";
import type { Assets, ChannelAsset, FieldType } from "../host.js";
import { instantValue, storedInstant } from "./instants.js";

/** `@contact`: docs/reference/flows.md#context-roots. */
export function contactContext(contact: ContactState, assets: Assets): Value {
  return lazyObject(
    () => ({
      uuid: contact.uuid,
      id: String(contact.id),
      name: contact.name,
      get first_name() {
        return /[\p{L}\p{M}\p{N}_']+/u.exec(contact.name)?.[0] ?? null;
      },
      language: contact.language,
      timezone: contact.timezone === "" ? null : contact.timezone,
      status: contact.status,
      get created_on() {
        return instantValue(contact.createdAtMs);
      },
      get last_seen_on() {
        return contact.lastSeenAtMs === undefined ? null : instantValue(contact.lastSeenAtMs);
      },
      get urns() {
        return new ArrayValue(contact.urns.map(withoutQuery));
      },
      get urn() {
        const urn = preferredDestination(contact, assets)?.urn;
        return urn === undefined ? null : withoutQuery(urn);
      },
      get groups() {
        return new ArrayValue(contact.groups.map(({ uuid, name }) => objectValue({ uuid, name })));
      },
      get fields() {
        return fieldsContext(contact, assets);
      },
      get channel() {
        const channel = preferredDestination(contact, assets)?.channel;
        return channel === undefined ? null : channelContext(channel);
      },
      get tickets() {
        return new ArrayValue([]);
      },
    }),
    () => readableContact(contact),
  );
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
  return lazyObject(
    () => {
      const values: Record<string, Value> = {};
      for (const { key, type } of assets.fields()) {
        Object.defineProperty(values, key, { enumerable: true, get: () => fieldValue(fields[key], type) });
      }
      return values;
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

/** `@urns`: the first address of each scheme. */
export function urnsContext({ urns }: ContactState): Value {
  return lazyObject(() => {
    const byScheme: Record<string, Value> = {};
    for (const scheme of contactSchemes) byScheme[scheme] = null;
    for (const urn of urns) {
      const { scheme } = splitUrn(urn);
      if ((byScheme[scheme] ?? null) === null) byScheme[scheme] = withoutQuery(urn);
    }
    return byScheme;
  });
}
