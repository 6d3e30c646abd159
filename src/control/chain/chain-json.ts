import type { Chain, ChainAttempt, ChainEvent, ChainMessage, ChainStep, Header } from "../../console/index.js";
import { eventId } from "../../measure/index.js";
import { type Life, type LifeEntry, type LifeSubject, messageText } from "../../report/index.js";
import type { Lookup, RecordedAttempt, RecordedMessage, RecordingReader, TracedEvent } from "../../store/index.js";
import { copyCauses, formatTimestampZoned, formField, parseForm } from "../../wire/index.js";
import type { LabNames } from "../lab-names.js";
import { answerBodyOf } from "./answer-body.js";
import { curlOf } from "./curl.js";

/**
 * Most events of a chain that are shown with details: a text that was reported thousands of times would not fit a page.
 */
const EVENTS_MAX = 100;

/** Most events of a chain with full answers. More would be megabytes, and the page polls. */
const LONG_ANSWERS_MAX = 10;

/** Bytes of the answer that each further event shows. */
const SHORT_ANSWER_BYTES = 2048;

/** The sources from which a chain is built. */
export interface ChainSource {
  readonly recording: RecordingReader;
  readonly names: LabNames;
  readonly startsAtMs: number;
  /** Wall time at which an attempt was sent, in milliseconds since 1970; null: unknown. */
  readonly wallOf: (attempt: RecordedAttempt) => number | null;
  /** Whether the service still attempts to deliver an event. */
  readonly isOpen: (event: TracedEvent) => boolean;
  /** The headers of an attempt's request. */
  readonly headersOf: (request: {
    readonly url: string;
    readonly body: string;
    readonly attempt: RecordedAttempt;
  }) => readonly (readonly [name: string, value: string])[];
}

/** The control API's answer for a life, with the details of its events and messages. */
export function chainJson(source: ChainSource, life: Life, subject: LifeSubject): Chain {
  const { recording } = source;
  const lookup = recording.lookup();
  const ids = [...new Set(life.entries.flatMap(({ event }) => (event === undefined ? [] : [event])))];
  const events = ids.slice(0, EVENTS_MAX).flatMap((id) => {
    const [channel = 0, number = 0] = id.split("/").map(Number);
    const event = lookup.event(channel, number);
    return event === undefined ? [] : [event];
  });
  const messages = [...new Set(life.entries.flatMap(({ message }) => (message === undefined ? [] : [message])))];
  return {
    id: life.id,
    kind: subject.kind,
    about: life.about,
    headline: life.headline,
    steps: life.entries.map((entry) => stepOf(source, entry)),
    events: events.map((event) => {
      const isLong = events.length <= LONG_ANSWERS_MAX || eventId(event) === life.id;
      return eventOf(source, lookup, { event, ...(!isLong && { shownBytes: SHORT_ANSWER_BYTES }) });
    }),
    events_left_out: ids.length - events.length,
    messages: messages.flatMap((id) => {
      const message = lookup.message(id);
      return message === undefined ? [] : [messageOf(source, lookup, message)];
    }),
  };
}

function stepOf(source: ChainSource, entry: LifeEntry): ChainStep {
  const { names } = source;
  const { atMs, forMs, kind, text, event, message, channel, phone, copyOf, copyCause } = entry;
  return {
    kind,
    text,
    at: instant(source, atMs),
    at_ms: atMs,
    for_ms: forMs ?? null,
    event: event ?? null,
    message: message ?? null,
    handset: channel === undefined ? null : names.handset(channel),
    person: phone === undefined ? null : names.person(phone),
    try: entry.try ?? null,
    copy_of: copyOf ?? null,
    copy_why: copyCause === undefined ? null : whyCopied(copyCause),
    by_hand: entry.isByHand === true,
  };
}

