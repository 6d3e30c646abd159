import { answers, type LogPage } from "../../console/index.js";
import { entryOf, lineOf } from "./log-entry.js";
import { readAttempted, readPlaces } from "./log-changes.js";
import { type FoundPage, LIMIT_MAX, numbersIn, readLogRequest, readPage, wholeNumber } from "./log-search.js";
import type { Control } from "../control.js";
import { type ControlRoute, readRoute } from "./route.js";
import { instantOf } from "./shapes.js";

/** Routes of the log of deliveries. The real service also has one (docs/reference/webhook.md#delivery-log). */
export const logRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/events",
    about: "The log of deliveries, newest first: each event with its request, answers and retries.",
    parameters: {
      channel: { type: "integer", description: "Id of the channel" },
      of: { type: "string", description: "Handsets: `clinic/0`, `clinic`, or a phone number" },
      person: { type: "string", description: "People: `farmers/3`, `farmers`, or a phone number" },
      type: { type: "string", description: "mo_sms, mt_sent…; several with commas" },
      outcome: { type: "string", description: `${answers.outcomesAbout}; several with commas` },
      status: {
        type: "string",
        description: "HTTP status of the last attempt: 200, a class such as 4xx, none; several with commas",
      },
      affected: {
        type: "string",
        description:
          "Events with which something is wrong: doubles, without-effect, reordered, refused, late; several with commas. " +
          "As `handset events` lists them",
      },
      copies: { type: "boolean", description: "true: only events that are copies of another" },
      message: { type: "integer", description: "Id of its message or call" },
      contains: { type: "string", description: "Text in a field of the event, decoded" },
      before: { type: "string", description: "At or before this virtual time" },
      after: { type: "string", description: "At or after this virtual time" },
      limit: { type: "integer", minimum: 1, maximum: LIMIT_MAX, description: "Default 50" },
      behind: { type: "integer", description: "Events older than this place: `next` of the page before" },
      ahead: { type: "integer", description: "The next events newer than this place: `previous` of another page" },
      places: {
        type: "string",
        description: `Only the events at these places (\`row\`), up to ${LIMIT_MAX} with commas, whatever the filters`,
      },
      attempted: {
        type: "integer",
        description:
          "Only events with a later attempt: `attempts` of an earlier page. They may be older than that page",
      },
      brief: { type: "boolean", description: "true: each event on one line, without requests and answers" },
    },
    serve: ({ control, query }) => logPage(control, query),
  }),
];

async function logPage(control: Control, query: URLSearchParams): Promise<LogPage> {
  const { rows, reached, ...page } = await pageOf(control, query);
  const isBrief = query.get("brief") === "true";
  return {
    ...page,
    reached: reached === undefined ? null : instantOf(control, reached.atMs),
    results: rows.map((event) => (isBrief ? lineOf(control, event) : entryOf(control, event))),
  };
}

async function pageOf(control: Control, query: URLSearchParams): Promise<FoundPage> {
  const places = numbersIn(query, "places");
  if (places !== undefined) return readPlaces(control, places);
  const attempted = wholeNumber(query, "attempted");
  const request = readLogRequest(control, query);
  return attempted === undefined ? readPage(control, request) : readAttempted(control, request, attempted);
}
