import type { ContactPart } from "../../flow/index.js";
import { firstIndexWhere, type Kernel } from "../../sim/index.js";
import type { Backlog, Task, TaskOf } from "../backlog.js";
import { ComparedContact } from "../query/compared-contact.js";
import { isMatch } from "../query/match.js";
import { parseContactQuery } from "../query/parse.js";
import { CONTACT_UNITS, MEMBERSHIP_UNITS, TEST_UNITS } from "../slices.js";
import type { ContactRow, ContactTable } from "../tables/contact-table.js";
import type { GroupRow, GroupTable } from "../tables/group-table.js";
import { type ContactContext, type ContactView, contactView } from "../text/contact-view.js";
import type { Workload } from "../workload.js";
import { ParsedGroups, type SmartGroup } from "./parsed-groups.js";

/**
 * Maximum rounds of updates for one contact: a changed membership can change the matches of queries that name groups.
 * Groups that depend on each other in a circle stay as they are after these rounds.
 */
const ROUNDS_MAX = 5;

/** Units of work to parse a character of a query. */
const PARSE_UNITS = 1;

/** A search for the contacts that match a query, which may take several kernel steps. */
export interface ContactSearch {
  /** Rows of contacts. */
  readonly found: number[];
  /** The row after which it continues; undefined when it is finished. */
  after: number | undefined;
}

/**
 * Updates the members of smart groups: the contacts that match a group's query. Only active contacts are in groups. A
 * change evaluates only the queries that depend on it. Work beyond one kernel step goes to the backlog.
 */
export class SmartGroups {
  readonly #kernel: Kernel;
  readonly #startsAtMs: number;
  readonly #contacts: ContactTable;
  readonly #table: GroupTable;
  readonly #context: ContactContext;
  readonly #workload: Workload;
  readonly #backlog: Backlog;
  readonly #parsed: ParsedGroups;
  /** Groups whose members one search finds after {@link endLoad}; undefined while no account file is being loaded. */
  #loaded: Set<number> | undefined;

  /** @param options - `settings`: a text of all settings, except fields, on which the meaning of queries depends */
  constructor(options: {
    kernel: Kernel;
    startsAtMs: number;
    tables: { readonly contacts: ContactTable; readonly groups: GroupTable };
    context: ContactContext;
    settings: () => string;
    workload: Workload;
    backlog: Backlog;
  }) {
    this.#kernel = options.kernel;
    this.#startsAtMs = options.startsAtMs;
    this.#contacts = options.tables.contacts;
    this.#table = options.tables.groups;
    this.#context = options.context;
    this.#workload = options.workload;
    this.#backlog = options.backlog;
    const { settings } = options;
    this.#parsed = new ParsedGroups({ table: this.#table, context: () => this.#queryContext(), settings });
  }

  /** All smart groups, by id. */
  get all(): readonly SmartGroup[] {
    return this.#groups.all;
  }

  /** Smart groups whose queries read a part of a contact, or name groups, by id. */
  reading(part: ContactPart): readonly SmartGroup[] {
    return this.#groups.readersOf(new Set([part, "groups"]));
  }

  /** Why the query of a group is invalid; undefined when it is valid, or the group has none. */
  faultOf({ id }: GroupRow): string | undefined {
    return this.#groups.get(id)?.fault;
  }

  /** Whether a contact matches the query of a smart group; undefined when the query is invalid. */
  matches(uuid: string, contact: ComparedContact): boolean | undefined {
    const query = this.#groups.byUuid(uuid)?.query;
    return query && isMatch(query, contact);
  }

