import { type AccountTables, type FlowRow, phoneOf, type RunRow } from "../account/index.js";
import {
  answers,
  type FireList,
  type FlowGraph,
  type FlowRun,
  type ReadAnswer,
  type ResthookEvent,
} from "../console/index.js";
import { type FlowCoverage, flowCoverage, readAnyDefinition } from "../flow/index.js";

/** Most fires in an answer. */
export const FIRES_MAX = 100;

/** Reads flows, runs, campaigns and resthooks of a served account for the console. Unknown UUIDs give undefined. */
export class AccountReader {
  readonly #tables: AccountTables;
  readonly #at: (atMs: number) => string;

  /** @param at - a virtual instant as answers spell it */
  constructor(tables: AccountTables, at: (atMs: number) => string) {
    this.#tables = tables;
    this.#at = at;
  }

  /** A flow as it runs, with counts of its latest runs. */
  flowGraph(uuid: string): FlowGraph | undefined {
    const { flows, runs } = this.#tables;
    const flow = flows.byUuid(uuid.toLowerCase());
    if (flow === undefined) return undefined;
    const counts = runs.countsOf([flow.id]).get(flow.id);
    const latest = runs.latestOfFlow(flow.id, answers.COUNTED_RUNS_MAX);
    const waiting = waitingByNode(latest);
    const read = this.#read(flow, latest);
    return {
      uuid: flow.uuid,
      name: flow.name,
      type: flow.type,
      definition: read.definition,
      problem: read.problem,
      counted_runs: latest.length,
      all_runs: counts === undefined ? 0 : Object.values(counts).reduce((sum, count) => sum + count, 0),
      nodes: read.nodes.map(({ uuid: node, visits, exits, categories }) => ({
        uuid: node,
        visits,
        waiting: waiting.get(node) ?? 0,
        exits: exits.map(({ uuid: exit, taken }) => ({ uuid: exit, taken })),
        categories: categories.map(({ uuid: category, chosen }) => ({ uuid: category, chosen })),
      })),
    };
  }

