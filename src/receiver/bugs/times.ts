import type { LogbookEvent, LogbookSteps } from "../logbook/steps.js";
import type { ReceiverBug } from "./receiver-bug.js";

const values = "docs/reference/webhook.md#value-types";
const clocks = "docs/reference/handset.md#duplicates-and-losses";

const timeOf = ({ field }: LogbookEvent): string => field("time") ?? field("occurred_on") ?? "";

function crashAt(isBad: (time: string) => boolean, why: string) {
  return ({ read }: LogbookSteps): Partial<LogbookSteps> => ({
    read: (pairs) => {
      const event = read(pairs);
      if (timeOf(event) !== "" && isBad(timeOf(event))) throw new RangeError(why);
      return event;
    },
  });
}

/** Reads every time changed. */
function timeAs(change: (timeMs: number, text: string) => number) {
  return ({ read }: LogbookSteps): Partial<LogbookSteps> => ({
    read: (pairs) => {
      const event = read(pairs);
      return { ...event, timeMs: event.timeMs === null ? null : change(event.timeMs, timeOf(event)) };
    },
  });
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The hour that Central European Time leaves out in spring: 2 to 3 o'clock of the last Sunday in March. */
function isSpringHour(time: string): boolean {
  const [, year, month, day, hour] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d)/.exec(time) ?? [];
  if (month !== "03" || hour !== "02") return false;
  return Number(day) > 24 && new Date(Date.UTC(Number(year), 2, Number(day))).getUTCDay() === 0;
}

/** Bugs with the times of phones. */
export const timeBugs: readonly ReceiverBug[] = [
  {
    name: "needs-fraction",
    story: "A time without fraction crashes it with 500.",
    source: values,
    change: crashAt((time) => !time.includes("."), "time data does not match format '%Y-%m-%dT%H:%M:%S.%f'"),
  },
  {
    name: "three-digits-only",
    story: "A time whose fraction has six digits crashes it with 500.",
    source: "docs/reference/webhook.md#receivers",
    change: crashAt((time) => /\.\d{4,}/.test(time), "invalid format: the time is malformed at '000'"),
  },
  {
    name: "zone-crashes",
    story: "A time with a zone crashes it with 500.",
    source: values,
    change: crashAt((time) => /(?:Z|[+-]\d\d:\d\d)$/.test(time), "unconverted data remains: Z"),
  },
  {
    name: "zone-dropped",
    story: "It drops the zone of a time, so the event is hours off.",
    source: values,
    change: timeAs((timeMs, text) => {
      const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
      const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
      return sign === undefined ? timeMs : timeMs + (sign === "+" ? offsetMs : -offsetMs);
    }),
  },
  {
    name: "no-leap-day",
    story: "29 February crashes it with 500.",
    source: values,
    change: crashAt((time) => /-02-29T/.test(time), "day is out of range for month"),
  },
  {
    name: "leap-day-shifts",
    story: "It takes 29 February for 1 March.",
    source: values,
    change: timeAs((timeMs, text) => (/-02-29T/.test(text) ? timeMs + DAY_MS : timeMs)),
  },
  {
    name: "spring-hour-crashes",
    story: "It reads times as local ones, so the hour that spring leaves out crashes it with 500.",
    source: values,
    change: crashAt(isSpringHour, "NonExistentTimeError"),
  },
  {
    name: "spring-hour-shifts",
    story: "It reads times as local ones, so the hour that spring leaves out is moved by an hour.",
    source: values,
    change: timeAs((timeMs, text) => (isSpringHour(text) ? timeMs + HOUR_MS : timeMs)),
  },
  {
    name: "future-400",
    story: "It refuses an event with a time in the future, as a phone with a wrong clock sends, with 400.",
    source: clocks,
    change: ({ admit, read, decode }) => ({
      admit: (request) => {
        const { timeMs } = read(decode(request));
        return timeMs !== null && timeMs > Date.now() + HOUR_MS
          ? { status: 400, body: "the time is in the future" }
          : admit(request);
      },
    }),
  },
  {
    name: "late-ignored",
    story: "It ignores events of more than a day ago, which a phone sends that was without network.",
    source: "docs/reference/handset.md#backlog",
    change: ({ apply }) => ({
      apply: (event) =>
        event.timeMs !== null && event.timeMs < Date.now() - DAY_MS && event.type !== "alarm"
          ? undefined
          : apply(event),
    }),
  },
  {
    name: "newer-only",
    story: "It ignores a text that is not newer than the last one of its phone, so texts out of order are lost.",
    source: "docs/reference/handset.md#field-reports",
    change: ({ apply }) => {
      const newest = new Map<string, number>();
      return {
        apply: (event) => {
          const { timeMs, phone, type } = event;
          if (type !== "mo_sms" || timeMs === null) return apply(event);
          if (timeMs <= (newest.get(phone) ?? -Infinity)) return undefined;
          newest.set(phone, timeMs);
          return apply(event);
        },
      };
    },
  },
];
