import type { Distribution } from "../../../sim/index.js";
import { epochOfLocal, formatTimestamp, zoneOffsetMs } from "../../../wire/index.js";
import { describeValue, type RawValue, type Read, type ReportProblem } from "../../sheet/raw-value.js";
import { readDistribution } from "./distribution.js";
import { readDuration } from "./duration.js";
import { readTimestamp } from "./instant.js";
import { scalar } from "./scalar.js";
import { nearestWeekday, weekdayAt, weekdayNumber, weekdaySpelling } from "./weekday.js";

/** What clock times and timestamps of a story are converted by: the instant 0 of virtual time and the time zone. */
export interface StoryClock {
  /** Milliseconds since 1970. */
  readonly startsAtMs: number;
  /** IANA name. */
  readonly timezone: string;
}

/** The pattern of a clock time, `19:30`, `day 2 19:30` or `monday 19:30`, for the JSON Schema; without anchors. */
export const clockSpelling: string = String.raw`(day [1-9][0-9]{0,3} |${weekdaySpelling} )?([01]?[0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?`;

const clockForm = new RegExp(
  String.raw`^(?:day\s+(?<day>\d{1,4}),?\s+|(?<weekday>${weekdaySpelling}),?\s+)?(?<hour>\d{1,2}):(?<minute>\d\d)(?::(?<second>\d\d))?$`,
);
const dayMs = 86_400_000;

/** Whether a written time is a clock time, or a range that begins with one. It then recurs at the same local time. */
export function isClockTime(value: RawValue | undefined): boolean {
  return typeof value === "string" && clockForm.test((value.split("..")[0] ?? "").trim());
}

/**
 * A moment of the story: a duration from the start, a clock time in the scenario's time zone (the next one from the
 * start, on a day of the week or not, or that of a day counted from 1), or a timestamp. Read as milliseconds from the start.
 */
export function readMoment(clock: StoryClock): Read<number> {
  const duration = readDuration();
  return scalar(wanted, (text, report) => {
    if (clockForm.test(text)) return clockMoment(text, clock, report);
    if (/^\d{4}-\d\d?-\d\d?/.test(text)) return timestampMoment(text, clock, report);
    const meant = meantWeekday(text);
    if (meant !== undefined) {
      report({
        code: "bad-value",
        message: `must be ${wanted}, got ${describeValue(text)}`,
        hint: `write ${meant}`,
      });
      return undefined;
    }
    return duration(text, (problem) =>
      report({ ...problem, message: problem.message.replace("a duration such as 90s or 1h30m", wanted) }),
    );
  });
}

/** The right spelling of a misspelt day of the week, or of one without a clock time; undefined: it is neither. */
function meantWeekday(text: string): string | undefined {
  const [, word = "", time = "08:00"] =
    /^(?:on\s+|every\s+)?(\p{L}{3,})(?:\s+(?:at\s+)?(\d{1,2}:\d\d(?::\d\d)?))?$/iu.exec(text) ?? [];
  const day = weekdayNumber(word) === undefined ? nearestWeekday(word) : word;
  return day === undefined ? undefined : `${day} ${time}`;
}

const wanted = "a time such as 1h30m or 19:30";

/** A moment that may vary. A range of clock times may pass midnight: `23:00..01:00`. */
export function readMoments(clock: StoryClock): Read<Distribution<number>> {
  const read = readDistribution({ read: readMoment(clock), of: "number", noun: "a time" });
  return (value, report) => (typeof value === "string" ? clockRange(value, clock) : undefined) ?? read(value, report);
}

