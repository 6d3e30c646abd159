import { needed, pageOf, pageParameters } from "./phone-schemas.js";
import { type ControlRoute, readRoute } from "./route.js";

const of = { type: "string", description: "The handset: `clinic/0`" };
const ofQuery = (query: URLSearchParams): string => needed(query, "of", "clinic/0");

/** Routes of single handsets. */
export const handsetRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/handset",
    about: "One handset as it stands: conditions, battery, clock, queues, reports that wait, syncs.",
    parameters: { of },
    serve: ({ control, query }) => control.handsetReader.handset(ofQuery(query)),
  }),
  readRoute({
    path: "/handset/conversations",
    about:
      "The people whom a handset's texts are with, by the newest text. A page searches 5,000 messages, so it may have few results and still a `next`.",
    parameters: { of, ...pageParameters },
    serve: ({ control, query }) => control.handsetReader.conversations(ofQuery(query), pageOf(query)),
  }),
  readRoute({
    path: "/handset/conversation",
    about: "The texts of a person that a handset shows, newest first. What the phone has not got is not there.",
    parameters: { of, with: { type: "string", description: "The person's number" }, ...pageParameters },
    serve: ({ control, query }) =>
      control.handsetReader.conversation(ofQuery(query), needed(query, "with", "+12065550110"), pageOf(query)),
  }),
  readRoute({
    path: "/handset/calls",
    about: "A handset's call log, newest first, with calls that ring or are talked.",
    parameters: { of, ...pageParameters },
    serve: ({ control, query }) => control.handsetReader.calls(ofQuery(query), pageOf(query)),
  }),
];
