import { schema, type ValueOf } from "../../../schema/index.js";
import { nullableText, nullableTime, personName } from "./shared.js";

const { anyOf, arrayOf, boolean, described, integer, mapOf, nullable, number, objectOf, oneOf, text, timestamp } =
  schema;

/** Description of `outcome`. */
export const outcomesAbout =
  "waiting, accepted, retried, refused, failed, timeout or connection; nowhere: its channel had no delivery URL or does not forward its type";

/** Most events that a page of the log examines. */
export const SEARCHED_MAX = 20_000;

const logAttempt = objectOf({
  try: integer,
  at: timestamp,
  duration_ms: number,
  url: described("The URL to which it was sent", text),
  status: nullable(integer),
  error: nullableText,
  outcome: text,
  response_headers: nullableText,
  response_body: nullableText,
});
export type LogAttempt = ValueOf<typeof logAttempt>;

const ofBoth = {
  id: described("channel/number", text),
  row: described("Its place in the log, for `behind` and `ahead`", integer),
  channel: integer,
  number: integer,
  handset: text,
  at: timestamp,
  type: text,
  outcome: described(outcomesAbout, text),
};

/** An event of the log, with its attempts and its reply. */
export const logEvent = objectOf({
  ...ofBoth,
  url: nullableText,
  request_body: described("As sent", text),
  fields: described("The body, decoded", mapOf(text)),
  retries: integer,
  attempts: arrayOf(logAttempt),
  reply: nullable(objectOf({ kind: oneOf(["valid", "ignored"]), reason: nullableText, detail: nullableText })),
});
export type LogEvent = ValueOf<typeof logEvent>;

/** An event of the log, without requests and answers. */
export const logLine = objectOf({
  ...ofBoth,
  person: nullable(personName),
  text: described("Its field `text`", nullableText),
  status: nullable(integer),
  error: described("Reason why the last attempt has no answer", nullableText),
  is_open: described("The service still attempts to deliver it", boolean),
  ignored: described("Reason why the service ignored the receiver's answer", nullableText),
  duration_ms: nullable(number),
  tries: integer,
  copy_of: described("Id of the event of which it is a copy", nullableText),
});
export type LogLine = ValueOf<typeof logLine>;

/** A page of the log, the newest event first. */
export const logPage = objectOf({
  next: described(
    `For \`behind\`, to continue with older events; null: there are none. A page examines up to ${SEARCHED_MAX} events, so it may have fewer results than \`limit\`, or none, and still a \`next\``,
    nullable(integer),
  ),
  previous: described("For `ahead`, to continue with newer events; null: there are none", nullable(integer)),
  total: described("All events of the log when the search started, without filters", integer),
  searched: described("Number of events that this page examined", integer),
  reached: described("Time of the last event examined", nullableTime),
  attempts: described("Attempts in the log when the page was read, for `attempted`", integer),
  results: arrayOf(anyOf(logEvent, logLine)),
});
export type LogPage = ValueOf<typeof logPage>;

/** A page of events without requests and answers. */
export interface LogLines extends LogPage {
  readonly results: readonly LogLine[];
}

/** A message of the log's live stream, `/lab/events/stream`. */
export const streamedHappening = anyOf(
  objectOf({ at: timestamp, kind: oneOf(["event"]), channel: integer, number: integer, type: text, body: text }),
  objectOf({
    at: timestamp,
    kind: oneOf(["attempt"]),
    channel: integer,
    number: integer,
    try: integer,
    status: nullable(integer),
    error: nullableText,
    outcome: text,
    durationMs: number,
  }),
  objectOf({ at: timestamp, kind: oneOf(["note"]), channel: integer, word: text, text }),
  objectOf({ at: timestamp, kind: oneOf(["call"]), method: text, path: text }),
  objectOf({ at: timestamp, kind: oneOf(["hand"]), text }),
);
export type StreamedHappening = ValueOf<typeof streamedHappening>;

const loss = objectOf({
  at: described("When it was lost", timestamp),
  at_ms: integer,
  cause: described("A cause of the ledger: carrier, paused, reset, unreachable…", text),
  why: text,
  handset: text,
  person: personName,
  text: described("null: a call", nullableText),
  message: described("Number of the service's message; null: a person's text, or a call", nullable(integer)),
});
/** A text or call that was lost. */
export type LossEntry = ValueOf<typeof loss>;

/** A page of losses, newest first; `counts` has all causes. */
export const losses = objectOf({
  results: arrayOf(loss),
  next: nullableText,
  counts: arrayOf(objectOf({ cause: text, why: text, count: integer })),
});
export type Losses = ValueOf<typeof losses>;
