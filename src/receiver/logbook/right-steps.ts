import {
  cutText,
  decodeEvent,
  encodeForm,
  type FormPair,
  isE164,
  parseForm,
  parseTimestamp,
} from "../../wire/index.js";
import { readPairs } from "../received-event.js";
import type { LogbookRecords, MessageRow } from "./records.js";
import type { LogbookEvent, LogbookOutcome, LogbookSteps } from "./steps.js";

/** A service takes texts of up to 480 characters (docs/reference/webhook.md#json-replies). */
export const MAX_REPLY_CHARACTERS = 480;

/**
 * The right steps. They take every spelling, act once for each event, in any order, and never move a status back.
 *
 * A copy of an event that is known gets no reply: the first answer has asked for it.
 */
export function rightSteps(records: LogbookRecords): LogbookSteps {
  return {
    admit: () => undefined,
    decode: ({ body }) => parseForm(body.toString("utf8")),
    read: readEvent,
    identify: (event) => contentKey(event) ?? readPairs(event.pairs).key ?? flowKey(event),
    claim: (key) => {
      if (key === null) return true;
      if (records.known.has(key)) return false;
      records.known.add(key);
      return true;
    },
    apply: (event) => applyEvent(event, records),
    reply: (event) => replyTo(event, records),
    answer: answerOutcome,
  };
}

/** Reads an event in any spelling. Nothing is required: what cannot be read is empty. */
export function readEvent(pairs: readonly FormPair[]): LogbookEvent {
  const { event, field } = readPairs(pairs);
  const isFlow = event === "" && ["flow", "step", "values"].every((name) => field(name) !== undefined);
  return {
    pairs,
    type: isFlow ? "flow" : event,
    relayer: field("relayer") ?? field("channel") ?? "",
    id: field("sms") ?? field("call") ?? field("id") ?? "",
    phone: field("phone") ?? "",
    text: field("text") ?? "",
    timeMs: readTime(field("time") ?? field("occurred_on") ?? ""),
    duration: Number(field("duration") ?? 0) || 0,
    field,
  };
}

/** A time with or without fraction and zone; without one it is UTC. Null: it is no time. */
export function readTime(text: string): number | null {
  const hasOffset = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d:\d\d$/.test(text);
  return hasOffset ? Date.parse(text) : (parseTimestamp(text) ?? null);
}

/**
 * The key of a text or call: channel, person, words and the phone's time. Its id would not do: what a phone tells twice
 * gets another id (docs/reference/handset.md#duplicates-and-losses). Null: it has no time, or is neither.
 */
function contentKey({ type, relayer, phone, text, timeMs }: LogbookEvent): string | null {
  const isToldByPhone = type === "mo_sms" || type === "mo_miss" || type === "mo_call" || type === "mt_call";
  return isToldByPhone && timeMs !== null ? `${type} ${relayer} ${JSON.stringify([phone, text, timeMs])}` : null;
}

/** The key of a historic flow post, which has no `event`. */
function flowKey({ type, pairs }: LogbookEvent): string | null {
  return type === "flow" ? readPairs([["event", "flow"], ...pairs]).key : null;
}

