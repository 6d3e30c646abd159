import type { LogAttempt, LogEvent, LogLine } from "../../console/index.js";
import type { LoggedAttempt, LoggedEvent } from "../../store/index.js";
import { formField, parseForm } from "../../wire/index.js";
import type { Control } from "../control.js";
import { instantOf } from "./shapes.js";

/** Bytes of an answer's body that the log shows. */
const BODY_SHOWN = 4096;

/** An event with its attempts and its reply. */
export function entryOf(control: Control, event: LoggedEvent): LogEvent {
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

/** An event without its exchanges, small enough for a list of hundreds. */
export function lineOf(control: Control, event: LoggedEvent): LogLine {
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

/**
 * Why the service ignored the answer; null: it did not. An answer without a text is valid: many receivers answer
 * `{"status": "ok"}`.
 */
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

function placeOf(control: Control, { row, channel, number, atMs, type }: LoggedEvent) {
  const handset = control.names.handset(channel);
  return { id: `${channel}/${number}`, row, channel, number, handset, at: instantOf(control, atMs), type };
}

function attemptOf(control: Control, one: LoggedAttempt): LogAttempt {
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
