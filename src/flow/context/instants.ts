import { DateTimeValue } from "../../expression/index.js";
import { readIsoTime } from "../../wire/index.js";

/** An instant for templates, in UTC. @param epochMs - milliseconds since 1970, with a fraction for microseconds */
export function instantValue(epochMs: number): DateTimeValue {
  const wholeMs = Math.floor(epochMs);
  return new DateTimeValue(wholeMs, Math.round((epochMs - wholeMs) * 1000) * 1000, "UTC");
}

/** A stored ISO date and time for templates, in its own offset; null: none. */
export function storedInstant(text: string | undefined): DateTimeValue | null {
  const time = text === undefined ? undefined : readIsoTime(text);
  if (time === undefined) return null;
  const offsetMs = time.offsetMs ?? 0;
  return new DateTimeValue(time.localMs - offsetMs, Math.round(time.fractionMs * 1000) * 1000, zoneOf(offsetMs));
}

/** The name of a fixed offset: UTC, UTC+2, UTC-3:30. */
function zoneOf(offsetMs: number): string {
  const minutes = Math.round(offsetMs / 60_000);
  if (minutes === 0) return "UTC";
  const absolute = Math.abs(minutes);
  const rest = absolute % 60;
  const hours = Math.floor(absolute / 60);
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