  /** The steps of one run. */
  flowRun(uuid: string): FlowRun | undefined {
    const { flows, runs, contacts } = this.#tables;
    const run = runs.byUuid(uuid.toLowerCase());
    const flow = run && flows.get(run.flow);
    const contact = run && contacts.get(run.contact);
    if (run === undefined || flow === undefined || contact === undefined) return undefined;
    const { id, exit, createdAtMs, modifiedAtMs, exitedAtMs, path, answers: given } = run;
    const phone = phoneOf(contact);
    return {
      id,
      uuid: run.uuid,
      flow: { uuid: flow.uuid, name: flow.name },
      contact: { uuid: contact.uuid, name: contact.name, phone: phone ?? null },
      exit_type: exit,
      created_on: this.#at(createdAtMs),
      modified_on: this.#at(modifiedAtMs),
      exited_on: exitedAtMs === null ? null : this.#at(exitedAtMs),
      path: path.map(({ node, atMs, exit: taken }) => ({ node, time: this.#at(atMs), exit: taken ?? null })),
      answers: given.map(({ atMs, ...answer }) => ({ ...answer, time: this.#at(atMs) })),
    };
  }

  /** Due or past fires of a campaign, or of all campaigns of a contact. */
  campaignFires({
    campaign,
    contact,
  }: {
    campaign?: string;
    contact?: string;
  }): ReadAnswer<"/campaign-fires"> | undefined {
    const { campaigns, campaignEvents, contacts } = this.#tables;
    const planned = campaign === undefined ? undefined : campaigns.byUuid(campaign.toLowerCase());
    const person = contact === undefined ? undefined : contacts.byUuid(contact.toLowerCase());
    if (campaign !== undefined && planned === undefined) return undefined;
    if (contact !== undefined && person === undefined) return undefined;
    const of = {
      events: planned && campaignEvents.ofCampaign(planned.id).map(({ id }) => id),
      contact: person?.row,
    };
    return { to_come: this.#fires({ ...of, isDone: false }), done: this.#fires({ ...of, isDone: true }) };
  }

  /** What became of the messages of these broadcasts. */
  broadcastMessages(broadcasts: readonly number[]): ReadAnswer<"/broadcast-messages"> {
    const results = new Map(
      broadcasts.map((broadcast) => [broadcast, { broadcast, messages: 0, sent: 0, delivered: 0, failed: 0 }]),
    );
    for (const { broadcast, status, count } of this.#tables.messages.statusesOfBroadcasts(broadcasts)) {
      const counts = results.get(broadcast);
      if (counts === undefined) continue;
      counts.messages += count;
      if (status === "S" || status === "D") counts.sent += count;
      if (status === "D") counts.delivered += count;
      if (status === "F") counts.failed += count;
    }
    return { results: [...results.values()].filter(({ messages }) => messages > 0) };
  }

  /** The deliveries of a resthook event, and the subscribers that have not received it yet. */
  resthookDeliveries(event: number): Pick<ResthookEvent, "attempts" | "pending"> {
    const { resthooks } = this.#tables;
    const urlOf = (subscriber: number): string => resthooks.subscriber(subscriber)?.targetUrl ?? "";
    return {
      attempts: resthooks.attemptsOf(event).map((attempt) => ({
        url: urlOf(attempt.subscriber),
        try: attempt.try,
        time: this.#at(attempt.atMs),
        duration_ms: Math.round(attempt.durationMs * 100) / 100,
        status: attempt.status,
        error: attempt.error,
        outcome: attempt.outcome,
      })),
      pending: resthooks
        .pendingOf(event)
        .map(({ subscriber, try: nth, dueAtMs }) => ({ url: urlOf(subscriber), try: nth, due_on: this.#at(dueAtMs) })),
    };
  }

  #fires(query: {
    readonly events?: readonly number[];
    readonly contact?: number;
    readonly isDone: boolean;
  }): FireList {
    const { campaigns, campaignEvents, campaignFires, contacts } = this.#tables;
    const { fires, count } = campaignFires.list({ ...query, limit: FIRES_MAX });
    return {
      count,
      results: fires.map(({ event: id, contact, dueAtMs, firedAtMs }) => {
        const event = campaignEvents.get(id);
        const campaign = event && campaigns.get(event.campaign);
        const person = contacts.get(contact);
        return {
          event: event?.uuid ?? null,
          campaign: campaign === undefined ? null : { uuid: campaign.uuid, name: campaign.name },
          contact: { uuid: person?.uuid ?? "", name: person?.name ?? null },
          due_on: this.#at(dueAtMs),
          fired_on: firedAtMs === null ? null : this.#at(firedAtMs),
        };
      }),
    };
  }

  /** The definition in native form with its counts, or why it cannot be read. */
  #read(
    flow: FlowRow,
    runs: readonly RunRow[],
  ): Pick<FlowCoverage, "nodes"> & Pick<FlowGraph, "definition" | "problem"> {
    const { flows, fields } = this.#tables;
    const read = readAnyDefinition(flows.definition(flow.id), {
      flowTypes: new Map(flows.all().map(({ uuid, type }) => [uuid.toLowerCase(), type])),
      fieldTypes: fields.types(),
    });
    if ("fault" in read) return { definition: null, problem: read.fault, nodes: [] };
    const covered = runs.map(({ path, answers, exit }) => ({ path, answers, isCompleted: exit === "completed" }));
    return { definition: read.native, problem: null, nodes: flowCoverage(read.definition, covered).nodes };
  }
}

function waitingByNode(runs: readonly RunRow[]): ReadonlyMap<string, number> {
  const waiting = new Map<string, number>();
  for (const { path, exit } of runs) {
    const node = path.at(-1)?.node;
    if (exit === null && node !== undefined) waiting.set(node, (waiting.get(node) ?? 0) + 1);
  }
  return waiting;
}
