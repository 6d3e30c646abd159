import type { Kernel } from "../sim/index.js";
import { matchesQuery } from "./query/match.js";
import { parseContactQuery } from "./query/parse.js";
import { type ContactQuery, contactQueryUses, type QueryUses } from "./query/query.js";
import type { ContactContext, ContactView } from "./text/contact-view.js";
import type { ContactRow, ContactTable } from "./tables/contact-table.js";
import type { GroupRow, GroupTable } from "./tables/group-table.js";
import { contactView } from "./text/contact-view.js";

/** A part of a contact that can change, and on which queries can depend. */
export type ContactPart = "name" | "language" | "timezone" | "urns" | "groups" | `fields.${string}`;

/** A smart group with its parsed query. */
interface SmartGroup {
  readonly group: GroupRow;
  /** Undefined: the query is invalid, for example because a field is missing, and matches no contact. */
  readonly query: ContactQuery | undefined;
  readonly uses: QueryUses | undefined;
}

/**
 * Maximum rounds of updates for one contact: a changed membership can change the matches of queries that name groups.
 * After them, groups that depend on each other in a circle stay as they are.
 */
const ROUNDS_MAX = 5;

/**
 * Updates the members of smart groups: the contacts that match a group's query. Only active contacts are in groups. A
 * change evaluates only the queries that depend on it.
 */
export class SmartGroups {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #contacts: ContactTable;
  readonly #table: GroupTable;
  readonly #context: ContactContext;
  /** By id; undefined: stale. */
  #cached: readonly SmartGroup[] | undefined;
  /** The settings with which `#cached` was parsed: dates in queries depend on them. */
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

  /** Updates the groups of a new or changed contact. The caller has set its `modifiedAtMs`. */
  updateForContact(contact: ContactRow, changed: ReadonlySet<ContactPart> | "everything"): void {
    if (contact.state !== "active") return;
    this.#updateMemberships(
      contact,
      changed === "everything"
        ? this.#parsedGroups()
        : this.#parsedGroups().filter(({ uses }) => uses && usesAny(changed, uses)),
    );
  }

  /** Finds the members of a new smart group. */
  addMembers(group: GroupRow): void {
    this.#cached = undefined;
    this.#updateAllContacts(({ group: { id } }) => id === group.id);
    this.updateForGroups();
  }

  /** Updates the members of groups whose queries name groups. Call it after groups were added, renamed or deleted. */
  updateForGroups(): void {
    this.#cached = undefined;
    this.#updateAllContacts(dependsOnGroups);
  }

  /** Updates the members of groups whose queries use a field. Call it after the field was added or changed its type. */
  updateForField(key: string): void {
    this.#cached = undefined;
    // Invalid queries may become valid, and the other way round.
    this.#updateAllContacts(({ uses }) => uses === undefined || uses.fields.has(key));
  }

  /** All smart groups, by id. */
  get all(): readonly { readonly group: GroupRow }[] {
    return this.#parsedGroups();
  }

  /** Whether a contact matches the query of a smart group; undefined: its query is invalid. */
  matches(uuid: string, contact: ContactView): boolean | undefined {
    const query = this.#parsedGroups().find(({ group }) => group.uuid === uuid)?.query;
    return query && matchesQuery(query, contact, this.#context);
  }

  /** The active contacts that match a query, by row; none when it is invalid. */
  find(text: string): ContactRow[] {
    const reading = parseContactQuery(text, this.#queryContext());
    const found: ContactRow[] = [];
    if (!reading.ok) return found;
    for (let row = 0, batch; (batch = this.#contacts.activeAfter(row)).length > 0;) {
      for (const contact of batch) {
        row = contact.row;
        const view = contactView(contact, { groups: this.#table, startsAtMs: this.#startsAtMs });
        if (matchesQuery(reading.query, view, this.#context)) found.push(contact);
      }
    }
    return found;
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

  /**
   * The context in which queries are parsed. An anonymous account forbids new queries on addresses; existing groups
   * keep theirs.
   */
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

  /** Updates the memberships of every contact in some groups. */
  #updateAllContacts(isSelected: (group: SmartGroup) => boolean): void {
    const dependent = this.#parsedGroups().filter(dependsOnGroups);
    for (const smart of this.#parsedGroups().filter(isSelected)) {
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

  /** Adds a contact to the groups that it matches, and removes it from the others. */
  #updateMemberships(contact: ContactRow, groups: readonly SmartGroup[]): void {
    if (groups.length === 0) return;
    const own = new Set(this.#table.groupsOf(contact.row).map(({ id }) => id));
    let evaluated = groups;
    for (let round = 0; round < ROUNDS_MAX && evaluated.length > 0; round++) {
      let isMoved = false;
      for (const smart of evaluated) {
        const { id } = smart.group;
        const belongs = this.#isMatch(contact, smart);
        if (belongs === own.has(id)) continue;
        isMoved = true;
        this.#setMembership(contact, id, belongs);
        if (belongs) own.add(id);
        else own.delete(id);
      }
      evaluated = isMoved ? this.#parsedGroups().filter(dependsOnGroups) : [];
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
