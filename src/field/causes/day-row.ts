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
  /** The phone time of each text is its arrival: the log has none, and its reader took that. */
  readonly lacksPhoneTimes: boolean;
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
  const retries = new Retries();
  const messages = new MessageIds();
  let toMs = -Infinity;
  for (const event of events) {
    toMs = Math.max(toMs, event.atMs);
    const attempts = attemptsOf(event);
    const before = latest.get(event.body);
    if (before !== undefined && retries.isRetry(before, event.atMs)) {
      before.attempts.push(...attempts);
      continue;
    }
    const decoded = rowOf(event, attempts, withoutId);
    if (decoded === undefined) {
      unread.push(event.place);
      continue;
    }
    const row =
      decoded.id === undefined && isMessageReport(decoded) ? { ...decoded, id: messages.idOf(decoded) } : decoded;
    latest.set(event.body, row);
    rows.push(row);
    const ofPhone = phones.get(row.relayer);
    if (ofPhone === undefined) phones.set(row.relayer, [row]);
    else ofPhone.push(row);
  }
  const texts = rows.filter(({ type, phoneMs }) => type === "mo_sms" && phoneMs !== undefined);
  return {
    rows,
    phones,
    unread,
    fromMs: rows[0]?.atMs ?? 0,
    toMs: rows.length === 0 ? 0 : toMs,
    lacksPhoneTimes: texts.length > 0 && texts.every(({ phoneMs, atMs }) => phoneMs === Math.floor(atMs)),
  };
}

function attemptsOf({ place, atMs, answer, retries = [] }: FieldEvent): Attempt[] {
  return [{ place, atMs, answer }, ...retries.map((retry) => ({ place, atMs: retry.atMs, answer: retry.answer }))];
}

/** The service waits longer than this before it tries again; a phone may tell a report again within it. */
export const shortestRetryWaitMs = 30_000;
/** The service's waits are those of its schedule. */
const sameWaitMs = 1_500;
const leastSameWaits = 3;

/** Tells which requests with the body of an earlier one are retries of it. */
class Retries {
  readonly #waits: number[] = [];

  isRetry(before: DayRow, atMs: number): boolean {
    const last = before.attempts.at(-1);
    const waitMs = atMs - (last?.atMs ?? atMs);
    const { answer } = last ?? {};
    const isFailed =
      answer !== undefined && (answer.status === undefined || answer.status < 200 || answer.status > 299);
    // A phone that tells a text or call again gets another id for it, and an alarm is made once.
    const isOnce = before.id !== undefined && before.type.startsWith("mo_");
    const isAlarm = before.type === "alarm" && answer === undefined && waitMs > shortestRetryWaitMs;
    if (isFailed || isOnce || isAlarm) {
      if (waitMs > shortestRetryWaitMs && this.#waits.length < 100) this.#waits.push(waitMs);
      return true;
    }
    // A report about a message has the message's id each time: a retry comes after one of the service's waits.
    return (
      before.type.startsWith("mt_") &&
      waitMs > shortestRetryWaitMs &&
      answer?.status !== undefined &&
      this.#isOfSchedule(waitMs)
    );
  }

  #isOfSchedule(waitMs: number): boolean {
    const same = this.#waits.filter((known) => Math.abs(known - waitMs) <= sameWaitMs).length;
    return same >= leastSameWaits && same * 2 > this.#waits.length;
  }
}

function isMessageReport({ type }: DayRow): boolean {
  return type === "mt_sent" || type === "mt_dlvd" || type === "mt_fail";
}

/** Ids of messages whose log has none: a delivery belongs to the oldest message with its words that has none yet. */
class MessageIds {
  readonly #known = new Map<string, number>();
  readonly #open = new Map<string, number[]>();
  #last = 0;

  idOf({ type, relayer, phone, text, phoneMs }: DayRow): number {
    const message = JSON.stringify([relayer, phone, text]);
    const report = JSON.stringify([type, message, phoneMs]);
    const known = this.#known.get(report);
    if (known !== undefined) return known;
    const open = this.#open.get(message) ?? [];
    const id = (type === "mt_sent" ? undefined : open.shift()) ?? --this.#last;
    if (type === "mt_sent") this.#open.set(message, [...open, id]);
    this.#known.set(report, id);
    return id;
  }
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
