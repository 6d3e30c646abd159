import { needed, pageOf, pageParameters } from "./phone-schemas.js";
import { type ControlRoute, readRoute } from "./route.js";

const who = { type: "string", description: "A selector of one person, or a phone number: `farmers/3`, `+12065550110`" };
const of = { type: "string", description: "The handset: `clinic/0`" };
const whoQuery = (query: URLSearchParams): string => needed(query, "who", "farmers/3");
const ofQuery = (query: URLSearchParams): string => needed(query, "of", "clinic/0");

/** Routes of people. */
export const peopleRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/people",
    about: "The people of the lab. With `search`, `limit` or `after`: a page of the matches.",
    parameters: {
      search: { type: "string", description: "Part of a name or number, or the start of a selector" },
      limit: pageParameters.limit,
      after: { type: "string", description: "`next` of the previous page" },
    },
    serve({ control, query }) {
      const isPaged = ["search", "limit", "after"].some((name) => query.has(name));
      if (!isPaged) return control.personReader.all();
      const after = query.get("after") ?? "";
      const search = (query.get("search") ?? "").slice(0, 100);
      return control.personReader.findPeople({ search, limit: pageOf(query).limit, ...(after !== "" && { after }) });
    },
  }),
  readRoute({
    path: "/person",
    about: "One person, or a number without a person: the first text from it creates the person.",
    parameters: { who },
    serve: ({ control, query }) => control.personReader.person(whoQuery(query)),
  }),
  readRoute({
    path: "/person/conversations",
    about: "The conversations of a person, newest text first.",
    parameters: { who },
    serve: ({ control, query }) => control.personReader.personConversations(whoQuery(query)),
  }),
  readRoute({
    path: "/person/conversation",
    about:
      "The texts with a handset that a person's phone shows, newest first. `way` has the progress of the person's newest text.",
    parameters: { who, of, ...pageParameters },
    serve: ({ control, query }) =>
      control.personReader.personConversation(whoQuery(query), ofQuery(query), pageOf(query)),
  }),
  readRoute({
    path: "/person/calls",
    about: "The newest calls of a person that handsets have reported.",
    parameters: { who, limit: pageParameters.limit },
    serve: ({ control, query }) => control.personReader.personCalls(whoQuery(query), pageOf(query).limit),
  }),
];
