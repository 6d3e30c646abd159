import type { SimTime } from "../../sim/index.js";
import { type ContactState, phoneOfUrn } from "../../wire/index.js";

/** A person as the service knows them, as it is stored. */
export interface ContactRow {
  /** Counts from 1. */
  readonly row: number;
  readonly uuid: string;
  readonly name: string | null;
  /** ISO 639-3. */
  readonly language: string | null;
  /** IANA name; null for the organisation's zone. Only flows set it. */
  readonly timezone: string | null;
  readonly state: ContactState;
  /** Normalised, each address once, highest priority first; with their display parts. */
  readonly urns: readonly string[];
  /** Raw text by field key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
  /** When the contact last wrote or called; null when never. */
  readonly lastSeenAtMs: SimTime | null;
}

/** Storage of contacts. Look-ups ignore the display parts of addresses. The store implements it. */
export interface ContactTable {
  /** Whether no contact was ever stored, deleted ones included. */
  isEmpty(): boolean;
  get(row: number): ContactRow | undefined;
  /** The state of a contact: faster than {@link get}. */
  stateOf(row: number): ContactState | undefined;
  /** The highest row number of any contact; 0 when there is none. */
  readonly lastRow: number;
  /** Finds deleted contacts, too. */
  byUuid(uuid: string): ContactRow | undefined;
  /** The contact with this address. */
  byUrn(urn: string): ContactRow | undefined;
  /** The row of the contact with this address, and the channel of its last text or call. */
  ownerOf(urn: string): { readonly contact: number; readonly channel: number | null } | undefined;
  /** The next batch of active contacts with a higher row, lowest row first; empty at the end. */
  activeAfter(row: number): ContactRow[];
  /** The row number that the next contact gets. */
  nextRow(): number;
  /** Inserts a contact with a new row number, and its addresses, which no other contact has. */
  add(row: ContactRow): void;
  /**
   * Inserts a contact, or replaces the one with its row number. Does not change addresses: see `assign` and `release`.
   */
  put(row: ContactRow): void;
  /** Sets the modification time of a contact. */
  touch(contact: number, atMs: SimTime): void;
  /** Assigns an address to a contact, and removes it from its previous owner. */
  assign(urn: string, contact: number, channel: number | null): void;
  /** Removes an address from its owner. */
  release(urn: string): void;
  /** Records that the contact wrote or called, through a channel. */
  seen(contact: number, urn: string, channel: number, atMs: SimTime): void;
}

/**
 * The number that a handset can write to: the contact's `tel` address of highest priority; undefined when it has none.
 */
export function phoneOf(contact: Pick<ContactRow, "urns">): string | undefined {
  const urn = contact.urns.find((own) => own.startsWith("tel:"));
  return urn === undefined ? undefined : phoneOfUrn(urn);
}

/** All numbers of a contact. */
export function phonesOf({ urns }: Pick<ContactRow, "urns">): ReadonlySet<string> {
  return new Set(urns.flatMap((urn) => phoneOfUrn(urn) ?? []));
}
