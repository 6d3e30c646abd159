import { schema } from "../../api/index.js";
import { callEntry, listOf, needed, pageOf, pageParameters, textEntry } from "./phone-schemas.js";
import { type ControlRoute, readRoute } from "./route.js";

const text = schema.text;
const nullableText = schema.nullable(text);
const time = schema.timestamp;
const nullableTime = schema.nullable(time);

const person = schema.objectOf({ selector: text, phone: text, name: nullableText });

const way = schema.objectOf({
  entry: textEntry,
  event: schema.nullable(
    schema.objectOf({
      id: text,
      at: time,
      url: nullableText,
      outcome: text,
      tries: schema.integer,
      answered_at: nullableTime,
      status: schema.nullable(schema.integer),
      error: nullableText,
      duration_ms: schema.nullable({ type: "number" }),
      reply: schema.nullable(schema.objectOf({ kind: text, reason: nullableText })),
    }),
  ),
  answers: schema.arrayOf(
    schema.objectOf({
      entry: textEntry,
      origin: text,
      created_at: time,
      sent_at: nullableTime,
      delivered_at: nullableTime,
      lost_at: { ...nullableTime, description: "null: it was not lost" },
    }),
  ),
});

const who = { type: "string", description: "A selector of one person, or a phone number: `farmers/3`, `+12065550110`" };
const of = { type: "string", description: "The handset: `clinic/0`" };
const whoQuery = (query: URLSearchParams): string => needed(query, "who", "farmers/3");
const ofQuery = (query: URLSearchParams): string => needed(query, "of", "clinic/0");

/** Routes of people. */
export const peopleRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/people",
    about:
      "The people of the lab, who have phones of their own. With `search`, `limit` or `after`: a page of those found.",
    parameters: {
      search: { type: "string", description: "Part of a name or number, or the start of a selector" },
      limit: pageParameters.limit,
      after: { type: "string", description: "`next` of the page before" },
    },
    answer: { anyOf: [schema.arrayOf(person), listOf(person)] },
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
    about: "One person, or a number that is nobody's yet: the first text from it makes a person.",
    parameters: { who },
    answer: schema.objectOf({
      selector: text,
      phone: text,
      name: nullableText,
      language: nullableText,
      known: schema.boolean,
      contact: { ...schema.nullable(schema.uuid), description: "null: the service does not know the number" },
      home: { ...nullableText, description: "Their own handset" },
      at: time,
    }),
    serve: ({ control, query }) => control.personReader.person(whoQuery(query)),
  }),
  readRoute({
    path: "/person/conversations",
    about: "The handsets that a person's texts are with, by the newest text.",
    parameters: { who },
    answer: schema.arrayOf(schema.objectOf({ handset: text, phone: text, last: textEntry })),
    serve: ({ control, query }) => control.personReader.personConversations(whoQuery(query)),
  }),
  readRoute({
    path: "/person/conversation",
    about:
      "The texts with a handset that a person's phone shows, newest first, and the way of the newest that they sent.",
    parameters: { who, of, ...pageParameters },
    answer: schema.objectOf({
      results: schema.arrayOf(textEntry),
      next: nullableText,
      way: schema.nullable(way),
    }),
    serve: ({ control, query }) =>
      control.personReader.personConversation(whoQuery(query), ofQuery(query), pageOf(query)),
  }),
  readRoute({
    path: "/person/calls",
    about: "The newest calls of a person that handsets have reported.",
    parameters: { who, limit: pageParameters.limit },
    answer: schema.arrayOf(callEntry),
    serve: ({ control, query }) => control.personReader.personCalls(whoQuery(query), pageOf(query).limit),
  }),
];
