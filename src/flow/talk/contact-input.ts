import { parseFieldValue } from "../contact/field-value.js";
import type { SessionContact } from "../contact-state.js";
import { RunEnvironment } from "../engine/run-environment.js";
import type { NamedReference } from "../named-reference.js";
import { isRecord } from "../read/json-object.js";
import { exportEnvironment, type TalkAccount, talkContact } from "./talk.js";

const keys = ["name", "language", "groups", "fields", "urns"];

/** A part of a contact that is given wrongly: the key, what it must be, and the names that there are. */
export class ContactInputError extends Error {
  readonly valid: readonly string[];
  readonly word: string;

  constructor(text: string, word = "", valid: readonly string[] = []) {
    super(text);
    this.name = "ContactInputError";
    this.word = word;
    this.valid = valid;
  }
}

/**
 * Reads the contact of a conversation: `name`, `language`, `groups` (names or UUIDs), `fields` by key, `urns`. What is
 * missing is that of {@link talkContact}.
 *
 * @throws ContactInputError
 */
export function readTalkContact(json: unknown, { assets }: TalkAccount, createdAtMs: number): SessionContact {
  if (!isRecord(json)) throw new ContactInputError("a contact is a map of name, language, groups, fields and urns");
  for (const key of Object.keys(json)) {
    if (!keys.includes(key)) throw new ContactInputError(`a contact has no '${key}'`, key, keys);
  }
  const base = talkContact(createdAtMs);
  const text = (key: string, otherwise: string): string => {
    const value = json[key] ?? otherwise;
    if (typeof value !== "string") throw new ContactInputError(`'${key}' must be a text`);
    return value;
  };
  const contact: SessionContact = {
    ...base,
    name: text("name", base.name),
    language: text("language", ""),
    urns: listIn(json, "urns")?.map((urn) => addressOf(urn)) ?? base.urns,
    groups: (listIn(json, "groups") ?? []).map((group) => groupOf(group, assets)),
  };
  const fields = json["fields"] ?? {};
  if (!isRecord(fields)) throw new ContactInputError("'fields' must be a map of keys and values");
  const host = { environment: exportEnvironment, assets, now: () => createdAtMs, random: () => 0, uuid: () => "" };
  const environment = new RunEnvironment(host, contact);
  const values = Object.entries(fields).map(([key, value]) => {
    const field = assets.field(key.toLowerCase());
    const known = assets.fields().map((one) => one.key);
    if (field === undefined) throw new ContactInputError(`the export has no field '${key}'`, key, known);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") {
      throw new ContactInputError(`the field '${key}' must be a text or a number`);
    }
    return [field.key, parseFieldValue(String(value), field, { environment, assets, contact })] as const;
  });
  return { ...contact, fields: Object.fromEntries(values) };
}

function listIn(json: Readonly<Record<string, unknown>>, key: string): readonly unknown[] | undefined {
  const value = json[key] ?? undefined;
  if (value !== undefined && !Array.isArray(value)) throw new ContactInputError(`'${key}' must be a list`);
  return value;
}

function addressOf(urn: unknown): string {
  if (typeof urn === "string" && /^[a-z]+:.+/.test(urn)) return urn;
  throw new ContactInputError(`an address is written tel:+250788123123, got ${JSON.stringify(urn)}`);
}

function groupOf(group: unknown, assets: TalkAccount["assets"]): NamedReference {
  const name = isRecord(group) ? (group["uuid"] ?? group["name"]) : group;
  const found = typeof name === "string" ? (assets.group(name) ?? assets.groupByName(name)) : undefined;
  if (found !== undefined) return { uuid: found.uuid, name: found.name };
  throw new ContactInputError(`the export has no group ${JSON.stringify(name)}`, String(name), assets.groupNames());
}
