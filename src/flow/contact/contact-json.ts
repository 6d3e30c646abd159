import { formatTimestampZoned, readIsoTime, setOwnValue } from "../../wire/index.js";
import type { SessionContact, ContactStatus, FieldValue } from "../contact-state.js";
import type { NamedReference } from "../named-reference.js";
import { isRecord } from "../read/json-object.js";

/**
 * Reads a contact in the public format: `uuid, id, name, language, timezone, status, created_on, last_seen_on, urns,
 * groups, fields`. What is missing is empty.
 */
export function readContact(json: unknown): SessionContact {
  const contact = isRecord(json) ? json : {};
  const text = (name: string): string => {
    const value = contact[name];
    return typeof value === "string" ? value : "";
  };
  const lastSeenAtMs = readInstant(contact["last_seen_on"]);
  return {
    uuid: text("uuid"),
    id: typeof contact["id"] === "number" ? contact["id"] : 0,
    name: text("name"),
    language: text("language"),
    timezone: text("timezone"),
    status: statusOf(contact["status"]),
    createdAtMs: readInstant(contact["created_on"]) ?? 0,
    lastSeenAtMs,
    urns: listOf(contact["urns"]).flatMap((urn) => (typeof urn === "string" ? [urn] : [])),
    groups: listOf(contact["groups"]).flatMap(referenceIn),
    fields: fieldsOf(contact["fields"]),
  };
}

/** A contact in the public format, as {@link readContact} reads it. */
export function writeContact(contact: SessionContact): Readonly<Record<string, unknown>> {
  return {
    uuid: contact.uuid,
    id: contact.id,
    ...(contact.name !== "" && { name: contact.name }),
    ...(contact.language !== "" && { language: contact.language }),
    status: contact.status,
    ...(contact.timezone !== "" && { timezone: contact.timezone }),
    created_on: formatTimestampZoned(contact.createdAtMs),
    last_seen_on: contact.lastSeenAtMs === undefined ? undefined : formatTimestampZoned(contact.lastSeenAtMs),
    urns: contact.urns,
    groups: contact.groups,
    fields: Object.fromEntries(Object.entries(contact.fields).map(([key, value]) => [key, fieldJson(value)])),
  };
}

/** A field's value in the public format; its number is a JSON number. */
export function fieldJson(value: FieldValue): Readonly<Record<string, unknown>> {
  const { number, ...others } = value;
  return { ...others, number: number === undefined ? undefined : Number(number) };
}

/** Milliseconds since 1970, with a fraction for microseconds; undefined: not an instant of ISO 8601. */
export function readInstant(json: unknown): number | undefined {
  const time = typeof json === "string" ? readIsoTime(json) : undefined;
  return time === undefined ? undefined : time.localMs + time.fractionMs - (time.offsetMs ?? 0);
}

function statusOf(json: unknown): ContactStatus {
  return json === "blocked" || json === "stopped" || json === "archived" ? json : "active";
}

function listOf(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [];
}

function referenceIn(json: unknown): NamedReference[] {
  if (!isRecord(json) || typeof json["uuid"] !== "string") return [];
  return [{ uuid: json["uuid"], name: typeof json["name"] === "string" ? json["name"] : "" }];
}

function fieldsOf(json: unknown): Readonly<Record<string, FieldValue>> {
  if (!isRecord(json)) return {};
  const fields: Record<string, FieldValue> = {};
  for (const [key, value] of Object.entries(json)) {
    if (!isRecord(value) || typeof value["text"] !== "string") continue;
    const { number } = value;
    const field: { -readonly [K in keyof FieldValue]: FieldValue[K] } = { text: value["text"] };
    if (typeof number === "number" || typeof number === "string") field.number = String(number);
    for (const name of ["datetime", "state", "district", "ward"] as const) {
      const part = value[name];
      if (typeof part === "string") field[name] = part;
    }
    setOwnValue(fields, key, field);
  }
  return fields;
}
