import type { SimTime } from "../../sim/index.js";
import { epochOfLocal, formatTimestamp, readIsoTime, type ScheduleData, zoneOffsetMs } from "../../wire/index.js";
import type { ScheduleRow } from "../triggers.js";
import type { Resolver } from "./resolver.js";

const dayMs = 86_400_000;

/** A complete schedule. */
interface LoadedSchedule {
  readonly schedule: ScheduleRow;
  /** Its first fire; null for the first matching time. */
  readonly startAtMs: SimTime | null;
}

/**
 * Completes a schedule: missing properties follow from its first fire, in the organisation's time zone.
 *
 * @param called - its name in problems
 * @returns undefined when it has neither a first fire nor the needed properties, which adds a problem
 */
export function loadSchedule(
  { start, repeat, ...given }: ScheduleData,
  called: string,
  resolver: Resolver,
): LoadedSchedule | undefined {
  const { timezone } = resolver.account.fieldContext;
  const startMs = start === undefined ? undefined : instantOf(start, timezone);
  if (start !== undefined && startMs === undefined)
    return resolver.addProblem(`${called} is left out: '${start}' is no date and time`);
  const local = startMs === undefined ? undefined : localParts(startMs, timezone);
  const { hour = local?.hour, minute = local?.minute ?? 0, days = local?.day, dayOfMonth = local?.dayOfMonth } = given;
  if (hour === undefined) return resolver.addProblem(`${called} is left out: it has no time of day`);
  if (repeat === "W" && (days ?? "") === "") return resolver.addProblem(`${called} is left out: it has no days`);
  if (repeat === "M" && dayOfMonth === undefined)
    return resolver.addProblem(`${called} is left out: it has no day of the month`);
  if (repeat === "O" && startMs === undefined)
    return resolver.addProblem(`${called} is left out: it does not repeat and has no first fire`);
  return {
    schedule: {
      repeat,
      ...(repeat === "W" && { days: days ?? "" }),
      ...(repeat === "M" && { dayOfMonth: dayOfMonth ?? 1 }),
      hour,
      minute,
    },
    startAtMs: startMs === undefined ? null : Math.ceil(startMs) - resolver.account.startsAtMs,
  };
}

/** In milliseconds since 1970. */
function instantOf(text: string, timezone: string): number | undefined {
  const time = readIsoTime(text);
  if (time === undefined) return undefined;
  return time.offsetMs === undefined ? epochOfLocal(time.localMs, timezone) : time.localMs - time.offsetMs;
}

function localParts(
  epochMs: number,
  timezone: string,
): { day: string; dayOfMonth: number; hour: number; minute: number } {
  const localMs = epochMs + zoneOffsetMs(timezone, epochMs);
  const text = formatTimestamp(localMs);
  const weekday = (((Math.floor(localMs / dayMs) + 3) % 7) + 7) % 7; // 1970-01-01 was a Thursday
  return {
    day: "MTWRFSU".charAt(weekday),
    dayOfMonth: Number(text.slice(8, 10)),
    hour: Number(text.slice(11, 13)),
    minute: Number(text.slice(14, 16)),
  };
}
