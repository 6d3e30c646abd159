import { detailError } from "../../api/index.js";
import type { ResthookEvent, ResthookEvents } from "../../console/index.js";
import { FIRES_MAX } from "../account-reader.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute } from "./route.js";
import { instantOf } from "./shapes.js";

/** Events of resthooks on a page. */
const RESTHOOK_EVENTS_MAX = 50;
/** Broadcasts on a page of the REST API. */
const BROADCASTS_MAX = 250;

const text = (description: string) => ({ type: "string", description });

/** Routes for account data that the REST API does not expose: counts of flows, paths with exits, fires, deliveries. */
export const accountRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/flow-graph",
    about: "A flow with counts of its latest runs at each node and exit.",
    parameters: {
      flow: text("UUID of the flow"),
      definition: { type: "boolean", description: "false: without the definition" },
    },
    serve({ control, query }) {
      const found = known(control.account.flowGraph(needed(query, "flow")), "flow");
      return query.get("definition") === "false" ? { ...found, definition: null } : found;
    },
  }),
  readRoute({
    path: "/flow-run",
    about: "One contact's path through a flow: nodes with the taken exits, and all answers.",
    parameters: { run: text("UUID of the run") },
    serve: ({ control, query }) => known(control.account.flowRun(needed(query, "run")), "run"),
  }),
  readRoute({
    path: "/broadcast-messages",
    about: `How many messages of broadcasts were made, sent, delivered and given up; at most ${BROADCASTS_MAX} broadcasts.`,
    parameters: { broadcasts: text("Ids of broadcasts, with commas") },
    serve({ control, query }) {
      const ids = needed(query, "broadcasts").split(",").map(Number);
      if (ids.length > BROADCASTS_MAX || !ids.every((id) => Number.isSafeInteger(id) && id > 0))
        throw detailError(400, `'broadcasts' needs up to ${BROADCASTS_MAX} ids with commas: 1,2,3`);
      return control.account.broadcastMessages(ids);
    },
  }),
  readRoute({
    path: "/campaign-fires",
    about: `Due and past fires of campaign events: all, or those of a campaign or a contact; at most ${FIRES_MAX} of each.`,
    parameters: { campaign: text("UUID of the campaign"), contact: text("UUID of the contact") },
    serve({ control, query }) {
      const [campaign, contact] = [query.get("campaign"), query.get("contact")];
      return known(
        control.account.campaignFires({ ...(campaign && { campaign }), ...(contact && { contact }) }),
        campaign ? "campaign" : "contact",
      );
    },
  }),
  readRoute({
    path: "/resthook-events",
    about: "Events of resthooks with their deliveries to subscribers, the newest first.",
    parameters: { behind: { type: "integer", description: "`next` of the previous page" } },
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
  const { account } = control;
  const results = rows.map(({ id, slug, data, createdAtMs }) => ({
    id,
    resthook: slug,
    data: JSON.parse(data) as ResthookEvent["data"],
    created_on: instantOf(control, createdAtMs),
    ...account.resthookDeliveries(id),
  }));
  return { next: next === undefined ? null : (rows.at(-1)?.id ?? null), results };
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
