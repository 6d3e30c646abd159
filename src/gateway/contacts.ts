import type { Kernel, SimTime, Streams } from "../sim/index.js";
import { type ContactState, telUrn } from "../wire/index.js";
import type { Directory } from "./ports.js";

/** A person as the service knows them, as it is stored. */
export interface ContactRow {
  /** Counts from 1. */
  readonly row: number;
  readonly uuid: string;
  readonly name: string | null;
  /** ISO 639-3. */
  readonly language: string | null;
  readonly state: ContactState;
  /** Normalised, highest priority first. */
  readonly urns: readonly string[];
  /** Raw text by field key. */
  readonly fields: Readonly<Record<string, string>>;
  readonly createdAtMs: SimTime;
  readonly modifiedAtMs: SimTime;
  /** When they last wrote or called; null: never. */
  readonly lastSeenAtMs: SimTime | null;
}

/** Where contacts are kept. The store implements it. */
export interface ContactTable {
  /** Whether there are none, deleted ones neither. */
  isEmpty(): boolean;
  get(row: number): ContactRow | undefined;
  /** Deleted ones too. */
  byUuid(uuid: string): ContactRow | undefined;
  /** Who has this address. */
  byUrn(urn: string): ContactRow | undefined;
  /** Who has this address, and the channel through which they were last in touch. */
  ownerOf(urn: string): { readonly contact: number; readonly channel: number | null } | undefined;
  /** The next few active contacts with a higher row, the lowest first; none: there are no more. */
  activeAfter(row: number): ContactRow[];
  /** The row that the next contact gets. */
  nextRow(): number;
  /** Inserts a contact whose row is new and whose addresses nobody has: gives them to it. */
  add(row: ContactRow): void;
  /** Inserts a contact, or replaces what was stored under its row. Addresses are given and taken apart. */
  put(row: ContactRow): void;
  /** Something around a contact has changed. */
  touch(contact: number, atMs: SimTime): void;
  /** Gives an address to a contact, whoever had it before. */
  assign(urn: string, contact: number, channel: number | null): void;
  /** The address is nobody's. */
  release(urn: string): void;
  /** They have written or called, through a channel. */
  seen(contact: number, urn: string, channel: number, atMs: SimTime): void;
}

/** What the hot path needs to know of a contact: kept in memory from its first text on. */
export interface Contact {
  readonly row: number;
  readonly uuid: string;
  /** The address under which it was met: `tel:` and the number, short code or name. */
  readonly urn: string;
  readonly phone: string;
  readonly name: string | null;
  /** Its texts are stored and archived at once. */
  readonly isBlocked: boolean;
  /** It has opted out. */
  readonly isStopped: boolean;
  /** It is blocked, or has opted out. */
  readonly getsNothing: boolean;
}

/**
 * The address book as texts and calls meet it: a contact comes into being when its number is first met. What the API
 * does to contacts goes through `account/`, which says so here (`forget`).
 */
