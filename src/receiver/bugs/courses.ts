import type { ChangeSteps, LogbookEvent } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const types = "docs/reference/webhook.md#event-types";
const HOUR_MS = 3_600_000;

/** The types of the documentation, which lacks `mt_fail`. */
const documented = new Set([
  "mo_sms",
  "mt_sent",
  "mt_dlvd",
  "mo_call",
  "mo_miss",
  "mt_call",
  "mt_miss",
  "alarm",
  "flow",
]);

const keyword = /^(?:report|join|help|stop|yes|no)\b/i;

/** Events of one phone within this time of the phone, and alarms in all, that a receiver which limits requests takes. */
const PHONE_LIMIT = { events: 20, withinMs: 120_000 };
const ALARM_LIMIT = 10;

/** Fails with 500. @param begin - makes the condition for a receiver that remembers nothing */
function crashesBy(begin: () => (event: LogbookEvent) => boolean, why: string): ChangeSteps {
  return ({ read }) => {
    const isBad = begin();
    return {
      read: (pairs) => {
        const event = read(pairs);
        if (isBad(event)) throw new RangeError(why);
        return event;
      },
    };
  };
}

function crashesAt(isBad: (event: LogbookEvent) => boolean, why: string): ChangeSteps {
  return crashesBy(() => isBad, why);
}

/** Bugs at which an event that is right fails because of what came before it, or of what it is in the field. */
export const courseBugs: readonly ReceiverBug[] = [
  {
    name: "sent-after-delivered-500",
    story: "mt_sent of a text that is delivered crashes it with 500: its states go forward only.",
    source: "docs/reference/handset.md#duplicates-and-losses",
    change: crashesBy(() => {
      const delivered = new Set<string>();
      return ({ type, relayer, id }) => {
        if (type === "mt_dlvd") delivered.add(`${relayer} ${id}`);
        return type === "mt_sent" && delivered.has(`${relayer} ${id}`);
      };
    }, "no transition from delivered to sent"),
  },
  {
    name: "documented-types-only",
    story: "mt_fail, which the documentation lacks, crashes it with 500.",
    source: types,
    change: crashesAt(({ type }) => !documented.has(type), "unknown type"),
  },
  {
    name: "keywords-only",
    story: "A text that begins with none of its keywords crashes it with 500, as a piece of a long text does.",
    source: "docs/reference/handset.md#android-limits",
    change: crashesAt(({ type, text }) => type === "mo_sms" && !keyword.test(text), "no handler for the keyword"),
  },
  {
    name: "needs-relayer-phone",
    story: "An event whose channel has no number crashes it with 500.",
    source: "docs/reference/handset.md#registration",
    change: crashesAt(({ field }) => (field("relayer_phone") ?? field("channel_phone") ?? "") === "", "missing number"),
  },
  {
    name: "needs-phone",
    story: "An event without a phone, such as an alarm, crashes it with 500.",
    source: "docs/reference/webhook.md#alarm-events",
    change: crashesAt(({ phone }) => phone === "", "null value in column 'phone'"),
  },
  {
    name: "one-relayer-per-number",
    story: "A number that comes under another relayer id crashes it with 500: it knows one id a number.",
    source: "docs/reference/handset.md#registration",
    change: crashesBy(() => {
      const relayers = new Map<string, string>();
      return ({ relayer, field }) => {
        const number = field("relayer_phone") ?? field("channel_phone") ?? "";
        const known = relayers.get(number) ?? relayer;
        relayers.set(number, known);
        return known !== relayer;
      };
    }, "duplicate key value violates unique constraint"),
  },
  {
    name: "no-time-before-2000",
    story: "A time before the year 2000 crashes it with 500.",
    source: "docs/reference/handset.md#duplicates-and-losses",
    change: crashesAt(({ timeMs }) => timeMs !== null && timeMs < Date.UTC(2000, 0), "year is out of range"),
  },
  {
    name: "far-ahead-500",
    story: "A time of 30 minutes or more after all that it knows crashes it with 500.",
    source: "docs/reference/handset.md#duplicates-and-losses",
    change: crashesBy(() => {
      let newestMs: number | undefined;
      return ({ timeMs }) => {
        if (timeMs === null) return false;
        if (newestMs !== undefined && timeMs > newestMs + HOUR_MS / 2) return true;
        newestMs = Math.max(newestMs ?? timeMs, timeMs);
        return false;
      };
    }, "the time is in the future"),
  },
  {
    name: "old-calls-500",
    story: "A missed call that began an hour or more before the newest event crashes it with 500.",
    source: "docs/reference/handset.md#call-log",
    change: crashesBy(() => {
      let newestMs = -Infinity;
      return ({ type, timeMs }) => {
        newestMs = Math.max(newestMs, timeMs ?? -Infinity);
        return type === "mo_miss" && timeMs !== null && timeMs < newestMs - HOUR_MS;
      };
    }, "the call is too old"),
  },
  {
    name: "limits-a-phone",
    story: `It answers 500 to more than ${PHONE_LIMIT.events} events of a phone within two minutes.`,
    source: "docs/reference/handset.md#backlog",
    change: crashesBy(() => {
      const times = new Map<string, number[]>();
      return ({ relayer, timeMs }) => {
        if (timeMs === null) return false;
        const { events, withinMs } = PHONE_LIMIT;
        const recent = (times.get(relayer) ?? []).filter((earlierMs) => Math.abs(timeMs - earlierMs) <= withinMs);
        times.set(relayer, [...recent, timeMs]);
        return recent.length >= events;
      };
    }, "too many requests"),
  },
  {
    name: "limits-alarms",
    story: `It answers 500 to all alarms after the first ${ALARM_LIMIT}.`,
    source: "docs/reference/handset.md#alarm-conditions",
    change: crashesBy(() => {
      let count = 0;
      return ({ type }) => type === "alarm" && ++count > ALARM_LIMIT;
    }, "too many alarms"),
  },
];
