import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime, personName } from "./shared.js";

const { arrayOf, boolean, described, integer, mapOf, nullable, number, objectOf, oneOf, text, timestamp } = schema;

const header = objectOf({ name: text, value: text });
export type Header = ValueOf<typeof header>;

const step = objectOf({
  kind: described(
    "text, call, received, event, attempt, reply, queued, taken, heard, failed, lost, or what delayed it: held-by-carrier, held-by-service, held-by-phone, waited-for-sync, sync-failed, outbox, radio-failed",
    text,
  ),
  text,
  at: described("Virtual time", timestamp),
  at_ms: number,
  for_ms: described("Duration in virtual time; null: none", nullable(number)),
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
  wall_at: described("Real time at which it was sent; null: unknown or not sent", nullableTime),
  duration_ms: described("Real time from the request to the answer", number),
  latency_ms: described("Real time from the due time to the answer", number),
  outcome: text,
  by_hand: boolean,
  is_repeat: described("The run was killed while the attempt was in flight, so it was sent again", boolean),
  redirects: arrayOf(text),
  request: objectOf({
    method: text,
    url: text,
    headers: described("As sent by the lab; secrets as recorded", arrayOf(header)),
    body: text,
  }),
  response: objectOf({
    status: nullable(integer),
    error: nullableText,
    headers: arrayOf(header),
    body: described(
      "Decoded by the charset of its headers; a dump of the first bytes if it is binary; null: empty or not recorded",
      nullableText,
    ),
    body_bytes: described("Length as received, possibly compressed", integer),
    is_binary: boolean,
    is_cut: described("`body` has only the beginning", boolean),
  }),
  curl: described("A command for sh that posts the same request", text),
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
      // Null: the field is absent.
      differs: arrayOf(objectOf({ field: text, original: nullableText, copy: nullableText })),
    }),
  ),
  copies: arrayOf(text),
  is_open: described("The service still attempts to deliver it", boolean),
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

/** Causes and effects of an event, message or call. */
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

/** A scenario that reproduces the steps that led to it. */
export const chainScenario = objectOf({
  yaml: text,
  notes: described("Steps that it does not reproduce exactly", arrayOf(text)),
});

/** The result of sending an event again by hand. */
export const resent = objectOf({ id: text, try: integer, url: text });
export type Resent = ValueOf<typeof resent>;
