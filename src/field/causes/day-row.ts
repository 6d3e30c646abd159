import { type DecodedEvent, decodeEvent } from "../../wire/index.js";
import type { FieldAnswer, FieldEvent } from "../field-event.js";

/** One POST of an event: the first, or a retry. */
export interface Attempt {
  readonly place: number;
  readonly atMs: number;
  readonly answer: FieldAnswer | undefined;
}

/** What an alarm says of its phone. */
export interface PowerReading {
  readonly level: number | undefined;
  readonly status: string | undefined;
  readonly source: string | undefined;
  /** By the service's clock, milliseconds since 1970. */
  readonly lastSeenMs: number | undefined;
}

/** An event of the day: the requests of a log that belong to it, decoded. */
export interface DayRow {
  readonly place: number;
  /** When it was sent for the first time. For what a phone reports it is the time of the phone's sync. */
  readonly atMs: number;
  readonly type: string;
  /** The channel's id; below 0: the log has none, and its handsets are counted down from -1. */
  readonly relayer: number;
  readonly relayerPhone: string | undefined;
  /** Of the message or the call. */
  readonly id: number | undefined;
  readonly phone: string | undefined;
  readonly text: string | undefined;
  /** Of a call, in seconds. */
  readonly duration: number | undefined;
  /** By the phone's clock; absent where the event has none. */
  readonly phoneMs: number | undefined;
  readonly power: PowerReading | undefined;
  readonly attempts: Attempt[];
  /** The body's fields as they were sent. Empty for what phones report. */
  readonly pairs: readonly (readonly [key: string, value: string])[];
}

/** Whether a phone's sync brought the row; an alarm or a flow event comes from the service itself. */
export function isReport(row: DayRow): boolean {
  return row.phoneMs !== undefined && isReportType(row.type);
}

function isReportType(type: string): boolean {
  return type.startsWith("mo_") || type.startsWith("mt_");
}

/** Whether a row is about a call, whose phone time is that of its start. */
export function isCall(row: DayRow): boolean {
  return row.duration !== undefined || row.type.endsWith("_call") || row.type.endsWith("_miss");
}

/** Whether a row reports a message of the service: sent, delivered or failed. */
export function isOfSend({ type }: DayRow): boolean {
  return type === "mt_sent" || type === "mt_dlvd" || type === "mt_fail";
}

/** The name of a handset's group in a scenario and in recordings. */
export function handsetName(relayer: number): string {
  return relayer < 0 ? `handset-${-relayer}` : `relayer-${relayer}`;
}

/** A day's rows in the order of time. */
export interface Day {
  readonly rows: readonly DayRow[];
  /** The rows of each channel, in the order of time. */
  readonly phones: ReadonlyMap<number, readonly DayRow[]>;
  /** Places of records that are no event of a channel. */
  readonly unread: readonly number[];
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Decodes the events of a field log, and joins the requests that are retries of one event: the same body again after an
 * answer that the service does not take as accepted, or after none.
 *
 * @param events - in the order of time
 */
export function readDay(events: Iterable<FieldEvent>): Day {
  const rows: DayRow[] = [];
  const phones = new Map<number, DayRow[]>();
  const unread: number[] = [];
  const latest = new Map<string, DayRow>();
  const withoutId = new Map<string, number>();
  let toMs = -Infinity;
  for (const event of events) {
    toMs = Math.max(toMs, event.atMs);
    const attempts = attemptsOf(event);
    const before = latest.get(event.body);
    if (before !== undefined && isRetry(before, event.atMs)) {
      before.attempts.push(...attempts);
      continue;
    }
    const row = rowOf(event, attempts, withoutId);
    if (row === undefined) {
      unread.push(event.place);
      continue;
    }
    latest.set(event.body, row);
    rows.push(row);
    const ofPhone = phones.get(row.relayer);
    if (ofPhone === undefined) phones.set(row.relayer, [row]);
    else ofPhone.push(row);
  }
  return { rows, phones, unread, fromMs: rows[0]?.atMs ?? 0, toMs: rows.length === 0 ? 0 : toMs };
}

function attemptsOf({ place, atMs, answer, retries = [] }: FieldEvent): Attempt[] {
  return [{ place, atMs, answer }, ...retries.map((retry) => ({ place, atMs: retry.atMs, answer: retry.answer }))];
}

/** The service waits longer than this before it tries again; a phone may tell a report again within it. */
const shortestRetryWaitMs = 30_000;

function isRetry(before: DayRow, atMs: number): boolean {
  const last = before.attempts.at(-1);
  if (last?.answer?.status !== undefined) return last.answer.status < 200 || last.answer.status > 299;
  if (last?.answer !== undefined) return true;
  // Without answers: an alarm is made once; a phone that tells a report again does it in a sync with others, see
  // `findLostAnswers`, which looks at what is left here.
  return before.type === "alarm" && atMs - before.atMs > shortestRetryWaitMs;
}

function numberOf(handset: string, withoutId: Map<string, number>): number {
  const number = withoutId.get(handset) ?? -1 - withoutId.size;
  withoutId.set(handset, number);
  return number;
}

/** The fields of all types, each of which some types have. */
interface AnyFields {
  readonly event: string;
  readonly relayer?: number;
  readonly relayerPhone?: string;
  readonly sms?: number;
  readonly call?: number;
  readonly phone?: string;
  readonly text?: string;
  readonly duration?: number;
  readonly time?: number;
  readonly powerLevel?: number;
  readonly powerStatus?: string;
  readonly powerSource?: string;
  readonly lastSeen?: number;
}

function rowOf(
  { place, atMs, body }: FieldEvent,
  attempts: Attempt[],
  withoutId: Map<string, number>,
): DayRow | undefined {
  const { event, pairs }: DecodedEvent = decodeEvent(body);
  if ("pairs" in event) return undefined;
  const fields: AnyFields = event;
  const { event: type, relayerPhone, sms, call, phone, text, duration, time } = fields;
  const relayer = fields.relayer ?? numberOf(relayerPhone ?? "", withoutId);
  return {
    place,
    atMs,
    type,
    relayer,
    relayerPhone,
    id: sms ?? call,
    phone,
    text,
    duration,
    phoneMs: time,
    power:
      type === "alarm"
        ? {
            level: fields.powerLevel,
            status: fields.powerStatus,
            source: fields.powerSource,
            lastSeenMs: fields.lastSeen,
          }
        : undefined,
    attempts,
    pairs: isReportType(type) && type !== "mt_fail" ? [] : pairs.map(({ key, value }) => [key, value]),
  };
}
