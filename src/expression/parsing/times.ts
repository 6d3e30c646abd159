import { TimeValue } from "../values/date-values.js";
import { spend } from "../values/meter.js";

/** A time of day that was found in a text. */
export interface FoundTime {
  /** Whole milliseconds; more than a day for times such as 24:30. */
  readonly sinceMidnightMs: number;
  /** 0 to 999,999. */
  readonly nanosOfMs: number;
}

const dayMs = 86_400_000;
/** Units of work to search a character for a time of day. */
const unitsOfCharacter = 0.1;

/** The first time of day in a text (docs/reference/flows.md#dates-and-field-values); undefined when it has none. */
export function parseTime(text: string): TimeValue | undefined {
  if (!spend(text.length * unitsOfCharacter)) return undefined;
  const clock = findClock(text);
  if (clock === undefined) return undefined;
  const ms = clock.sinceMidnightMs % dayMs;
  const second = Math.floor(ms / 1000);
  const nanosecond = (ms % 1000) * 1_000_000 + clock.nanosOfMs;
  return new TimeValue(Math.floor(second / 3600), Math.floor(second / 60) % 60, second % 60, nanosecond);
}

/** `7`, `730`, `0730`, `7:30`, `7:30:15`, `7:30:15.25`, each perhaps with am or pm, as words of their own. */
const clockPattern = /\b(\d{1,2})(?::?(\d\d)(?::(\d\d)(?:\.(\d+))?)?)?\W*(?:([ap])m)?\b/gi;

/** The first time of day in a text. Hours go up to 24, minutes and seconds to 60, which carry over. */
export function findClock(text: string): FoundTime | undefined {
  for (const [, hours, minutes = "0", seconds = "0", fraction = "", half = ""] of text.matchAll(clockPattern)) {
    const hour = onDayClock(Number(hours), half.toLowerCase());
    if (hour > 24 || Number(minutes) > 60 || Number(seconds) > 60) continue;
    const nanos = Number(fraction.slice(0, 9).padEnd(9, "0"));
    const wholeSeconds = (hour * 60 + Number(minutes)) * 60 + Number(seconds);
    const isMidnight = wholeSeconds * 1000 === dayMs && nanos === 0;
    return {
      sinceMidnightMs: isMidnight ? 0 : wholeSeconds * 1000 + Math.floor(nanos / 1_000_000),
      nanosOfMs: nanos % 1_000_000,
    };
  }
  return undefined;
}

/** @param half - `a`, `p` or empty */
function onDayClock(hour: number, half: string): number {
  if (half === "p" && hour < 12) return hour + 12;
  return half === "a" && hour === 12 ? 0 : hour;
}