function clockRange(text: string, clock: StoryClock): Distribution<number> | undefined {
  const [from = "", to = "", more] = text.split("..").map((end) => end.trim());
  const ignore: ReportProblem = () => undefined;
  if (more !== undefined || !clockForm.test(from) || !clockForm.test(to)) return undefined;
  const [min, max] = [clockMoment(from, clock, ignore), clockMoment(to, clock, ignore)];
  if (min === undefined || max === undefined || to.startsWith("day")) return undefined;
  const isOnWeekday = clockForm.exec(to)?.groups?.["weekday"] !== undefined;
  if (isOnWeekday) return { kind: "uniform", min, max: max >= min ? max : addDays(max, 7, clock), whole: true };
  return { kind: "uniform", min, max: sameDayOrNext(max, min, clock), whole: true };
}

/** The clock time of a moment on the local day of another one, or on the next day if it is earlier. */
function sameDayOrNext(atMs: number, fromMs: number, clock: StoryClock): number {
  const dayOf = (ms: number): number => Math.floor(localOf(ms, clock) / dayMs);
  const onDayMs = addDays(atMs, dayOf(fromMs) - dayOf(atMs), clock);
  return onDayMs >= fromMs ? onDayMs : addDays(onDayMs, 1, clock);
}

/** The local time of a moment: milliseconds since 1970, as if in UTC. */
function localOf(atMs: number, { startsAtMs, timezone }: StoryClock): number {
  return startsAtMs + atMs + zoneOffsetMs(timezone, startsAtMs + atMs);
}

/** The day of the week of a moment, in the scenario's time zone: 0 (Sunday) to 6. */
export function weekdayOf(atMs: number, clock: StoryClock): number {
  return weekdayAt(localOf(atMs, clock));
}

function clockMoment(text: string, clock: StoryClock, report: ReportProblem): number | undefined {
  const { day, weekday, hour, minute, second } = clockForm.exec(text)?.groups ?? {};
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second ?? 0)];
  if (hours > 23 || minutes > 59 || seconds > 59 || day === "0") {
    report({
      code: "bad-value",
      message: `must be ${wanted}, got ${describeValue(text)}`,
      hint: day === "0" ? "days count from 1, the day of the start" : "a clock time is 00:00 to 23:59",
    });
    return undefined;
  }
  const localMs = clock.startsAtMs + zoneOffsetMs(clock.timezone, clock.startsAtMs);
  const number = weekday === undefined ? undefined : weekdayNumber(weekday);
  const daysOff = number === undefined ? Number(day ?? 1) - 1 : (number - weekdayAt(localMs) + 7) % 7;
  const midnightMs = (Math.floor(localMs / dayMs) + daysOff) * dayMs;
  const timeMs = ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const atMs = epochOfLocal(midnightMs + timeMs, clock.timezone) - clock.startsAtMs;
  if (atMs >= 0) return atMs;
  if (day === undefined) {
    const nextMs = midnightMs + (number === undefined ? 1 : 7) * dayMs;
    return epochOfLocal(nextMs + timeMs, clock.timezone) - clock.startsAtMs;
  }
  return reportBefore(text, clock, report);
}

function timestampMoment(text: string, clock: StoryClock, report: ReportProblem): number | undefined {
  const epochMs = readTimestamp()(text, report);
  if (epochMs === undefined) return undefined;
  return epochMs >= clock.startsAtMs ? epochMs - clock.startsAtMs : reportBefore(text, clock, report);
}

function reportBefore(text: string, { startsAtMs, timezone }: StoryClock, report: ReportProblem): undefined {
  const local = formatTimestamp(startsAtMs + zoneOffsetMs(timezone, startsAtMs))
    .slice(0, 16)
    .replace("T", " ");
  report({
    code: "out-of-range",
    message: `is before the start: ${describeValue(text)}`,
    hint: `the scenario starts at ${formatTimestamp(startsAtMs)}Z, ${local} in ${timezone}`,
  });
  return undefined;
}

/** The same clock time some local days later, in milliseconds from the start. */
export function addDays(atMs: number, days: number, { startsAtMs, timezone }: StoryClock): number {
  const epochMs = startsAtMs + atMs;
  return epochOfLocal(epochMs + zoneOffsetMs(timezone, epochMs) + days * dayMs, timezone) - startsAtMs;
}
