import type { Kernel, Streams } from "../../sim/index.js";
import type { ContactState } from "../../wire/index.js";
import { rawFieldOf } from "../contact-view.js";
import { type ContactRow, type ContactTable, newUuid } from "../contacts.js";
import type { Messages } from "../messages.js";
import type { GroupRow } from "./group-table.js";
import type { ContactPart, SmartGroups } from "./smart-groups.js";
import type { AccountTables } from "./tables.js";

/** What is said of a contact when it is added. */
export interface NewContact {
  /** For a contact that has one already; else one that the seed and its first address determine. */
  readonly uuid?: string | undefined;
  readonly name?: string | null | undefined;
  /** ISO 639-3. */
  readonly language?: string | null | undefined;
  /** Normalised, highest priority first; taken from whoever has them. */
  readonly urns?: readonly string[] | undefined;
  /** Groups without a query. */
  readonly groups?: readonly GroupRow[] | undefined;
  /** By field key, as `storedFieldText` gives it; undefined and empty: not set. */
  readonly fields?: ReadonlyMap<string, string | undefined> | undefined;
  readonly state?: ContactState | undefined;
}

/** What is to be changed of a contact; what is absent stays. `groups` replaces the groups without a query only. */
export type ContactChanges = Omit<NewContact, "uuid" | "state">;

/**
 * What is done to contacts by those who are not the contacts themselves: clients of the API, account files, flows.
 * Blocked and stopped contacts are in no group, which whoever calls has checked.
 */
export class AccountContacts {
  readonly #kernel: Kernel;
  readonly #streams: Streams;
  readonly #tables: AccountTables;
  readonly #table: ContactTable;
  readonly #smartGroups: SmartGroups;
  readonly #messages: Pick<Messages, "withdraw">;
  readonly #forget: (urns: Iterable<string>) => void;

