import { needed, pageOf, pageParameters } from "./phone-schemas.js";
import { type ControlRoute, readRoute } from "./route.js";

const of = { type: "string", description: "The handset: `clinic/0`" };
const ofQuery = (query: URLSearchParams): string => needed(query, "of", "clinic/0");

/** Routes of single handsets. */
export const handsetRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/handset",
    about: "The state of one handset: conditions, battery, clock, queues, waiting reports, syncs.",
    parameters: { of },
    serve: ({ control, query }) => control.handsetReader.handset(ofQuery(query)),
  }),
  readRoute({
    path: "/handset/conversations",
    about:
      "The conversations of a handset, newest text first. A page searches 5,000 messages, so it may have few results and still a `next`.",
    parameters: { of, ...pageParameters },
    serve: ({ control, query }) => control.handsetReader.conversations(ofQuery(query), pageOf(query)),
  }),
  readRoute({
    path: "/handset/conversation",
    about:
      "The texts with a person that a handset shows, newest first. Texts that have not reached the phone are absent.",
    parameters: { of, with: { type: "string", description: "The person's number" }, ...pageParameters },
    serve: ({ control, query }) =>
      control.handsetReader.conversation(ofQuery(query), needed(query, "with", "+12065550110"), pageOf(query)),
  }),
  readRoute({
    path: "/handset/calls",
    about: "A handset's call log, newest first, with calls in progress.",
    parameters: { of, ...pageParameters },
    serve: ({ control, query }) => control.handsetReader.calls(ofQuery(query), pageOf(query)),
  }),
];
