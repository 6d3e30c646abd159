import type { AccountData, ContactData, LabelData } from "../../wire/index.js";
import type { Account } from "../account.js";
import { flowProblems } from "./flow-problems.js";
import { loadContact } from "./load-contacts.js";
import { ENTRY_UNITS } from "./load-units.js";
import { loadCampaign, loadRun, loadTrigger } from "./load-flows.js";
import { loadOrder } from "./load-orders.js";
import { boundariesIn } from "../boundaries.js";
import { SUBSCRIBERS_MAX } from "../resthooks.js";
import { asUuid, type LoadCounts, Resolver } from "./resolver.js";
import type { AccountTables } from "../tables/account-tables.js";

/** The result of loading an account. */
export interface LoadReport {
  /** Added entries, and replaced flows. */
  readonly added: LoadCounts;
  /** Entries that were left out or changed, and parts of flows that do not run, in sentences without a full stop. */
  readonly problems: readonly string[];
  /** UUIDs of the added flows and the replaced ones. */
  readonly flows: ReadonlySet<string>;
}

/** Options of loading an account's data. */
export interface LoadOptions {
  /** Whether events may be sent to a subscriber's address; default: to any address. */
  readonly isAllowed?: (url: string) => boolean;
  /** Result of `flowProblems` for the data, if known; default: computed. */
  readonly flowProblems?: readonly string[];
  /** Further contacts, generated while they are loaded. */
  readonly people?: Iterable<ContactData>;
  /** {@link AccountLoad.repeatedDone} of an interrupted load, which this one continues. Default: 0. */
  readonly repeatedDone?: number;
}

/** Units of work to load a character of a flow's definition. */
const DEFINITION_UNITS = 0.1;

/**
 * Adds an account's data to an existing account, which may be empty, in parts, so that the lab can do other work in
 * between. Loads in the order of docs/reference/flows.md#import-order, so that references resolve. References are by
 * UUID, name (any letter case) or key; groups and fields that only references name are added. Entries that exist under
 * the same UUID, name, key or address are not added again, so loading a file is idempotent. Does not throw.
 */
export class AccountLoad {
  readonly #account: Account;
  readonly #data: AccountData;
  readonly #options: LoadOptions;
  readonly #resolver: Resolver;
  readonly #entries: Iterator<number, void>;
  /** UUIDs of the added flows and the replaced ones. */
  readonly #flows = new Set<string>();
  #isDone = false;
  /** Number of runs and orders loaded so far. Loading the data again would add them again. */
  #repeated = 0;