function eventOf(
  source: ChainSource,
  lookup: Lookup,
  { event, shownBytes }: { readonly event: TracedEvent; readonly shownBytes?: number },
): ChainEvent {
  const { channel, number, atMs, type, body, copy } = event;
  const phone = formField(body, "phone");
  const original = copy === null ? undefined : lookup.event(channel, copy.of);
  const byHand = lookup.triesByHand(channel, number);
  const reply = lookup.answersTo(channel, number).at(-1);
  return {
    id: eventId(event),
    type,
    at: instant(source, atMs),
    at_ms: atMs,
    handset: source.names.handset(channel),
    channel,
    person: phone === undefined ? null : source.names.person(phone),
    subject: event.subject,
    began_at: event.beganAtMs === null ? null : instant(source, event.beganAtMs),
    phone_at: event.phoneAtMs === null ? null : instant(source, event.phoneAtMs),
    request_body: body,
    fields: Object.fromEntries(parseForm(body)),
    copy:
      copy === null
        ? null
        : {
            of: `${channel}/${copy.of}`,
            cause: copy.cause,
            why: whyCopied(copy.cause),
            differs: original === undefined ? [] : differences(original.body, body),
          },
    copies: lookup.copiesOf(channel, number).map(eventId),
    is_open: source.isOpen(event),
    attempts: source.recording
      .attemptsOf(channel, number)
      .map((attempt) => attemptOf(source, attempt, { body, isByHand: byHand.includes(attempt.try), shownBytes })),
    reply:
      reply === undefined
        ? null
        : { kind: reply.kind, reason: reply.reason, detail: reply.detail, at: instant(source, reply.atMs) },
    messages: lookup.repliesOf(channel, number).map(({ id }) => id),
  };
}

function attemptOf(
  source: ChainSource,
  attempt: RecordedAttempt,
  {
    body,
    isByHand,
    shownBytes,
  }: { readonly body: string; readonly isByHand: boolean; readonly shownBytes: number | undefined },
): ChainAttempt {
  const { url } = attempt;
  const headers = source.headersOf({ url, body, attempt });
  const answered = headersIn(attempt.headers);
  const wallMs = source.wallOf(attempt);
  return {
    try: attempt.try,
    at: instant(source, attempt.dueAtMs),
    effect_at: instant(source, attempt.effectAtMs),
    wall_at: wallMs === null ? null : formatTimestampZoned(Math.round(wallMs)),
    duration_ms: rounded(attempt.durationMs),
    latency_ms: rounded(attempt.latencyMs),
    outcome: attempt.outcome,
    by_hand: isByHand,
    is_repeat: attempt.isRepeat,
    redirects: attempt.redirects,
    request: { method: "POST", url, headers: headers.map(([name, value]) => ({ name, value })), body },
    response: {
      status: attempt.status,
      error: attempt.error,
      headers: answered,
      ...answerBodyOf(attempt, new Map(answered.map(({ name, value }) => [name.toLowerCase(), value])), shownBytes),
    },
    curl: curlOf({ url, headers, body }),
  };
}

function messageOf(source: ChainSource, lookup: Lookup, message: RecordedMessage): ChainMessage {
  return {
    id: message.id,
    text: messageText(lookup, message) ?? "",
    status: message.status,
    direction: message.direction,
    origin: message.origin,
    handset: source.names.handset(message.channel),
    channel: message.channel,
    person: source.names.person(message.phone),
    created_at: instant(source, message.createdAtMs),
    sent_at: message.sentAtMs === null ? null : instant(source, message.sentAtMs),
    modified_at: instant(source, message.modifiedAtMs),
    reply_to: message.replyTo === null ? null : `${message.replyTo.channel}/${message.replyTo.event}`,
    heard_at: lookup.hearingsOf(message.id).map((atMs) => instant(source, atMs)),
    outcomes: lookup.outcomesOf(message.id).map(eventId),
  };
}

/** The fields in which a copy differs from its original. A null value means that the field is absent. */
function differences(original: string, copy: string): NonNullable<ChainEvent["copy"]>["differs"] {
  const [before, after] = [new Map(parseForm(original)), new Map(parseForm(copy))];
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => before.get(field) !== after.get(field))
    .map((field) => ({ field, original: before.get(field) ?? null, copy: after.get(field) ?? null }));
}

function whyCopied(cause: string): string {
  return (copyCauses as Readonly<Record<string, string>>)[cause] ?? cause;
}

function headersIn(lines: string | null): Header[] {
  return (lines ?? "").split(/\r?\n/).flatMap((line) => {
    const colon = line.indexOf(":");
    return colon <= 0 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
  });
}

function instant({ startsAtMs }: ChainSource, atMs: number): string {
  return formatTimestampZoned(startsAtMs + atMs);
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
