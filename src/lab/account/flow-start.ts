import type { Account, AccountTables } from "../../account/index.js";
import type { FlowStartInput } from "../../scenario/index.js";
import type { World } from "../../world/index.js";
import { flowNamed } from "./account-state.js";

/** The parts of a run on which the story or a hand starts a flow. */
export interface FlowStartParts {
  readonly account: Pick<Account, "contacts" | "flowSessions">;
  readonly tables: Pick<AccountTables, "contacts" | "flows">;
  readonly world: World;
}

/** Most sentences that one start returns: a flow that cannot run gives the same reason for each person. */
const PROBLEMS_MAX = 3;

/** Most names of flows in the sentence about an unknown flow. */
const NAMES_MAX = 10;

/**
 * Starts a flow for people. A person whom the service does not know becomes a contact.
 *
 * @returns sentences that say for whom it was not started, and why; empty when it was started for all
 */
export function startFlow(order: FlowStartInput, { account, tables, world }: FlowStartParts): readonly string[] {
  const flow = flowNamed(tables, order.flow);
  if (flow === undefined) return [unknownText(order.flow, tables)];
  if (flow.isArchived) return [`flow '${flow.name}' is not started: it is archived`];
  const problems: string[] = [];
  for (const person of world.population.peopleOf(order.person)) {
    const { row } = account.contacts.withPhone(world.population.phoneOfPerson(person));
    const contact = tables.contacts.get(row);
    const isActive = contact?.state === "active";
    const isStarted =
      isActive &&
      account.flowSessions.start(contact, flow, {
        cause: { type: "manual", params: order.extra },
        channel: order.of && world.channelFor(person, order.of),
      });
    if (isStarted) continue;
    const why = isActive ? "it cannot run, see the notes of the run" : `the contact is ${contact?.state ?? "unknown"}`;
    problems.push(`flow '${flow.name}' is not started for ${world.population.nameOfPerson(person)}: ${why}`);
  }
  const more = problems.length - PROBLEMS_MAX;
  return more <= 0 ? problems : [...problems.slice(0, PROBLEMS_MAX), `and for ${more} more people`];
}

function unknownText(flow: string, { flows }: Pick<AccountTables, "flows">): string {
  const names = flows.all().map(({ name }) => name);
  const shown = names.slice(0, NAMES_MAX).join(", ") + (names.length > NAMES_MAX ? ", …" : "");
  return `there is no flow '${flow}'; ${names.length === 0 ? "the account has no flows" : `there are: ${shown}`}`;
}