  constructor(account: Account, tables: AccountTables, data: AccountData, options: LoadOptions = {}) {
    this.#account = account;
    this.#data = data;
    this.#options = options;
    this.#resolver = new Resolver(account, tables);
    this.#entries = this.#load(tables);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Number of loaded runs and orders: entries that loading the data again would add again. */
  get repeatedDone(): number {
    return this.#repeated;
  }

  get report(): LoadReport {
    return { added: this.#resolver.added, problems: this.#resolver.problems, flows: this.#flows };
  }

  /** Loads entries until the step is full, or all of them. Call it as an input from outside. */
  loadSome(): void {
    const { workload, backlog } = this.#account;
    workload.beginInput();
    backlog.hold();
    this.#account.groups.beginLoad();
    try {
      while (!workload.isStepFull && !this.#isDone) {
        const next = this.#entries.next();
        if (next.done === true) this.#isDone = true;
        else workload.add(next.value);
      }
    } finally {
      this.#account.groups.endLoad();
      if (this.#isDone) backlog.release();
    }
  }

  /** Loads one entry after the other; yields the units of work of each. */
  *#load(tables: AccountTables): Generator<number, void> {
    const account = this.#account;
    const data = this.#data;
    const resolver = this.#resolver;
    if (data.organisation !== undefined) account.organisation.set(data.organisation);
    if (data.globals !== undefined)
      account.organisation.set({ globals: { ...account.organisation.get().globals, ...data.globals } });
    for (const token of data.tokens) {
      tables.tokens.put(token);
      resolver.countAdded("tokens");
      yield ENTRY_UNITS;
    }
    for (const country of data.boundaries) {
      yield* unitsOf(boundariesIn(country), ([boundary, place]) => {
        account.boundaries.put(boundary, place);
        resolver.countAdded("boundaries");
      });
    }
    yield* unitsOf(data.fields, (field) => resolver.field(field));
    yield* unitsOf(data.groups, (group) => resolver.addGroup(group));
    yield* unitsOf(data.labels, (label) => loadLabel(label, resolver));
    yield* unitsOf(data.contacts, (contact) => loadContact(contact, resolver));
    yield* unitsOf(this.#options.people ?? [], (contact) => loadContact(contact, resolver));
    for (const flow of data.flows) {
      this.#flows.add(resolver.addFlow(flow).uuid);
      yield ENTRY_UNITS + JSON.stringify(flow.definition).length * DEFINITION_UNITS;
    }
    for (const problem of this.#options.flowProblems ?? flowProblems(data)) resolver.addProblem(problem);
    for (const campaign of data.campaigns) yield* loadCampaign(campaign, resolver);
    yield* unitsOf(data.triggers, (trigger) => loadTrigger(trigger, resolver));
    yield* this.#loadResthooks(tables);
    // Orders may address the members of groups, so pending searches are finished first.
    while (!account.backlog.workHeld()) yield ENTRY_UNITS;
    for (const run of data.runs) yield this.#once(() => loadRun(run, resolver));
    for (const order of data.orders) yield this.#once(() => loadOrder(order, resolver));
  }

  /** Loads a run or order, unless it was loaded before an interruption. */
  #once(load: () => void): number {
    if (++this.#repeated > (this.#options.repeatedDone ?? 0)) load();
    return ENTRY_UNITS;
  }

  *#loadResthooks(tables: AccountTables): Generator<number, void> {
    const { isAllowed = () => true } = this.#options;
    const resolver = this.#resolver;
    for (const { slug, subscribers } of this.#data.resthooks) {
      if (tables.resthooks.bySlug(slug) === undefined) resolver.countAdded("resthooks");
      const resthook = this.#account.resthooks.add(slug);
      const known = new Set(tables.resthooks.subscribersOf(resthook.id).map(({ targetUrl }) => targetUrl));
      for (const url of subscribers) {
        if (!isAllowed(url))
          resolver.addProblem(`resthook '${slug}' does not post to ${url}: the address is not allowed`);
        else if (known.size >= SUBSCRIBERS_MAX && !known.has(url)) {
          resolver.addProblem(`resthook '${slug}' does not post to ${url}: it has ${SUBSCRIBERS_MAX} subscribers`);
        } else if (!known.has(url)) {
          known.add(url);
          this.#account.resthooks.subscribe(resthook, url);
        }
        yield ENTRY_UNITS;
      }
      yield ENTRY_UNITS;
    }
  }
}

/** Loads entries one after the other; yields the units of work of each. */
function* unitsOf<T>(entries: Iterable<T>, load: (entry: T) => unknown): Generator<number, void> {
  for (const entry of entries) {
    load(entry);
    yield ENTRY_UNITS;
  }
}

/** Adds a label, unless it exists. */
function loadLabel({ uuid, name }: LabelData, resolver: Resolver): void {
  const { labels } = resolver.tables;
  const own = asUuid(uuid);
  const known = (own === undefined ? undefined : labels.byUuid(own)) ?? labels.byName(name);
  if (known !== undefined) return resolver.rememberUuid(uuid, known.uuid);
  resolver.account.labels.add({ name, uuid: own });
  resolver.countAdded("labels");
}

/** Loads an account's data as a whole, see {@link AccountLoad}. */
export function loadAccount(
  account: Account,
  tables: AccountTables,
  data: AccountData,
  options: LoadOptions = {},
): LoadReport {
  const load = new AccountLoad(account, tables, data, options);
  while (!load.isDone) load.loadSome();
  return load.report;
}