  /** A contact whose values are compared with queries, see {@link matches}. */
  compared(contact: ContactView): ComparedContact {
    return new ComparedContact(contact, this.#context);
  }

  /** Updates the groups of a new or changed contact. The caller has set its `modifiedAtMs`. */
  updateForContact(contact: ContactRow, changed: ReadonlySet<ContactPart> | "everything"): void {
    if (contact.state !== "active") return;
    const groups = changed === "everything" ? this.#groups.all : this.#groups.readersOf(changed);
    if (groups.length === 0) return;
    if (this.#workload.isStepFull) this.#backlog.add({ kind: "contact", contact: contact.row });
    else this.#updateMemberships(contact, groups);
  }

  /** Updates all groups of a contact from the backlog. */
  updateLater({ contact: row }: TaskOf<"contact">): void {
    const contact = this.#contacts.get(row);
    if (contact?.state === "active" && this.#updateMemberships(contact, this.#groups.all))
      this.#contacts.touch(row, this.#kernel.now);
  }

  /** Handles an added group: finds its members, and the members of groups whose queries name it. */
  added(group: GroupRow): void {
    this.#countParsing(group);
    this.#groups.put(group);
    const own = group.query === null ? [] : [group.id];
    this.#findMembers([...own, ...this.#naming(group)]);
  }

  renamed(before: GroupRow, group: GroupRow): void {
    this.#groups.put(group);
    this.#findMembers([...this.#naming(before), ...this.#naming(group)]);
  }

  removed(group: GroupRow): void {
    this.#groups.remove(group.id);
    this.#findMembers(this.#naming(group));
  }

  /** Updates the members of groups whose queries use a field. Call it after the field was added or changed its type. */
  updateForField(key: string): void {
    const groups = this.#groups.dependingOnField(key).map(({ group }) => group.id);
    if (groups.length > 0) this.#begin({ kind: "queries", groups, next: 0, scans: true });
  }

  /** Delays the search for members of groups until {@link endLoad}. */
  beginLoad(): void {
    this.#loaded = new Set();
  }

  /** Adds one search for the members of all these groups to the backlog. */
  endLoad(): void {
    const groups = [...(this.#loaded ?? [])];
    this.#loaded = undefined;
    if (groups.length > 0) this.#backlog.add({ kind: "members", groups, after: 0, last: this.#contacts.lastRow });
  }

  /**
   * Parses queries again until the step is full.
   * @returns the remaining task
   */
  parseSome(task: TaskOf<"queries">): Task | undefined {
    const { groups, scans } = task;
    for (let index = task.next; index < groups.length; index++) {
      if (this.#workload.isStepFull) return { ...task, next: index };
      const id = groups[index] ?? 0;
      this.#countParsing(this.#parsed.get(id)?.group);
      this.#parsed.parseAgain(id);
    }
    return scans ? { kind: "members", groups, after: 0, last: this.#contacts.lastRow } : undefined;
  }

  /**
   * Updates the memberships of contacts in some groups until the step is full.
   * @returns the remaining task
   */
  findSomeMembers(task: TaskOf<"members">): Task | undefined {
    const groups = task.groups.flatMap((id) => this.#groups.get(id) ?? []);
    for (let row = task.after, batch; (batch = this.#contacts.activeAfter(row)).length > 0;) {
      for (const contact of batch) {
        // Contacts that were added later were matched when they were added.
        if (contact.row > task.last) return undefined;
        if (this.#workload.isStepFull) return { ...task, after: row };
        row = contact.row;
        if (this.#updateMemberships(contact, groups)) this.#contacts.touch(row, this.#kernel.now);
      }
    }
    return undefined;
  }

  /** Searches the active contacts that match a query, by row; an invalid query finds none. */
  beginSearch(): ContactSearch {
    return { found: [], after: 0 };
  }

  /** Continues a search until it is over or the step is full. */
  searchOn(search: ContactSearch, text: string): void {
    const reading = parseContactQuery(text, this.#queryContext());
    if (!reading.ok) {
      search.after = undefined;
      return;
    }
    while (search.after !== undefined) {
      const batch = this.#contacts.activeAfter(search.after);
      if (batch.length === 0) search.after = undefined;
      for (const contact of batch) {
        if (this.#workload.isStepFull) return;
        search.after = contact.row;
        const compared = this.#comparedRow(contact);
        if (isMatch(reading.query, compared)) search.found.push(contact.row);
        this.#workload.add(CONTACT_UNITS + compared.tested * TEST_UNITS);
      }
    }
  }

  /** The parsed groups. Queries are parsed again after a change of the settings. */
  get #groups(): ParsedGroups {
    const groups = this.#parsed.takeStale();
    if (groups.length > 0) this.#begin({ kind: "queries", groups, next: 0, scans: false });
    return this.#parsed;
  }

  #countParsing(group: GroupRow | undefined): void {
    this.#workload.add((group?.query?.length ?? 0) * PARSE_UNITS);
  }

  #naming({ name, uuid }: GroupRow): number[] {
    return this.#groups.thatName([name, uuid]).map(({ group }) => group.id);
  }

  #findMembers(ids: readonly number[]): void {
    const groups = [...new Set(ids)].toSorted((a, b) => a - b);
    if (groups.length > 0) this.#begin({ kind: "members", groups, after: 0, last: this.#contacts.lastRow });
  }

  /** Starts a task now, as far as the step allows; the backlog does the rest. */
  #begin(task: TaskOf<"queries"> | TaskOf<"members">): void {
    let rest: Task | undefined = task;
    if (rest.kind === "queries") rest = this.parseSome(rest);
    if (rest?.kind === "members" && this.#loaded !== undefined) {
      for (const id of rest.groups) this.#loaded.add(id);
      return;
    }
    if (rest?.kind === "members" && !this.#workload.isStepFull) rest = this.findSomeMembers(rest);
    if (rest !== undefined) this.#backlog.add(rest);
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

  #comparedRow(contact: ContactRow): ComparedContact {
    return this.compared(contactView(contact, { groups: this.#table, startsAtMs: this.#startsAtMs }));
  }

  /**
   * Adds a contact to the groups that it matches, and removes it from the others. Then it updates groups whose queries
   * name a group that the contact has joined or left, in rounds, by id.
   *
   * @returns whether a membership has changed
   */
  #updateMemberships(contact: ContactRow, groups: readonly SmartGroup[]): boolean {
    const compared = this.#comparedRow(contact);
    const own = new Set(this.#table.groupsOf(contact.row).map(({ id }) => id));
    let evaluated = [...groups];
    let moves = 0;
    for (let round = 0; round < ROUNDS_MAX && evaluated.length > 0; round++) {
      const later = new Set<SmartGroup>();
      for (let index = 0; index < evaluated.length; index++) {
        const { group, query } = evaluated[index] as SmartGroup;
        const belongs = query !== undefined && isMatch(query, compared);
        if (belongs === own.has(group.id)) continue;
        moves++;
        this.#setMembership(contact, group.id, belongs);
        if (belongs) own.add(group.id);
        else own.delete(group.id);
        compared.forgetGroups();
        for (const dependent of this.#parsed.thatName([group.name, group.uuid])) {
          if (dependent.group.id > group.id) insertById(evaluated, dependent, index + 1);
          else later.add(dependent);
        }
      }
      evaluated = [...later].toSorted((a, b) => a.group.id - b.group.id);
    }
    this.#workload.add(CONTACT_UNITS + compared.tested * TEST_UNITS + moves * MEMBERSHIP_UNITS);
    return moves > 0;
  }

  #setMembership({ row }: ContactRow, group: number, isIn: boolean): void {
    if (isIn) this.#table.join(group, row);
    else this.#table.leave(group, row);
  }
}

/** Inserts a group into a list sorted by id, at index `from` or later, unless the list contains it. */
function insertById(groups: SmartGroup[], added: SmartGroup, from: number): void {
  const { id } = added.group;
  const place = firstIndexWhere({ from, count: groups.length }, (index) => (groups[index]?.group.id ?? 0) >= id);
  if (groups[place]?.group.id !== id) groups.splice(place, 0, added);
}