/** A time as the effects show it. */
export function isoTime(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Writes what an event says. */
export function applyEvent(event: LogbookEvent, records: LogbookRecords): void {
  switch (event.type) {
    case "mo_sms":
      return applyText(event, records);
    case "mt_sent":
    case "mt_dlvd":
    case "mt_fail":
      return applyReport(event, records, furthest);
    case "mo_call":
    case "mo_miss":
    case "mt_call":
    case "mt_miss":
      return applyCall(event, records);
    case "alarm":
      records.alarms.push({
        relayer: event.relayer,
        lastSeen: isoTime(readTime(event.field("last_seen") ?? "")),
        fields: fieldsOf(event),
      });
      return;
    case "flow":
      return applyFlow(event, records);
    default:
      records.others.push({ type: event.type, fields: fieldsOf(event) });
  }
}

function applyText({ relayer, id, phone, text, timeMs }: LogbookEvent, records: LogbookRecords): void {
  const time = isoTime(timeMs);
  records.messages.push({
    relayer,
    id,
    phone,
    direction: "in",
    text,
    status: "received",
    time,
    deliveredAt: null,
  });
  records.contactOf(phone).texts++;
}

type Status = MessageRow["status"];

const reported: Readonly<Record<string, Exclude<Status, "received">>> = {
  mt_sent: "sent",
  mt_fail: "failed",
  mt_dlvd: "delivered",
};

const order: readonly Status[] = ["received", "sent", "failed", "delivered"];

/** The status that is further on: reports come in any order. */
function furthest(now: Status, next: Status): Status {
  return order.indexOf(next) > order.indexOf(now) ? next : now;
}

/** Applies a report about an outgoing text. @param statusAfter - of the status now, and the reported one */
export function applyReport(
  event: LogbookEvent,
  records: LogbookRecords,
  statusAfter: (now: Status, next: Status) => Status,
): void {
  const status = reported[event.type] ?? "sent";
  const { relayer, id, phone, text } = event;
  const time = isoTime(event.timeMs);
  const contact = records.contactOf(phone);
  contact[status]++;
  let row = records.outgoing(relayer, id);
  if (row === undefined) {
    row = { relayer, id, phone, direction: "out", text, status, time: null, deliveredAt: null };
    records.addOutgoing(row);
  }
  row.status = statusAfter(row.status, status);
  if (status === "delivered") row.deliveredAt ??= time;
  else row.time ??= time;
}

const callKinds = {
  mo_call: "answered",
  mo_miss: "missed",
  mt_call: "made",
  mt_miss: "not picked up",
} as const;

function applyCall(event: LogbookEvent, records: LogbookRecords): void {
  const kind = callKinds[event.type as keyof typeof callKinds];
  const { relayer, id, phone, duration, timeMs } = event;
  records.calls.push({ relayer, id, phone, kind, duration, time: isoTime(timeMs) });
  const contact = records.contactOf(phone);
  if (kind === "missed" || kind === "not picked up") contact.missed++;
  else contact.calls++;
  contact.talkedSeconds += duration;
}

function applyFlow(event: LogbookEvent, records: LogbookRecords): void {
  const { event: decoded } = decodeEvent(
    encodeForm([["event", "flow"], ...event.pairs.filter(([key]) => key !== "event")]),
  );
  const values = "values" in decoded ? (decoded.values ?? []) : [];
  records.flows.push({
    phone: event.phone,
    flow: event.field("flow") ?? "",
    step: event.field("step") ?? "",
    values: values.map(({ label, category, value }) => ({ label, category, value })),
  });
}

function fieldsOf({ pairs }: LogbookEvent): Record<string, string> {
  return Object.fromEntries(pairs.filter(([key]) => key !== "event").toReversed());
}

/**
 * Answers a text of a person with its number and its words, and a missed call. A short code or a name gets none: machines
 * that answer each other never stop (docs/reference/handset.md#field-reports).
 */
export function replyTo({ type, phone, text }: LogbookEvent, records: LogbookRecords): string | undefined {
  if ((type !== "mo_sms" && type !== "mo_miss") || !isE164(phone)) return undefined;
  const words = type === "mo_miss" ? "We have seen your call." : replyText(phone, text, records);
  const reply = cutText(words, MAX_REPLY_CHARACTERS);
  records.replies.push({ phone, text: reply });
  return reply;
}

/** The reply to a text, before it is cut. */
export function replyText(phone: string, text: string, records: LogbookRecords): string {
  return `Text ${records.contactOf(phone).texts} of yours is here: ${text}`;
}

/** Status 200, with a JSON body that asks for the reply. */
export function answerOutcome({ event, reply }: LogbookOutcome): { readonly status: number; readonly body: string } {
  return { status: 200, body: reply === undefined ? "" : JSON.stringify({ urn: [`tel:${event.phone}`], text: reply }) };
}
