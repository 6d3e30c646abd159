import type { AccountData, BoundaryData } from "../../wire/index.js";
import type { Account } from "../account.js";
import { flowProblems } from "./flow-problems.js";
import { loadContact } from "./load-contacts.js";
import { loadCampaign, loadRun, loadTrigger } from "./load-flows.js";
import { loadOrder } from "./load-orders.js";
import { asUuid, type LoadCounts, Resolver } from "./resolver.js";
import type { AccountTables } from "../tables/account-tables.js";

/** The result of loading an account. */
export interface LoadReport {
  /** Added entries, and replaced flows. */
  readonly added: LoadCounts;
  /** What was left out or changed, and what of the flows does not run, in sentences without a full stop. */
  readonly problems: readonly string[];
  /** UUIDs of the added flows and the replaced ones. */
  readonly flows: ReadonlySet<string>;
}

/**
 * Adds an account's data to an existing account, which may be empty. Loads in the order of
 * docs/reference/flows.md#import-order, so that references resolve. References are by UUID, name (any letter case) or
 * key; groups and fields that only references name are added. Entries that exist under the same UUID, name, key or
 * address are not added again, so loading a file is idempotent. Does not throw.
 *
 * @param options - `isAllowed`: whether events may be sent to a subscriber's address; default: to any
 */
export function loadAccount(
  account: Account,
  tables: AccountTables,
  data: AccountData,
  options: { readonly isAllowed?: (url: string) => boolean } = {},
): LoadReport {
  const { isAllowed = () => true } = options;
  const resolver = new Resolver(account, tables);
  if (data.organisation !== undefined) account.organisation.set(data.organisation);
  if (data.globals !== undefined)
    account.organisation.set({ globals: { ...account.organisation.get().globals, ...data.globals } });
  for (const token of data.tokens) {
    tables.tokens.put(token);
    resolver.countAdded("tokens");
  }
  for (const country of data.boundaries) {
    account.boundaries.add(country);
    resolver.countAdded("boundaries", boundaryCount(country));
  }
  for (const field of data.fields) resolver.field(field);
  for (const group of data.groups) resolver.addGroup(group);
  for (const { uuid, name } of data.labels) {
    const own = asUuid(uuid);
    const known = (own === undefined ? undefined : tables.labels.byUuid(own)) ?? tables.labels.byName(name);
    if (known !== undefined) {
      resolver.rememberUuid(uuid, known.uuid);
      continue;
    }
    account.labels.add({ name, uuid: own });
    resolver.countAdded("labels");
  }
  for (const contact of data.contacts) loadContact(contact, resolver);
  const flows = new Set(data.flows.map((flow) => resolver.addFlow(flow).uuid));
  for (const problem of flowProblems(data)) resolver.addProblem(problem);
  for (const campaign of data.campaigns) loadCampaign(campaign, resolver);
  for (const trigger of data.triggers) loadTrigger(trigger, resolver);
  for (const { slug, subscribers } of data.resthooks) {
    if (tables.resthooks.bySlug(slug) === undefined) resolver.countAdded("resthooks");
    for (const url of subscribers) {
      if (!isAllowed(url))
        resolver.addProblem(`resthook '${slug}' does not post to ${url}: the address is not allowed`);
    }
    account.resthooks.add({ slug, subscribers: subscribers.filter(isAllowed) });
  }
  for (const run of data.runs) loadRun(run, resolver);
  for (const order of data.orders) loadOrder(order, resolver);
  return { added: resolver.added, problems: resolver.problems, flows };
}

function boundaryCount({ parts }: BoundaryData): number {
  return parts.reduce((count, part) => count + boundaryCount(part), 1);
}
