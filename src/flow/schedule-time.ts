import { epochOfLocal, formatTimestamp, zoneOffsetMs } from "../wire/index.js";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** When a schedule fires, in the zone of the organisation (docs/reference/flows.md#schedules). */
export interface Schedule {
  /** O never, D daily, W weekly, M monthly. */
  readonly repeat: "O" | "D" | "W" | "M";
  /** For weekly schedules: letters of `MTWRFSU`; R is Thursday, U Sunday. */
  readonly days?: string | undefined;
  /** For monthly schedules: 1 to 31; a shorter month fires on its last day instead. */
  readonly dayOfMonth?: number | undefined;
  /** 0 to 23. */
  readonly hour: number;
  /** 0 to 59. */
  readonly minute: number;
  /** IANA name. */
  readonly timezone: string;
}

/** Monday first, with the letters that schedules use. */
const dayLetters = "MTWRFSU";

/**
 * Days to search: the longest gap between two fire days is a month; two more for today and for a skipped local time.
 */
const daysAhead = 33;

/**
 * The next time at which a schedule fires: the first matching local time strictly after now
 * (docs/reference/flows.md#schedules).
 *
 * @returns milliseconds since 1970; undefined when it never fires
 * @throws RangeError when there is no such zone
 */
export function nextFireTime(schedule: Schedule, nowMs: number): number | undefined {
  const { hour, minute, timezone } = schedule;
  const today = Math.floor((nowMs + zoneOffsetMs(timezone, nowMs)) / dayMs);
  for (let day = today; day <= today + daysAhead; day++) {
    if (!isFireDay(schedule, day)) continue;
    const fireMs = epochOfLocal(day * dayMs + (hour * 60 + minute) * minuteMs, timezone);
    if (fireMs > nowMs) return fireMs;
  }
  return undefined;
}

/** @param day - counted from 1970-01-01 */
function isFireDay({ repeat, days = "", dayOfMonth = 1 }: Schedule, day: number): boolean {
  switch (repeat) {
    case "O":
      return false;
    case "D":
      return true;
    case "W":
      return days.includes(dayLetters.charAt(modulo(day + 3, 7))); // 1970-01-01 was a Thursday
    case "M": {
      const today = dayInMonth(day);
      return today === dayOfMonth || (today < dayOfMonth && dayInMonth(day + 1) === 1);
    }
  }
}

/** 1 to 31. */
function dayInMonth(day: number): number {
  return Number(formatTimestamp(day * dayMs).slice(8, 10));
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
