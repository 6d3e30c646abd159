import { detailError } from "../../api/index.js";
import type { FireList, ResthookEvent, ResthookEvents } from "../../console/index.js";
import { type CampaignFires as StoredFires, FIRES_MAX, type FireList as StoredFireList } from "../account-answers.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute } from "./route.js";
import { instantOf } from "./shapes.js";

/** Events of resthooks on a page. */
const RESTHOOK_EVENTS_MAX = 50;

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
    serve({ control, query }) {
      const [campaign, contact] = [query.get("campaign"), query.get("contact")];
      const found: StoredFires = known(
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
    serve: ({ control, query }) => resthookPage(control, query.get("behind")),
  }),
];

function resthookPage(control: Control, behind: string | null): ResthookEvents {
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
    data: JSON.parse(data) as ResthookEvent["data"],
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

function firesOf(control: Control, list: StoredFireList): FireList {
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
