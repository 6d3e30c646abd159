import type { ContactPart } from "../flow/index.js";
import type { Contact, ContactBook, Messages } from "../gateway/index.js";
import type { Kernel, Streams } from "../sim/index.js";
import { type ContactState, distinctUrns, phoneOfUrn, telUrn, withoutDisplay } from "../wire/index.js";
import { type ContactRow, type ContactTable, phoneOf, phonesOf } from "./tables/contact-table.js";
import type { GroupRow } from "./tables/group-table.js";
import type { SmartGroups } from "./groups/smart-groups.js";
import type { AccountTables } from "./tables/account-tables.js";
import { rawFieldOf } from "./text/contact-view.js";

/** The content of a new contact. */
export interface NewContact {
  /** Absent: derived from the seed and the first address. */
  readonly uuid?: string | undefined;
  readonly name?: string | null | undefined;
  /** ISO 639-3. */
  readonly language?: string | null | undefined;
  /** Normalised, highest priority first; contacts that own these addresses now lose them. */
  readonly urns?: readonly string[] | undefined;
  /** Manual groups, which have no query. */
  readonly groups?: readonly GroupRow[] | undefined;
  /** By field key, as `storedFieldText` returns it; undefined and empty: not set. */
  readonly fields?: ReadonlyMap<string, string | undefined> | undefined;
  readonly state?: ContactState | undefined;
}

/** Changes of a contact; absent properties stay as they are. `groups` replaces only the groups without a query. */
export type ContactChanges = Omit<NewContact, "uuid" | "state"> & { readonly timezone?: string | null };

/** Ends the sessions of contacts in flows (`FlowSessions`). */
export interface ContactSessions {
  /** @param contact - row of the contact */
  interrupt(contact: number): void;
  /** Ends the session of a contact whose runs are deleted. */
  forget(contact: number): void;
}

/** Name and language of the person behind a number, as the service knows them beforehand; undefined for strangers. */
export type Directory = (
  phone: string,
) => { readonly name: string | null; readonly language: string | null } | undefined;

/**
 * Contacts. The gateway finds them by number and adds them on their first text or call (`ContactBook`); clients of the
 * API, account files and flows change them.
 *
 * The gateway's methods work on a cache by number, since they run for every text. The other methods drop the entries
 * that they make stale.
 */
export class Contacts implements ContactBook {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #tables: AccountTables;
  readonly #table: ContactTable;
  readonly #smartGroups: SmartGroups;
  readonly #messages: Pick<Messages, "withdraw">;
  readonly #directory: Directory;
  readonly #sessions: ContactSessions;
  readonly #isServed: boolean;
  readonly #byPhone = new Map<string, Contact>();
  /**
   * Whether all contacts are in the cache. Then a miss needs no query: a run meets most of its people in its
   * first seconds, and one query for each would delay it.
   */
  #isCacheComplete: boolean;

