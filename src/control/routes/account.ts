import { detailError, schema } from "../../api/index.js";
import { type CampaignFires, COUNTED_RUNS_MAX, FIRES_MAX, type FireList } from "../account-answers.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute } from "./route.js";
import { instantOf } from "./shapes.js";

/** Events of resthooks on a page. */
const RESTHOOK_EVENTS_MAX = 50;

const nullableTime = schema.nullable(schema.timestamp);
const count = schema.nullable({ ...schema.integer, description: "null: unknown, several exits lead to one place" });

const graph = schema.objectOf({
  uuid: schema.uuid,
  name: schema.text,
  type: schema.text,
  definition: {
    description: "In native form, of a legacy flow too; null: it cannot be read",
    type: ["object", "null"],
  },
  problem: { ...schema.nullable(schema.text), description: "Why it cannot be read" },
  counted_runs: { ...schema.integer, description: `Its last changed runs, at most ${COUNTED_RUNS_MAX}` },
  all_runs: schema.integer,
  nodes: schema.arrayOf(
    schema.objectOf({
      uuid: schema.text,
      visits: schema.integer,
      waiting: { ...schema.integer, description: "Contacts who are there now" },
      exits: schema.arrayOf(schema.objectOf({ uuid: schema.text, taken: count })),
      categories: schema.arrayOf(schema.objectOf({ uuid: schema.text, chosen: count })),
    }),
  ),
});

const run = schema.objectOf({
  id: schema.integer,
  uuid: schema.uuid,
  flow: schema.reference,
  contact: schema.objectOf({
    uuid: schema.uuid,
    name: schema.nullable(schema.text),
    phone: schema.nullable(schema.text),
  }),
  exit_type: { ...schema.nullable(schema.text), description: "null: it is active" },
  created_on: schema.timestamp,
  modified_on: schema.timestamp,
  exited_on: nullableTime,
  path: schema.arrayOf(
    schema.objectOf({ node: schema.text, time: schema.timestamp, exit: schema.nullable(schema.text) }),
  ),
  answers: schema.arrayOf(
    schema.objectOf({
      label: schema.text,
      category: schema.text,
      value: schema.text,
      text: schema.text,
      time: schema.timestamp,
    }),
  ),
});

const fires = schema.objectOf({
  count: schema.integer,
  results: schema.arrayOf(
    schema.objectOf({
      event: schema.nullable(schema.uuid),
      campaign: schema.nullable(schema.reference),
      contact: schema.reference,
      due_on: schema.timestamp,
      fired_on: nullableTime,
    }),
  ),
});

const resthookEvent = schema.objectOf({
  id: schema.integer,
  resthook: schema.slug,
  data: schema.anyObject,
  created_on: schema.timestamp,
  attempts: schema.arrayOf(
    schema.objectOf({
      url: schema.text,
      try: schema.integer,
      time: schema.timestamp,
      duration_ms: { type: "number" },
      status: schema.nullable(schema.integer),
      error: schema.nullable(schema.text),
      outcome: { ...schema.text, description: "accepted, retried, failed or gone" },
    }),
  ),
  pending: schema.arrayOf(schema.objectOf({ url: schema.text, try: schema.integer, due_on: schema.timestamp })),
});

const text = (description: string) => ({ type: "string", description });