  /** @param options - `forget`: what is known elsewhere of the contacts with these addresses holds no longer */
  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    tables: AccountTables;
    smartGroups: SmartGroups;
    messages: Pick<Messages, "withdraw">;
    forget: (urns: Iterable<string>) => void;
  }) {
    this.#kernel = options.kernel;
    this.#streams = options.streams;
    this.#tables = options.tables;
    this.#table = options.tables.contacts;
    this.#smartGroups = options.smartGroups;
    this.#messages = options.messages;
    this.#forget = options.forget;
  }

  add(contact: NewContact): ContactRow {
    const { state = "active" } = contact;
    const { now } = this.#kernel;
    const row = this.#table.nextRow();
    const urns = distinct(contact.urns ?? []);
    const isTaken = (uuid: string): boolean => this.#table.byUuid(uuid) !== undefined;
    this.#forget(urns);
    const added: ContactRow = {
      row,
      uuid: contact.uuid ?? newUuid(urns[0], row, { streams: this.#streams, isTaken }),
      name: contact.name ?? null,
      language: contact.language ?? null,
      state,
      urns,
      fields: withValues({}, contact.fields ?? new Map()),
      createdAtMs: now,
      modifiedAtMs: now,
      lastSeenAtMs: null,
    };
    if (state === "deleted") {
      const gone = erased(added);
      this.#table.put(gone);
      return gone;
    }
    this.#table.put(added);
    for (const urn of urns) this.#take(urn, added);
    if (state === "active") {
      for (const id of idsOf(contact.groups ?? [])) this.#tables.groups.join(id, row);
      this.#smartGroups.review(added, "everything");
    }
    return added;
  }

  /** The contact with an address; a new one where nobody has it. */
  withUrn(urn: string): ContactRow {
    const owner = this.#table.ownerOf(urn);
    return (owner && this.#table.get(owner.contact)) ?? this.add({ urns: [urn] });
  }

  /** A change that changes nothing does not count as one. */
  change(contact: ContactRow, changes: ContactChanges): ContactRow {
    const { name = contact.name, language = contact.language } = changes;
    const urns = changes.urns === undefined ? contact.urns : distinct(changes.urns);
    const fields = changes.fields === undefined ? contact.fields : withValues(contact.fields, changes.fields);
    const parts = new Set<ContactPart>();
    if (name !== contact.name) parts.add("name");
    if (language !== contact.language) parts.add("language");
    if (!isSameList(urns, contact.urns)) parts.add("urns");
    for (const key of changes.fields?.keys() ?? []) {
      if (rawFieldOf({ fields }, key) !== rawFieldOf(contact, key)) parts.add(`fields.${key}`);
    }
    const regroup = this.#regrouping(contact, changes.groups);
    if (regroup !== undefined) parts.add("groups");
    if (parts.size === 0) return contact;

    const changed: ContactRow = { ...contact, name, language, urns, fields, modifiedAtMs: this.#kernel.now };
    this.#table.put(changed);
    for (const urn of contact.urns) if (!urns.includes(urn)) this.#table.release(urn);
    for (const urn of urns) if (!contact.urns.includes(urn)) this.#take(urn, changed);
    regroup?.();
    this.#smartGroups.review(changed, parts);
    if (parts.has("name") || parts.has("urns")) this.#forget([...contact.urns, ...urns]);
    return changed;
  }

  /** Puts a contact into a group without a query. */
  join(contact: ContactRow, group: GroupRow): void {
    this.change(contact, { groups: [...this.#manualGroupsOf(contact), group] });
  }

  /** Takes a contact out of a group without a query. */
  leave(contact: ContactRow, group: GroupRow): void {
    this.change(contact, { groups: this.#manualGroupsOf(contact).filter(({ id }) => id !== group.id) });
  }

  /**
   * Blocks, stops, or makes active again. Who is not active leaves all groups; the way back does not lead into those
   * without a query (service-api.md 2.8).
   */
  setState(contact: ContactRow, state: Exclude<ContactState, "deleted">): ContactRow {
    if (contact.state === state) return contact;
    const changed: ContactRow = { ...contact, state, modifiedAtMs: this.#kernel.now };
    if (state !== "active") {
      this.#tables.groups.leaveAll(contact.row);
      this.#messages.withdraw(phonesOf(contact));
    }
    this.#table.put(changed);
    this.#smartGroups.review(changed, "everything");
    this.#forget(contact.urns);
    return changed;
  }

  /** Ends what the contact does in flows now. */
  interrupt(contact: ContactRow): void {
    this.#tables.runs.interruptActiveOf(contact.row, this.#kernel.now);
  }

  /** Archives the visible texts that the contact has sent. */
  archiveMessages(contact: ContactRow): void {
    this.#tables.messages.archiveIncomingOf(contact.row, this.#kernel.now);
  }

  /** Deletes a contact: it stays only as one that there was. Its addresses are free (service-api.md 2.7, op 13). */
  remove(contact: ContactRow): void {
    const { now } = this.#kernel;
    this.#tables.groups.leaveAll(contact.row);
    this.#messages.withdraw(phonesOf(contact));
    for (const urn of contact.urns) this.#table.release(urn);
    this.#table.put({ ...erased(contact), modifiedAtMs: now });
    this.#tables.messages.eraseOf(contact.row, now);
    this.#tables.runs.removeOf(contact.row);
    this.#forget(contact.urns);
  }

  /** A contact has come into being by its first text or call. */
  met(contact: ContactRow): void {
    this.#smartGroups.review(contact, "everything");
  }

  /** Gives an address to a contact; who had it before has one less. */
  #take(urn: string, contact: ContactRow): void {
    const owner = this.#table.ownerOf(urn);
    const other = owner === undefined || owner.contact === contact.row ? undefined : this.#table.get(owner.contact);
    this.#table.assign(urn, contact.row, owner?.channel ?? null);
    if (other === undefined) return;
    const left = { ...other, urns: other.urns.filter((own) => own !== urn), modifiedAtMs: this.#kernel.now };
    this.#table.put(left);
    this.#smartGroups.review(left, new Set(["urns"]));
    this.#forget(other.urns);
  }

  /** What is to be done so that a contact is in these groups and no others without a query; undefined: nothing. */
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
  return { ...contact, name: null, language: null, state: "deleted", urns: [], fields: {} };
}

function distinct(urns: readonly string[]): string[] {
  return [...new Set(urns)];
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function phonesOf({ urns }: ContactRow): ReadonlySet<string> {
  return new Set(urns.flatMap((urn) => (urn.startsWith("tel:") ? urn.slice(4) : [])));
}