export class Contacts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #table: ContactTable;
  readonly #directory: Directory;
  readonly #isServed: boolean;
  readonly #byPhone = new Map<string, Contact>();
  /**
   * Whether all that there are came into being here. Then the table need not be asked who has a number: a run meets most of
   * its people in its first seconds, and would be held up by ten thousand questions.
   */
  #isAlone: boolean;
  readonly #created: (contact: ContactRow) => void;
  readonly #returned: (contact: ContactRow) => void;

  /**
   * @param options - `isServed`: somebody may ask when contacts were last seen; a run that nobody asks saves the writes.
   *   `created`: told of each contact that comes into being here; `returned`: makes somebody active again
   */
  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    table: ContactTable;
    directory: Directory;
    isServed: boolean;
    created: (contact: ContactRow) => void;
    returned: (contact: ContactRow) => void;
  }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#table = options.table;
    this.#directory = options.directory;
    this.#isServed = options.isServed;
    this.#isAlone = !options.isServed && options.table.isEmpty();
    this.#created = options.created;
    this.#returned = options.returned;
  }

  /** The contact with this number; a new one where nobody has it. Its UUID follows from the seed and the number. */
  of(phone: string): Contact {
    return this.known(phone) ?? this.#remember(phone, this.#create(phone, telUrn(phone)));
  }

  /** The contact with this number; undefined where nobody has it. */
  known(phone: string): Contact | undefined {
    const known = this.#byPhone.get(phone);
    if (known !== undefined || this.#isAlone) return known;
    const row = this.#table.byUrn(telUrn(phone));
    return row && this.#remember(phone, row);
  }

  /** Who writes from this number. Somebody who had opted out is back with it (flows.md 13, "Incoming message"). */
  writer(phone: string): Contact {
    const contact = this.of(phone);
    const row = contact.isStopped ? this.#table.get(contact.row) : undefined;
    if (row === undefined) return contact;
    this.#returned(row);
    return this.of(phone);
  }

  #remember(phone: string, row: ContactRow): Contact {
    const contact = hotRecord(phone, row);
    this.#byPhone.set(phone, contact);
    return contact;
  }

  #create(phone: string, urn: string): ContactRow {
    const entry = this.#directory(phone);
    const { now } = this.#kernel;
    const row = this.#table.nextRow();
    const contact: ContactRow = {
      row,
      uuid: newUuid(urn, row, { streams: this.#streams, isTaken: (uuid) => this.#isTaken(uuid) }),
      name: entry?.name ?? null,
      language: entry?.language ?? null,
      state: "active",
      urns: [urn],
      fields: {},
      createdAtMs: now,
      modifiedAtMs: now,
      lastSeenAtMs: null,
    };
    this.#table.add(contact);
    this.#created(contact);
    return contact;
  }

  #isTaken(uuid: string): boolean {
    return !this.#isAlone && this.#table.byUuid(uuid) !== undefined;
  }

  /** A text or call of this contact has come in through a channel. */
  seen(contact: Contact, channel: number): void {
    if (this.#isServed) this.#table.seen(contact.row, contact.urn, channel, this.#kernel.now);
  }

  /** The address, name or state behind these URNs has changed, or is new: the next text asks the table anew. */
  forget(urns: Iterable<string>): void {
    this.#isAlone = false;
    for (const urn of urns) if (urn.startsWith("tel:")) this.#byPhone.delete(urn.slice(4));
  }

  /** The contact with this UUID in any case, unless it was deleted. */
  byUuid(uuid: string): ContactRow | undefined {
    const contact = this.#table.byUuid(uuid.toLowerCase());
    return contact?.state === "deleted" ? undefined : contact;
  }
}

/**
 * The UUID of a new contact: the seed and its first address determine it. Where the one of this address has been given
 * out (its contact was deleted, or has another address now), its row does, too.
 */
export function newUuid(
  urn: string | undefined,
  row: number,
  { streams, isTaken }: { readonly streams: Streams; readonly isTaken: (uuid: string) => boolean },
): string {
  const derived = urn === undefined ? undefined : streams.uuid(`contact/${urn}`);
  if (derived !== undefined && !isTaken(derived)) return derived;
  return streams.uuid(`contact/${urn ?? ""}/${row}`);
}

function hotRecord(phone: string, { row, uuid, name, state }: ContactRow): Contact {
  const isBlocked = state === "blocked";
  const isStopped = state === "stopped";
  return { row, uuid, urn: telUrn(phone), phone, name, isBlocked, isStopped, getsNothing: isBlocked || isStopped };
}

/** The number that a handset can write to: that of the contact's best `tel` address; undefined when it has none. */
export function phoneOf(contact: Pick<ContactRow, "urns">): string | undefined {
  return contact.urns.find((urn) => urn.startsWith("tel:"))?.slice(4);
}

/** What the historic spelling, and no other, says of the contact in each event (webhook.md 2). */
export function contactFields(contact: Contact | undefined): { contact?: string; contactName?: string; urn?: string } {
  if (contact === undefined) return {};
  const fields = { contact: contact.uuid, urn: contact.urn };
  return contact.name === null ? fields : { ...fields, contactName: contact.name };
}