/** Routes of what the REST API does not tell about the account: counts of flows, paths with exits, fires, deliveries. */
export const accountRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/flow-graph",
    about: "A flow as it runs, with how many of its latest runs passed each node and exit.",
    parameters: {
      flow: text("UUID of the flow"),
      definition: { type: "boolean", description: "false: without the definition" },
    },
    answer: graph,
    serve({ control, query }) {
      const { definition, countedRuns, allRuns, ...found } = known(
        control.account.flowGraph(needed(query, "flow")),
        "flow",
      );
      const isShown = query.get("definition") !== "false";
      return { ...found, definition: isShown ? definition : null, counted_runs: countedRuns, all_runs: allRuns };
    },
  }),
  readRoute({
    path: "/flow-run",
    about: "One contact's way through a flow: the nodes with the exits that were taken, and all answers.",
    parameters: { run: text("UUID of the run") },
    answer: run,
    serve({ control, query }) {
      const found = known(control.account.flowRun(needed(query, "run")), "run");
      const { exit, createdAtMs, modifiedAtMs, exitedAtMs, path, answers, ...rest } = found;
      const timed = <T extends { readonly atMs: number }>({ atMs, ...step }: T) => ({
        ...step,
        time: instantOf(control, atMs),
      });
      return {
        ...rest,
        exit_type: exit,
        created_on: instantOf(control, createdAtMs),
        modified_on: instantOf(control, modifiedAtMs),
        exited_on: timeOf(control, exitedAtMs),
        path: path.map(timed),
        answers: answers.map(timed),
      };
    },
  }),
  readRoute({
    path: "/campaign-fires",
    about: `When the events of campaigns are due and when they happened: all, or those of a campaign or a contact; at most ${FIRES_MAX} of each.`,
    parameters: { campaign: text("UUID of the campaign"), contact: text("UUID of the contact") },
    answer: schema.objectOf({ to_come: fires, done: fires }),
    serve({ control, query }) {
      const [campaign, contact] = [query.get("campaign"), query.get("contact")];
      const found: CampaignFires = known(
        control.account.campaignFires({ ...(campaign && { campaign }), ...(contact && { contact }) }),
        campaign ? "campaign" : "contact",
      );
      return { to_come: firesOf(control, found.toCome), done: firesOf(control, found.done) };
    },
  }),
  readRoute({
    path: "/resthook-events",
    about: "Events of resthooks with their deliveries to subscribers, the newest first.",
    parameters: { behind: { type: "integer", description: "`next` of the page before" } },
    answer: schema.objectOf({ next: schema.nullable(schema.integer), results: schema.arrayOf(resthookEvent) }),
    serve: ({ control, query }) => resthookPage(control, query.get("behind")),
  }),
];

function resthookPage(control: Control, behind: string | null): Record<string, unknown> {
  const list = control.served.lists.resthookEvents;
  const last = behind === null || behind === "" ? undefined : list.get(Number(behind));
  if (behind !== null && behind !== "" && last === undefined) throw detailError(404, "There is no such event.");
  const { rows, next } = list.page({
    order: "created",
    filters: [],
    size: RESTHOOK_EVENTS_MAX,
    cursor: last === undefined ? undefined : { position: last.createdAtMs, tie: last.id, isBackwards: false },
  });
  const deliveries = new Map(
    control.account.resthookDeliveries(rows.map(({ id }) => id)).map((one) => [one.event, one]),
  );
  const results = rows.map(({ id, slug, data, createdAtMs }) => ({
    id,
    resthook: slug,
    data: JSON.parse(data) as unknown,
    created_on: instantOf(control, createdAtMs),
    attempts: (deliveries.get(id)?.attempts ?? []).map(({ atMs, durationMs, ...attempt }) => ({
      ...attempt,
      time: instantOf(control, atMs),
      duration_ms: Math.round(durationMs * 100) / 100,
    })),
    pending: (deliveries.get(id)?.pending ?? []).map(({ dueAtMs, ...one }) => ({
      ...one,
      due_on: instantOf(control, dueAtMs),
    })),
  }));
  return { next: next === undefined ? null : (rows.at(-1)?.id ?? null), results };
}

function firesOf(control: Control, list: FireList): Record<string, unknown> {
  return {
    count: list.count,
    results: list.fires.map(({ dueAtMs, firedAtMs, ...fire }) => ({
      ...fire,
      due_on: instantOf(control, dueAtMs),
      fired_on: timeOf(control, firedAtMs),
    })),
  };
}

function timeOf(control: Control, atMs: number | null): string | null {
  return atMs === null ? null : instantOf(control, atMs);
}

function needed(query: URLSearchParams, name: string): string {
  const value = query.get(name);
  if (value === null || value === "") throw detailError(400, `Give the ${name}: its UUID.`);
  return value;
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw detailError(404, `There is no such ${what}.`);
  return value;
}
