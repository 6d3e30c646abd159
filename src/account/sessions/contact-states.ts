import {
  type SessionContact as FlowContact,
  type ContactStatus,
  type FieldValue,
  withChannel,
  withoutQuery,
} from "../../flow/index.js";
import { formatTimestampMicros, phoneOfUrn, zoneOffsetMs } from "../../wire/index.js";
import type { Channels } from "../../gateway/index.js";
import type { AccountFieldContext } from "../field-context.js";
import { type ContactRow, phoneOf } from "../tables/contact-table.js";
import type { AccountTables } from "../tables/account-tables.js";
import { parseDateText } from "../text/date-text.js";
import { normaliseDecimal } from "../text/decimal.js";
import type { ContactView } from "../text/contact-view.js";

/** Sources of the contacts of sessions. */
interface ContactStatesOptions {
  readonly tables: Pick<AccountTables, "groups" | "contacts">;
  readonly channels: Pick<Channels, "get" | "has">;
  readonly context: AccountFieldContext;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
}

/** Builds the contact with which a session runs, in plain JSON, and the view of it that queries match. */
export class ContactStates {
  readonly #options: ContactStatesOptions;

  constructor(options: ContactStatesOptions) {
    this.#options = options;
  }

  /**
   * @param channel - id of the channel that reaches the contact; its preferred address then names it, so that the
   * runner need not compare the numbers of all channels
   */
  stateOf(contact: ContactRow, channel: number | undefined): FlowContact {
    const { tables, startsAtMs } = this.#options;
    return {
      uuid: contact.uuid,
      id: contact.row,
      name: contact.name ?? "",
      language: contact.language ?? "",
      timezone: contact.timezone ?? "",
      status: statusOf(contact),
      createdAtMs: startsAtMs + contact.createdAtMs,
      ...(contact.lastSeenAtMs !== null && { lastSeenAtMs: startsAtMs + contact.lastSeenAtMs }),
      urns: this.#urnsOf(contact, channel),
      groups: tables.groups.groupsOf(contact.row).map(({ uuid, name }) => ({ uuid, name })),
      fields: this.#fieldsOf(contact),
    };
  }

  /** The view of a session's contact for the queries of smart groups. */
  viewOf({ uuid, name, language, urns, groups, createdAtMs, fields }: FlowContact): ContactView {
    return {
      uuid,
      name: name === "" ? null : name,
      language: language === "" ? null : language,
      urns: urns.map(withoutQuery),
      groups,
      createdEpochMs: createdAtMs,
      fields: Object.fromEntries(Object.entries(fields).map(([key, { text }]) => [key, text])),
    };
  }

  /** The addresses; each tel address with the channel of its last text or call. */
  #urnsOf(contact: ContactRow, channel: number | undefined): string[] {
    const { tables, channels } = this.#options;
    const preferred = phoneOf(contact);
    return contact.urns.map((urn) => {
      const phone = phoneOfUrn(urn);
      if (phone === undefined) return urn;
      const isPreferred = phone === preferred;
      const id = isPreferred && channel !== undefined ? channel : tables.contacts.ownerOf(urn)?.channel;
      if (id === undefined || id === null || !channels.has(id)) return urn;
      const { isActive, uuid } = channels.get(id);
      return isActive ? withChannel(urn, uuid) : urn;
    });
  }

  #fieldsOf({ fields }: ContactRow): Record<string, FieldValue> {
    const values: Record<string, FieldValue> = {};
    for (const [key, text] of Object.entries(fields)) values[key] = this.valueOf(key, text);
    return values;
  }

  /** The value of a stored text, in the form that its field's type needs. */
  valueOf(key: string, text: string): FieldValue {
    const { context } = this.#options;
    const type = context.fields.get(key);
    switch (type) {
      case "numeric": {
        const number = normaliseDecimal(text);
        return number === undefined ? { text } : { text, number };
      }
      case "datetime": {
        const epochMs = parseDateText(text, context);
        return epochMs === undefined ? { text } : { text, datetime: zonedTimestamp(epochMs, context.timezone) };
      }
      case "state":
      case "district":
      case "ward": {
        const path = context.boundaryPath(type, text);
        return path === undefined ? { text } : { text, [type]: path };
      }
      default:
        return { text };
    }
  }
}

/** ISO 8601 with the offset of a zone: the service keeps dates of contacts in the organisation's zone. */
function zonedTimestamp(epochMs: number, timezone: string): string {
  const offsetMs = zoneOffsetMs(timezone, epochMs);
  const local = formatTimestampMicros(epochMs + offsetMs);
  if (offsetMs === 0) return `${local}Z`;
  const minutes = Math.round(Math.abs(offsetMs) / 60_000);
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `${local}${offsetMs < 0 ? "-" : "+"}${hour}:${minute}`;
}

function statusOf({ state }: ContactRow): ContactStatus {
  return state === "deleted" ? "archived" : state;
}
