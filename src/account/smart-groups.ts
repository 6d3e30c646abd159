import type { Kernel } from "../sim/index.js";
import { matchesQuery } from "./query/match.js";
import { parseContactQuery } from "./query/parse.js";
import { type ContactQuery, contactQueryUses, type QueryUses } from "./query/query.js";
import type { ContactContext } from "./text/contact-view.js";
import type { ContactRow, ContactTable } from "./tables/contact-table.js";
import type { GroupRow, GroupTable } from "./tables/group-table.js";
import { contactView } from "./text/contact-view.js";

/** A part of a contact that can change, and that queries can ask about. */
export type ContactPart = "name" | "language" | "urns" | "groups" | `fields.${string}`;

/** A smart group, its query read. */
interface SmartGroup {
  readonly group: GroupRow;
  /** Undefined: it asks for something that there is not, so nobody is what it asks for. */
  readonly query: ContactQuery | undefined;
  readonly uses: QueryUses | undefined;
}

/**
 * How often a contact is looked at again because what it was put into is itself asked for by another group. Groups that
 * ask for each other in a circle stay as they are after that.
 */
const ROUNDS_MAX = 5;

/**
 * Keeps the members of smart groups: contacts that are what the group's query asks for. Only active contacts are in
 * groups. When something changes, only those queries are asked that look at it.
 */
export class SmartGroups {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #contacts: ContactTable;
  readonly #table: GroupTable;
  readonly #context: ContactContext;
  /** In the order of their ids; undefined: to be read anew. */
  #cached: readonly SmartGroup[] | undefined;
  /** With what they were read: dates in queries depend on it. */
  #cachedFor = "";

  constructor(options: {
    kernel: Kernel;
    startsAtMs: number;
    tables: { readonly contacts: ContactTable; readonly groups: GroupTable };
    context: ContactContext;
  }) {
    this.#kernel = options.kernel;
    this.#startsAtMs = options.startsAtMs;
    this.#contacts = options.tables.contacts;
    this.#table = options.tables.groups;
    this.#context = options.context;
  }

  /** A contact is new or has changed, and says so in its `modifiedAtMs` already. */
  updateForContact(contact: ContactRow, changed: ReadonlySet<ContactPart> | "everything"): void {
    if (contact.state !== "active") return;
    this.#updateMemberships(
      contact,
      changed === "everything"
        ? this.#parsedGroups()
        : this.#parsedGroups().filter(({ uses }) => uses && usesAny(changed, uses)),
    );
  }

  /** A smart group is new: finds its members. */
  addMembers(group: GroupRow): void {
    this.#cached = undefined;
    this.#updateAllContacts(({ group: { id } }) => id === group.id);
    this.updateForGroups();
  }

  /** Groups have come, gone, or have other names: queries can ask for groups by name. */
  updateForGroups(): void {
    this.#cached = undefined;
    this.#updateAllContacts(dependsOnGroups);
  }

  /** A field is new or has another type. */
  updateForField(key: string): void {
    this.#cached = undefined;
    // A query that compared numbers may make no sense any more.
    this.#updateAllContacts(({ uses }) => uses === undefined || uses.fields.has(key));
  }

  #parsedGroups(): readonly SmartGroup[] {
    const { timezone, dateStyle } = this.#context;
    const readFor = `${timezone} ${dateStyle}`;
    if (this.#cached === undefined || this.#cachedFor !== readFor) {
      this.#cachedFor = readFor;
      this.#cached = this.#table
        .all()
        .flatMap((group) => (group.query === null ? [] : parseGroup(group, this.#queryContext())));
    }
    return this.#cached;
  }

  /** Who writes a query in an account that hides addresses may not ask for them; the groups that there are may. */
  #queryContext(): ContactContext {
    const { timezone, dateStyle, currentYear, fields } = this.#context;
    return {
      timezone,
      dateStyle,
      currentYear,
      fields,
      isAnonymous: false,
      boundaryName: (type, text) => this.#context.boundaryName(type, text),
    };
  }

  /** Looks at every contact for the sake of some groups. */
  #updateAllContacts(isMeant: (group: SmartGroup) => boolean): void {
    const dependent = this.#parsedGroups().filter(dependsOnGroups);
    for (const smart of this.#parsedGroups().filter(isMeant)) {
      const { id } = smart.group;
      const members = new Set(this.#table.membersOf(id));
      for (let row = 0, batch; (batch = this.#contacts.activeAfter(row)).length > 0;) {
        for (const contact of batch) {
          row = contact.row;
          if (this.#isMatch(contact, smart) === members.has(row)) continue;
          this.#setMembership(contact, id, !members.has(row));
          this.#contacts.touch(row, this.#kernel.now);
          this.#updateMemberships(contact, dependent);
        }
      }
    }
  }

  /** Puts a contact into those of these groups that it belongs to, and takes it out of the others. */
  #updateMemberships(contact: ContactRow, groups: readonly SmartGroup[]): void {
    if (groups.length === 0) return;
    const own = new Set(this.#table.groupsOf(contact.row).map(({ id }) => id));
    let asked = groups;
    for (let round = 0; round < ROUNDS_MAX && asked.length > 0; round++) {
      let isMoved = false;
      for (const smart of asked) {
        const { id } = smart.group;
        const belongs = this.#isMatch(contact, smart);
        if (belongs === own.has(id)) continue;
        isMoved = true;
        this.#setMembership(contact, id, belongs);
        if (belongs) own.add(id);
        else own.delete(id);
      }
      asked = isMoved ? this.#parsedGroups().filter(dependsOnGroups) : [];
    }
  }

  #setMembership({ row }: ContactRow, group: number, isIn: boolean): void {
    if (isIn) this.#table.join(group, row);
    else this.#table.leave(group, row);
  }

  #isMatch(contact: ContactRow, { query }: SmartGroup): boolean {
    if (query === undefined) return false;
    const view = contactView(contact, { groups: this.#table, startsAtMs: this.#startsAtMs });
    return matchesQuery(query, view, this.#context);
  }
}

function parseGroup(group: GroupRow, schema: ContactContext): SmartGroup {
  const reading = parseContactQuery(group.query ?? "", schema);
  return reading.ok
    ? { group, query: reading.query, uses: contactQueryUses(reading.query) }
    : { group, query: undefined, uses: undefined };
}

function dependsOnGroups({ uses }: SmartGroup): boolean {
  return uses?.attributes.has("group") === true;
}

function usesAny(changed: ReadonlySet<ContactPart>, { attributes, schemes, fields }: QueryUses): boolean {
  for (const part of changed) {
    if (part === "name" || part === "language") {
      if (attributes.has(part)) return true;
    } else if (part === "urns") {
      if (attributes.has("urn") || schemes.size > 0) return true;
    } else if (part === "groups") {
      if (attributes.has("group")) return true;
    } else if (fields.has(part.slice("fields.".length))) return true;
  }
  return false;
}