  /**
   * @param options - `isServed`: whether the REST API is offered, which shows when contacts were last seen; a run
   * without it skips these writes
   */
  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    tables: AccountTables;
    smartGroups: SmartGroups;
    messages: Pick<Messages, "withdraw">;
    directory: Directory;
    sessions: ContactSessions;
    isServed: boolean;
  }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#tables = options.tables;
    this.#table = options.tables.contacts;
    this.#smartGroups = options.smartGroups;
    this.#messages = options.messages;
    this.#directory = options.directory;
    this.#sessions = options.sessions;
    this.#isServed = options.isServed;
    this.#isCacheComplete = !options.isServed && options.tables.contacts.isEmpty();
  }

  withPhone(phone: string): Contact {
    return this.findByPhone(phone) ?? this.#cacheContact(phone, this.#addStranger(phone));
  }

  findByPhone(phone: string): Contact | undefined {
    const cached = this.#byPhone.get(phone);
    if (cached !== undefined || this.#isCacheComplete) return cached;
    const row = this.#table.byUrn(telUrn(phone));
    return row && this.#cacheContact(phone, row);
  }

  senderWithPhone(phone: string): Contact {
    const contact = this.withPhone(phone);
    const row = contact.isStopped ? this.#table.get(contact.row) : undefined;
    if (row === undefined) return contact;
    this.setState(row, "active");
    return this.withPhone(phone);
  }

  noteSeen(contact: Contact, channel: number): void {
    if (this.#isServed) this.#table.seen(contact.row, contact.urn, channel, this.#kernel.now);
  }

  phoneOf(uuid: string): string | undefined {
    const contact = this.#table.byUuid(uuid.toLowerCase());
    return contact === undefined || contact.state === "deleted" ? undefined : phoneOf(contact);
  }

  add(contact: NewContact): ContactRow {
    const { state = "active" } = contact;
    const { now } = this.#kernel;
    const row = this.#table.nextRow();
    const urns = distinctUrns(contact.urns ?? []);
    this.#dropFromCache(urns);
    const added: ContactRow = {
      row,
      uuid: contact.uuid ?? this.#newUuid(urns[0], row),
      name: contact.name ?? null,
      language: contact.language ?? null,
      timezone: null,
      state,
      urns,
      fields: withValues({}, contact.fields ?? new Map()),
      createdAtMs: now,
      modifiedAtMs: now,
      lastSeenAtMs: null,
    };
    if (state === "deleted") {
      const deleted = erased(added);
      this.#table.put(deleted);
      return deleted;
    }
    this.#table.put(added);
    for (const urn of urns) this.#assignUrn(urn, added);
    if (state === "active") {
      for (const id of idsOf(contact.groups ?? [])) this.#tables.groups.join(id, row);
      this.#smartGroups.updateForContact(added, "everything");
    }
    return added;
  }

  /** The contact with an address; adds one when no contact has it. */
  withUrn(urn: string): ContactRow {
    const owner = this.#table.ownerOf(urn);
    return (owner && this.#table.get(owner.contact)) ?? this.add({ urns: [urn] });
  }

  /** Changes a contact. Returns the same object, and writes nothing, when nothing differs. */
  change(contact: ContactRow, changes: ContactChanges): ContactRow {
    const { name = contact.name, language = contact.language, timezone = contact.timezone } = changes;
    const urns = changes.urns === undefined ? contact.urns : withKnownDisplays(distinctUrns(changes.urns), contact);
    const fields = changes.fields === undefined ? contact.fields : withValues(contact.fields, changes.fields);
    const parts = new Set<ContactPart>();
    if (name !== contact.name) parts.add("name");
    if (language !== contact.language) parts.add("language");
    if (timezone !== contact.timezone) parts.add("timezone");
    if (!isSameList(urns, contact.urns)) parts.add("urns");
    for (const key of changes.fields?.keys() ?? []) {
      if (rawFieldOf({ fields }, key) !== rawFieldOf(contact, key)) parts.add(`fields.${key}`);
    }
    const regroup = this.#regrouping(contact, changes.groups);
    if (regroup !== undefined) parts.add("groups");
    if (parts.size === 0) return contact;

    const changed: ContactRow = { ...contact, name, language, timezone, urns, fields, modifiedAtMs: this.#kernel.now };
    this.#table.put(changed);
    for (const urn of contact.urns) if (!hasAddress(changed, urn)) this.#table.release(urn);
    for (const urn of urns) if (!hasAddress(contact, urn)) this.#assignUrn(urn, changed);
    regroup?.();
    this.#smartGroups.updateForContact(changed, parts);
    if (parts.has("name") || parts.has("urns")) this.#dropFromCache([...contact.urns, ...urns]);
    return changed;
  }

  /** Adds an active contact to a group without a query. */
  join(contact: ContactRow, group: GroupRow): void {
    this.change(contact, { groups: [...this.#manualGroupsOf(contact), group] });
  }

  /** Removes a contact from a group without a query. */
  leave(contact: ContactRow, group: GroupRow): void {
    this.change(contact, { groups: this.#manualGroupsOf(contact).filter(({ id }) => id !== group.id) });
  }

  /**
   * Blocks, stops or reactivates a contact. A contact that is not active leaves all groups; when it becomes active
   * again, it joins smart groups only (docs/reference/service-api.md#contact-actions).
   *
   * @param options - `keepsSession`: a flow changes the state, and continues; default: the contact leaves its flow
   */
  setState(
    contact: ContactRow,
    state: Exclude<ContactState, "deleted">,
    { keepsSession = false }: { readonly keepsSession?: boolean } = {},
  ): ContactRow {
    if (contact.state === state) return contact;
    const changed: ContactRow = { ...contact, state, modifiedAtMs: this.#kernel.now };
    if (state !== "active") {
      if (!keepsSession) this.#sessions.interrupt(contact.row);
      this.#tables.groups.leaveAll(contact.row);
      this.#messages.withdraw(phonesOf(contact));
    }
    this.#table.put(changed);
    this.#smartGroups.updateForContact(changed, "everything");
    this.#dropFromCache(contact.urns);
    return changed;
  }

  /** Archives the visible texts that the contact has sent. */
  archiveMessages(contact: ContactRow): void {
    this.#tables.messages.archiveIncomingOf(contact.row, this.#kernel.now);
  }

  /** Deletes a contact. An erased row stays; its addresses become free (docs/reference/service-api.md#contacts). */
  remove(contact: ContactRow): void {
    const { now } = this.#kernel;
    this.#tables.groups.leaveAll(contact.row);
    this.#messages.withdraw(phonesOf(contact));
    for (const urn of contact.urns) this.#table.release(urn);
    this.#table.put({ ...erased(contact), modifiedAtMs: now });
    this.#tables.messages.eraseOf(contact.row, now);
    this.#sessions.forget(contact.row);
    this.#tables.runs.removeOf(contact.row);
    this.#dropFromCache(contact.urns);
  }

  /** Adds a contact for an unknown number. */
  #addStranger(phone: string): ContactRow {
    const entry = this.#directory(phone);
    const { now } = this.#kernel;
    const urn = telUrn(phone);
    const row = this.#table.nextRow();
    const contact: ContactRow = {
      row,
      uuid: this.#newUuid(urn, row),
      name: entry?.name ?? null,
      language: entry?.language ?? null,
      timezone: null,
      state: "active",
      urns: [urn],
      fields: {},
      createdAtMs: now,
      modifiedAtMs: now,
      lastSeenAtMs: null,
    };
    this.#table.add(contact);
    this.#smartGroups.updateForContact(contact, "everything");
    return contact;
  }

  /**
   * Derives the UUID of a new contact from the seed and its first address. Where another contact has this UUID (it had
   * the address before), the row number goes into the UUID, too.
   */
  #newUuid(urn: string | undefined, row: number): string {
    const address = urn === undefined ? "" : withoutDisplay(urn);
    const derived = address === "" ? undefined : this.#streams.uuid(`contact/${address}`);
    if (derived !== undefined && (this.#isCacheComplete || this.#table.byUuid(derived) === undefined)) return derived;
    return this.#streams.uuid(`contact/${address}/${row}`);
  }

  #cacheContact(phone: string, row: ContactRow): Contact {
    const contact = cacheEntry(phone, row);
    this.#byPhone.set(phone, contact);
    return contact;
  }

  /** Drops the entries of these addresses: the next text reads their contacts from the table. */
  #dropFromCache(urns: Iterable<string>): void {
    this.#isCacheComplete = false;
    for (const urn of urns) {
      const phone = phoneOfUrn(urn);
      if (phone !== undefined) this.#byPhone.delete(phone);
    }
  }

  /** Assigns an address to a contact and removes it from its previous owner. */
  #assignUrn(urn: string, contact: ContactRow): void {
    const owner = this.#table.ownerOf(urn);
    const other = owner === undefined || owner.contact === contact.row ? undefined : this.#table.get(owner.contact);
    this.#table.assign(urn, contact.row, owner?.channel ?? null);
    if (other === undefined) return;
    const address = withoutDisplay(urn);
    const urns = other.urns.filter((own) => withoutDisplay(own) !== address);
    const left = { ...other, urns, modifiedAtMs: this.#kernel.now };
    this.#table.put(left);
    this.#smartGroups.updateForContact(left, new Set(["urns"]));
    this.#dropFromCache(other.urns);
  }

  /** A function that moves a contact into these groups and out of other manual ones; undefined when nothing changes. */
  #regrouping(contact: ContactRow, wanted: readonly GroupRow[] | undefined): (() => void) | undefined {
    if (wanted === undefined) return undefined;
    const { groups } = this.#tables;
    const own = idsOf(this.#manualGroupsOf(contact));
    const wantedIds = idsOf(wanted);
    const joined = [...wantedIds].filter((id) => !own.has(id));
    const left = [...own].filter((id) => !wantedIds.has(id));
    if (joined.length === 0 && left.length === 0) return undefined;
    return () => {
      for (const id of left) groups.leave(id, contact.row);
      for (const id of joined) groups.join(id, contact.row);
    };
  }

  #manualGroupsOf(contact: ContactRow): GroupRow[] {
    return this.#tables.groups.groupsOf(contact.row).filter(({ query }) => query === null);
  }
}

function cacheEntry(phone: string, { row, uuid, name, state }: ContactRow): Contact {
  const isBlocked = state === "blocked";
  const isStopped = state === "stopped";
  return { row, uuid, urn: telUrn(phone), phone, name, isBlocked, isStopped, getsNothing: isBlocked || isStopped };
}

function idsOf(groups: readonly GroupRow[]): Set<number> {
  return new Set(groups.map(({ id }) => id));
}

function withValues(
  fields: Readonly<Record<string, string>>,
  changes: ReadonlyMap<string, string | undefined>,
): Readonly<Record<string, string>> {
  const values = new Map(Object.entries(fields));
  for (const [key, value] of changes) {
    if (value === undefined || value === "") values.delete(key);
    else values.set(key, value);
  }
  return Object.fromEntries(values);
}

function erased(contact: ContactRow): ContactRow {
  return { ...contact, name: null, language: null, timezone: null, state: "deleted", urns: [], fields: {} };
}

function hasAddress({ urns }: Pick<ContactRow, "urns">, urn: string): boolean {
  const address = withoutDisplay(urn);
  return urns.some((own) => withoutDisplay(own) === address);
}

/** The addresses. One without a display part keeps the display part that the contact has stored for it. */
function withKnownDisplays(urns: readonly string[], contact: ContactRow): string[] {
  const known = new Map(contact.urns.map((urn) => [withoutDisplay(urn), urn]));
  return urns.map((urn) => known.get(urn) ?? urn);
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
