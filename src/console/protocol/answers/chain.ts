import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime, personName } from "./shared.js";

const { arrayOf, boolean, described, integer, mapOf, nullable, number, objectOf, oneOf, text, timestamp } = schema;

const header = objectOf({ name: text, value: text });
export type Header = ValueOf<typeof header>;

const step = objectOf({
  kind: described(
    "text, call, received, event, attempt, reply, queued, taken, heard, failed, lost, or what delayed it: held-by-carrier, held-by-phone, waited-for-sync, sync-failed, outbox, radio-failed",
    text,
  ),
  text,
  at: described("Virtual time", timestamp),
  at_ms: number,
  for_ms: described("Virtual time that it took; null: an instant", nullable(number)),
  event: nullableText,
  message: nullable(integer),
  handset: nullableText,
  person: nullable(personName),
  try: nullable(integer),
  copy_of: nullableText,
  copy_why: nullableText,
  by_hand: boolean,
});
export type ChainStep = ValueOf<typeof step>;

const attempt = objectOf({
  try: integer,
  at: described("Virtual time at which it was due", timestamp),
  effect_at: described("Virtual time at which its answer took effect", timestamp),
  wall_at: described("Real time at which it was sent; null: not known, or not sent", nullableTime),
  duration_ms: described("Real time from the request to the answer", number),
  latency_ms: described("Real time from the due time to the answer", number),
  outcome: text,
  by_hand: boolean,
  is_repeat: described("The run was killed while it was in flight, and it was sent once more", boolean),
  redirects: arrayOf(text),
  request: objectOf({
    method: text,
    url: text,
    headers: described("As the lab sends them; secrets as the recording keeps them", arrayOf(header)),
    body: text,
  }),
  response: objectOf({
    status: nullable(integer),
    error: nullableText,
    headers: arrayOf(header),
    body: described(
      "By the charset of its headers; a dump of the first bytes if it is binary; null: empty, or not kept",
      nullableText,
    ),
    body_bytes: described("As it came, compressed or not", integer),
    is_binary: boolean,
    is_cut: described("The body is longer than what is here", boolean),
  }),
  curl: described("A command for sh that posts the same", text),
});
export type ChainAttempt = ValueOf<typeof attempt>;

const event = objectOf({
  id: text,
  type: text,
  at: timestamp,
  at_ms: number,
  handset: text,
  channel: integer,
  person: nullable(personName),
  subject: described("Number of the message or call that it is about", nullable(integer)),
  began_at: nullableTime,
  phone_at: nullableTime,
  request_body: text,
  fields: mapOf(text),
  copy: nullable(
    objectOf({
      of: text,
      cause: text,
      why: text,
      // A field that is null is absent.
      differs: arrayOf(objectOf({ field: text, original: nullableText, copy: nullableText })),
    }),
  ),
  copies: arrayOf(text),
  is_open: described("The service still makes attempts at it", boolean),
  attempts: arrayOf(attempt),
  reply: nullable(
    objectOf({ kind: oneOf(["valid", "ignored"]), reason: nullableText, detail: nullableText, at: timestamp }),
  ),
  messages: described("The messages that its answer asked for", arrayOf(integer)),
});
export type ChainEvent = ValueOf<typeof event>;

const message = objectOf({
  id: integer,
  text,
  status: text,
  direction: text,
  origin: text,
  handset: text,
  channel: integer,
  person: personName,
  created_at: timestamp,
  sent_at: nullableTime,
  modified_at: timestamp,
  reply_to: nullableText,
  heard_at: arrayOf(timestamp),
  outcomes: arrayOf(text),
});
export type ChainMessage = ValueOf<typeof message>;

/** What led to an event, message or call, and what followed. */
export const chain = objectOf({
  id: text,
  kind: oneOf(["incoming", "outgoing", "alone"]),
  about: text,
  headline: arrayOf(text),
  steps: arrayOf(step),
  events: arrayOf(event),
  events_left_out: integer,
  messages: arrayOf(message),
});
export type Chain = ValueOf<typeof chain>;

/** A scenario of the steps that led to it. */
export const chainScenario = objectOf({
  yaml: text,
  notes: described("What it does not repeat exactly", arrayOf(text)),
});

/** An event that was sent again by hand. */
export const resent = objectOf({ id: text, try: integer, url: text });
export type Resent = ValueOf<typeof resent>;
