import { schema } from "../../api/index.js";
import type { LoggedAttempt, LoggedEvent } from "../../store/index.js";
import { formField, parseForm } from "../../wire/index.js";
import type { Control } from "../control.js";
import { instantOf } from "./shapes.js";

/** Bytes of an answer's body that the log shows. */
const BODY_SHOWN = 4096;

/** What `outcome` says. */
export const outcomesAbout =
  "waiting, accepted, retried, refused, failed, timeout or connection; nowhere: its channel had no delivery URL or does not forward its type";

const attempt = schema.objectOf({
  try: schema.integer,
  at: schema.timestamp,
  duration_ms: { type: "number" },
  url: { ...schema.nullable(schema.text), description: "Where it was sent" },
  status: schema.nullable(schema.integer),
  error: schema.nullable(schema.text),
  outcome: schema.text,
  response_headers: schema.nullable(schema.text),
  response_body: schema.nullable(schema.text),
});

/** A person, as the log and chains name them. */
export const personSchema: schema.JsonSchema = schema.objectOf({
  selector: { ...schema.nullable(schema.text), description: "`farmers/3`; null: the lab has no such person" },
  phone: schema.text,
  name: schema.nullable(schema.text),
});

const ofBoth = {
  id: { ...schema.text, description: "channel/number" },
  row: { ...schema.integer, description: "Its place in the log, for `behind` and `ahead`" },
  channel: schema.integer,
  number: schema.integer,
  handset: schema.text,
  at: schema.timestamp,
  type: schema.text,
  outcome: { ...schema.text, description: outcomesAbout },
};

/** An event of the log. */
export const entrySchema: schema.JsonSchema = schema.objectOf({
  ...ofBoth,
  url: schema.nullable(schema.text),
  request_body: { ...schema.text, description: "As sent" },
  fields: { type: "object", description: "The same, read", additionalProperties: schema.text },
  retries: schema.integer,
  attempts: schema.arrayOf(attempt),
  reply: schema.nullable(
    schema.objectOf({
      kind: schema.oneOf(["valid", "ignored"]),
      reason: schema.nullable(schema.text),
      detail: schema.nullable(schema.text),
    }),
  ),
});

/** An event of the log on one line. */
export const lineSchema: schema.JsonSchema = schema.objectOf({
  ...ofBoth,
  person: schema.nullable(personSchema),
  text: { ...schema.nullable(schema.text), description: "Its field `text`" },
  status: schema.nullable(schema.integer),
  error: { ...schema.nullable(schema.text), description: "Why the last attempt has no answer" },
  is_open: { ...schema.boolean, description: "The service still makes attempts at it" },
  ignored: { ...schema.nullable(schema.text), description: "Why the service ignored the receiver's answer" },
  duration_ms: schema.nullable({ type: "number" }),
  tries: schema.integer,
  copy_of: { ...schema.nullable(schema.text), description: "Id of the event of which it is a copy" },
});

/** An event with its attempts and its reply. */
export function entryOf(control: Control, event: LoggedEvent): Record<string, unknown> {
  const attempts = control.log.attemptsOf(event);
  const last = attempts.at(-1);
  return {
    ...placeOf(control, event),
    url: last?.url ?? (event.isPosted === 0 ? null : control.names.deliveryUrl(event.channel)),
    request_body: event.body,
    fields: Object.fromEntries(parseForm(event.body)),
    outcome: outcomeOf(event, last),
    retries: Math.max(0, attempts.length - 1),
    attempts: attempts.map((one) => attemptOf(control, one)),
    reply: control.log.replyTo(event) ?? null,
  };
}

/** An event on one line: a log of a million events shows hundreds of them at once. */
export function lineOf(control: Control, event: LoggedEvent): Record<string, unknown> {
  const last = control.log.lastAttemptOf(event);
  const phone = formField(event.body, "phone");
  return {
    ...placeOf(control, event),
    person: phone === undefined ? null : control.names.person(phone),
    text: formField(event.body, "text") ?? null,
    outcome: outcomeOf(event, last),
    status: last?.status ?? null,
    error: last?.error ?? null,
    is_open: last === undefined ? event.isPosted === 1 : control.served.lab.retryOf(event) !== undefined,
    ignored: last?.outcome === "accepted" ? ignoredReasonOf(control, event) : null,
    duration_ms: last === undefined ? null : rounded(last.durationMs),
    tries: last?.try ?? 0,
    copy_of: event.copyOf === null ? null : `${event.channel}/${event.copyOf}`,
  };
}

/** An answer without a text is no mistake: many receivers answer `{"status": "ok"}`. */
function ignoredReasonOf(control: Control, event: LoggedEvent): string | null {
  const reply = control.log.replyTo(event);
  if (reply?.kind !== "ignored" || reply.reason === "no-text") return null;
  return reply.detail ?? reply.reason;
}

/** The state of an event's delivery: the outcome of its last attempt. */
export function outcomeOf(
  { isPosted }: Pick<LoggedEvent, "isPosted">,
  last: { readonly outcome: string } | undefined,
): string {
  return last?.outcome ?? (isPosted === 0 ? "nowhere" : "waiting");
}

function placeOf(control: Control, { row, channel, number, atMs, type }: LoggedEvent): Record<string, unknown> {
  const handset = control.names.handset(channel);
  return { id: `${channel}/${number}`, row, channel, number, handset, at: instantOf(control, atMs), type };
}

function attemptOf(control: Control, one: LoggedAttempt): Record<string, unknown> {
  return {
    try: one.try,
    at: instantOf(control, one.dueAtMs),
    duration_ms: rounded(one.durationMs),
    url: one.url,
    status: one.status,
    error: one.error,
    outcome: one.outcome,
    response_headers: one.headers,
    response_body: one.body === null ? null : new TextDecoder().decode(one.body.subarray(0, BODY_SHOWN)),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
