import type { ContactPart } from "../../flow/index.js";
import { parseContactQuery } from "../query/parse.js";
import { type ContactQuery, contactQueryUses, type QueryUses } from "../query/query.js";
import type { ContactContext } from "../text/contact-view.js";
import type { GroupRow, GroupTable } from "../tables/group-table.js";

/** A smart group with its parsed query. */
export interface SmartGroup {
  readonly group: GroupRow;
  /** Undefined when the query is invalid, for example because a field is missing; it then matches no contact. */
  readonly query: ContactQuery | undefined;
  /** Why it is invalid. */
  readonly fault: string | undefined;
  /**
   * The parts that the query reads: `name`, `fields.age`, `group mothers`. For an invalid query: the parts that could
   * make it valid.
   */
  readonly reads: ReadonlySet<string>;
  readonly conditions: number;
}

/** Limit of conditions in all queries of an account: a new contact is tested against each of them. */
export const CONDITIONS_MAX = 50_000;

/** Key of the settings, besides fields, on which a parsed query depends: time zone, order of dates, boundaries. */
const SETTINGS = "settings";

/** The smart groups of an account, each parsed once, indexed by the parts that their queries read. */
export class ParsedGroups {
  readonly #table: GroupTable;
  readonly #context: () => ContactContext;
  readonly #settings: () => string;
  /** Ascending; undefined before the first read. */
  #byId: Map<number, SmartGroup> | undefined;
  readonly #byUuid = new Map<string, SmartGroup>();
  /** Ids of groups by the parts that they read. */
  readonly #readers = new Map<string, Set<number>>();
  #conditions = 0;
  #parsedFor = "";
  #all: readonly SmartGroup[] | undefined;

  /**
   * @param options - `context`: for parsing queries; `settings`: a text that changes whenever the context changes,
   * except for fields
   */
  constructor(options: { table: GroupTable; context: () => ContactContext; settings: () => string }) {
    this.#table = options.table;
    this.#context = options.context;
    this.#settings = options.settings;
  }

  /** By id. */
  get all(): readonly SmartGroup[] {
    const groups = this.#groups();
    return (this.#all ??= [...groups.values()]);
  }

  get(id: number): SmartGroup | undefined {
    return this.#groups().get(id);
  }

  byUuid(uuid: string): SmartGroup | undefined {
    this.#groups();
    return this.#byUuid.get(uuid);
  }

  /** Groups whose queries read parts of a contact, by id. */
  readersOf(parts: ReadonlySet<ContactPart>): readonly SmartGroup[] {
    return this.#reading([...parts]);
  }

  /** Groups whose queries name one of these groups, by id. @param names - names and UUIDs, in any letter case */
  thatName(names: Iterable<string>): readonly SmartGroup[] {
    return this.#reading(Array.from(names, (name) => `group ${name.toLowerCase()}`));
  }

  /** Groups whose queries change their meaning when a field is added or gets another type, by id. */
  dependingOnField(key: string): readonly SmartGroup[] {
    return this.#reading([`fields.${key}`]);
  }

  /** Adds a group, or stores the changed row of one. Ignores groups without a query. */
  put(group: GroupRow): void {
    const known = this.#groups().get(group.id);
    if (known !== undefined) this.#keep({ ...known, group });
    else if (group.query !== null) this.#add(group);
  }

  remove(id: number): void {
    const known = this.#groups().get(id);
    if (known === undefined) return;
    this.#drop(known);
    this.#groups().delete(id);
    this.#byUuid.delete(known.group.uuid);
    this.#all = undefined;
  }

  /** Parses the query of a group again. */
  parseAgain(id: number): void {
    const known = this.#groups().get(id);
    if (known === undefined) return;
    this.#drop(known);
    this.#add(known.group);
  }

  /** Ids of the groups whose queries must be parsed again because the settings have changed since the last call. */
  takeStale(): number[] {
    this.#groups();
    const settings = this.#settings();
    if (settings === this.#parsedFor) return [];
    this.#parsedFor = settings;
    return [...(this.#readers.get(SETTINGS) ?? [])].toSorted((a, b) => a - b);
  }

  #groups(): Map<number, SmartGroup> {
    if (this.#byId === undefined) {
      this.#byId = new Map();
      this.#parsedFor = this.#settings();
      for (const group of this.#table.all()) if (group.query !== null) this.#add(group);
    }
    return this.#byId;
  }

  #reading(keys: readonly string[]): readonly SmartGroup[] {
    const groups = this.#groups();
    const ids = new Set(keys.flatMap((key) => [...(this.#readers.get(key) ?? [])]));
    return [...ids].toSorted((a, b) => a - b).flatMap((id) => groups.get(id) ?? []);
  }

  #add(group: GroupRow): void {
    const parsed = parse(group, this.#context(), CONDITIONS_MAX - this.#conditions);
    this.#conditions += parsed.conditions;
    for (const key of parsed.reads) {
      const readers = this.#readers.get(key);
      if (readers === undefined) this.#readers.set(key, new Set([group.id]));
      else readers.add(group.id);
    }
    this.#keep(parsed);
  }

  #drop({ group, reads, conditions }: SmartGroup): void {
    this.#conditions -= conditions;
    for (const key of reads) this.#readers.get(key)?.delete(group.id);
  }

  #keep(group: SmartGroup): void {
    this.#groups().set(group.group.id, group);
    this.#byUuid.set(group.group.uuid, group);
    this.#all = undefined;
  }
}

/** @param conditionsLeft - how many more conditions the account may have */
function parse(group: GroupRow, context: ContactContext, conditionsLeft: number): SmartGroup {
  const reading = parseContactQuery(group.query ?? "", context);
  if (!reading.ok) {
    const { field, message } = reading.error;
    return invalid(group, message, field === undefined ? [SETTINGS] : [`fields.${field}`, SETTINGS]);
  }
  const { query } = reading;
  const uses = contactQueryUses(query);
  const { conditions } = uses;
  if (conditions > conditionsLeft) {
    return invalid(
      group,
      `the queries of an account have at most ${CONDITIONS_MAX.toLocaleString("en")} conditions`,
      [],
    );
  }
  return { group, query, fault: undefined, reads: readsOf(uses), conditions };
}

function invalid(group: GroupRow, fault: string, reads: readonly string[]): SmartGroup {
  return { group, query: undefined, fault, reads: new Set(reads), conditions: 0 };
}

function readsOf({ attributes, schemes, fields, groups, readsSettings }: QueryUses): ReadonlySet<string> {
  const reads = new Set<string>();
  for (const attribute of attributes)
    reads.add(attribute === "urn" ? "urns" : attribute === "group" ? "groups" : attribute);
  if (schemes.size > 0) reads.add("urns");
  for (const key of fields) reads.add(`fields.${key}`);
  for (const name of groups) reads.add(`group ${name}`);
  if (readsSettings) reads.add(SETTINGS);
  return reads;
}
