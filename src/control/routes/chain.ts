import { detailError, required, schema } from "../../api/index.js";
import { words } from "./kinds.js";
import { personSchema } from "./log-entry.js";
import { type ControlRequest, type ControlRoute, readRoute, writeRoute } from "./route.js";

const { arrayOf, boolean, integer, nullable, objectOf, text, timestamp } = schema;

const milliseconds: schema.JsonSchema = { type: "number" };
const headers = arrayOf(objectOf({ name: text, value: text }));

const step = objectOf({
  kind: {
    ...text,
    description:
      "text, call, received, event, attempt, reply, queued, taken, heard, failed, lost, or what delayed it: held-by-carrier, held-by-phone, waited-for-sync, sync-failed, outbox, radio-failed",
  },
  text,
  at: { ...timestamp, description: "Virtual time" },
  at_ms: milliseconds,
  for_ms: { ...nullable(milliseconds), description: "Virtual time that it took; null: an instant" },
  event: nullable(text),
  message: nullable(integer),
  handset: nullable(text),
  person: nullable(personSchema),
  try: nullable(integer),
  copy_of: nullable(text),
  copy_why: nullable(text),
  by_hand: boolean,
});

const attempt = objectOf({
  try: integer,
  at: { ...timestamp, description: "Virtual time at which it was due" },
  effect_at: { ...timestamp, description: "Virtual time at which its answer took effect" },
  wall_at: { ...nullable(timestamp), description: "Real time at which it was sent; null: not known, or not sent" },
  duration_ms: { ...milliseconds, description: "Real time from the request to the answer" },
  latency_ms: { ...milliseconds, description: "Real time from the due time to the answer" },
  outcome: text,
  by_hand: boolean,
  is_repeat: { ...boolean, description: "The run was killed while it was in flight, and it was sent once more" },
  redirects: arrayOf(text),
  request: objectOf({
    method: text,
    url: nullable(text),
    headers: { ...headers, description: "As the lab sends them; secrets as the recording keeps them" },
    body: text,
  }),
  response: objectOf({
    status: nullable(integer),
    error: nullable(text),
    headers,
    body: {
      ...nullable(text),
      description: "By the charset of its headers; a dump of the first bytes if it is binary; null: empty, or not kept",
    },
    body_bytes: { ...integer, description: "As it came, compressed or not" },
    is_binary: boolean,
    is_cut: { ...boolean, description: "The body is longer than what is here" },
  }),
  curl: { ...nullable(text), description: "A command for sh that posts the same" },
});

const event = objectOf({
  id: text,
  type: text,
  at: timestamp,
  at_ms: milliseconds,
  handset: text,
  channel: integer,
  person: nullable(personSchema),
  subject: { ...nullable(integer), description: "Number of the message or call that it is about" },
  began_at: nullable(timestamp),
  phone_at: nullable(timestamp),
  request_body: text,
  fields: { type: "object", additionalProperties: text },
  copy: nullable(
    objectOf({
      of: text,
      cause: text,
      why: text,
      differs: arrayOf(objectOf({ field: text, original: nullable(text), copy: nullable(text) })),
    }),
  ),
  copies: arrayOf(text),
  is_open: { ...schema.boolean, description: "The service still makes attempts at it" },
  attempts: arrayOf(attempt),
  reply: nullable(
    objectOf({
      kind: schema.oneOf(["valid", "ignored"]),
      reason: nullable(text),
      detail: nullable(text),
      at: timestamp,
    }),
  ),
  messages: { ...arrayOf(integer), description: "The messages that its answer asked for" },
});

const message = objectOf({
  id: integer,
  text,
  status: text,
  direction: text,
  origin: text,
  handset: text,
  channel: integer,
  person: personSchema,
  created_at: timestamp,
  sent_at: nullable(timestamp),
  modified_at: timestamp,
  reply_to: nullable(text),
  heard_at: arrayOf(timestamp),
  outcomes: arrayOf(text),
});

const idParameter = {
  id: { type: "string", description: "Id of an event (`3/17`), or number of a message or call" },
};

/** Routes of causality: what led to an event or message, and what can be done about it. */
export const chainRoutes: readonly ControlRoute[] = [
  readRoute({
    path: "/chain",
    about: "What led to an event, message or call, and what followed: each step with its requests and answers.",
    parameters: idParameter,
    answer: objectOf({
      id: text,
      kind: schema.oneOf(["incoming", "outgoing", "alone"]),
      about: text,
      headline: arrayOf(text),
      steps: arrayOf(step),
      events: arrayOf(event),
      events_left_out: integer,
      messages: arrayOf(message),
    }),
    serve: (request) => request.control.chains.chain(idOf(request)),
  }),
  readRoute({
    path: "/chain/scenario",
    about: "A scenario of the steps that led to an event, message or call: YAML that `handset run` plays.",
    parameters: idParameter,
    answer: objectOf({ yaml: text, notes: { ...arrayOf(text), description: "What it does not repeat exactly" } }),
    serve: (request) => request.control.chains.scenarioOf(idOf(request)),
  }),
  writeRoute({
    method: "POST",
    path: "/events/resend",
    about: "Sends an event again by hand, as one more attempt, to where its channel's events go now.",
    fields: { id: required(words, "Id of an event whose delivery is over, such as `3/17`") },
    example: () => ({ id: "1/1" }),
    answer: objectOf({ id: text, try: integer, url: text }),
    serve: ({ id }, { control }) => control.chains.resend(id),
  }),
];

function idOf({ query }: ControlRequest): string {
  const id = query.get("id") ?? "";
  if (id === "") throw detailError(400, "Give the id of an event, such as 3/17, or the number of a message or call.");
  return id;
}
