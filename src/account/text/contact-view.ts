import { type FieldType, ownValue } from "../../wire/index.js";
import type { ContactRow } from "../tables/contact-table.js";
import type { FieldSettings } from "./field-values.js";

/** A contact in the form that queries and templates read. */
export interface ContactView {
  readonly uuid: string;
  readonly name: string | null;
  /** ISO 639-3. */
  readonly language: string | null;
  /** In stored form, highest priority first. */
  readonly urns: readonly string[];
  readonly groups: readonly { readonly uuid: string; readonly name: string }[];
  /** Milliseconds since 1970: calendar time, not time since the start of a run. */
  readonly createdEpochMs: number;
  /** Raw text by field key. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The account's settings on which queries and templates depend. */
export interface ContactContext extends FieldSettings {
  /** Types of the contact fields by key. */
  readonly fields: ReadonlyMap<string, FieldType>;
  /** Whether addresses are hidden (docs/reference/service-api.md#anonymous-and-suspended-organisations). */
  readonly isAnonymous: boolean;
}

/**
 * Makes the view of a stored contact.
 *
 * @param account - `startsAtMs`: the instant 0 of virtual time, in milliseconds since 1970
 */
export function contactView(
  { row, uuid, name, language, urns, fields, createdAtMs }: ContactRow,
  account: {
    readonly groups: { groupsOf(contact: number): ContactView["groups"] };
    readonly startsAtMs: number;
  },
): ContactView {
  return {
    uuid,
    name,
    language,
    urns,
    fields,
    createdEpochMs: account.startsAtMs + createdAtMs,
    // Read on demand: few queries and templates ask for groups.
    get groups() {
      return account.groups.groupsOf(row);
    },
  };
}

/** The raw text of a field; undefined when it is not set. */
export function rawFieldOf(contact: Pick<ContactView, "fields">, key: string): string | undefined {
  return ownValue(contact.fields, key);
}
