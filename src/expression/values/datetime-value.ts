import { calendarDay, dayMs, daysSinceEpoch } from "./calendar.js";
import { DateValue, padded, TimeValue } from "./date-values.js";
import { offsetMsAt } from "./zone.js";

/** Instants are kept within these years. */
const earliestMs = daysSinceEpoch(0, 1, 1) * dayMs;
const endMs = daysSinceEpoch(10_000, 1, 1) * dayMs;

/** An instant and the zone that it is shown in. Nanoseconds are kept. The wall-clock parts are computed on first use. */
export class DateTimeValue {
  /** Whole milliseconds since 1970, floored. */
  readonly epochMs: number;
  /** Nanoseconds within the millisecond: 0 to 999,999. */
  readonly nanosOfMs: number;
  /** IANA name, `UTC`, or a fixed offset: `UTC+2`, `UTC-3:30`. */
  readonly zone: string;
  #offsetMs: number | undefined;

  constructor(epochMs: number, nanosOfMs: number, zone: string) {
    this.epochMs = epochMs;
    this.nanosOfMs = nanosOfMs;
    this.zone = zone;
  }

  /**
   * The instant at which the wall clock of a zone shows a time. A skipped or repeated time gets the offset in force at
   * the instant that the offset of the same time in UTC leads to (docs/reference/flows.md#dates-and-field-values).
   *
   * @param localMs - the wall clock's time as if it were UTC
   */
  static fromLocal(localMs: number, nanosOfMs: number, zone: string): DateTimeValue {
    const guess = localMs - offsetMsAt(zone, localMs);
    return new DateTimeValue(localMs - offsetMsAt(zone, guess), nanosOfMs, zone);
  }

  /** Offset of the zone from UTC at this instant, in milliseconds. */
  get offsetMs(): number {
    this.#offsetMs ??= offsetMsAt(this.zone, this.epochMs);
    return this.#offsetMs;
  }

  /** The wall clock's time as if it were UTC, in milliseconds since 1970. */
  get localMs(): number {
    return this.epochMs + this.offsetMs;
  }

  /** Days from 1 January 1970 to the wall-clock date. */
  get localDays(): number {
    return Math.floor(this.localMs / dayMs);
  }

  /** Whether the year has four digits, so that the instant can be written. */
  get isInRange(): boolean {
    return this.localMs >= earliestMs && this.localMs < endMs;
  }

  /** The same instant in another zone. */
  inZone(zone: string): DateTimeValue {
    return zone === this.zone ? this : new DateTimeValue(this.epochMs, this.nanosOfMs, zone);
  }

  /** The wall-clock date. */
  get date(): DateValue {
    const { year, month, day } = calendarDay(this.localDays);
    return new DateValue(year, month, day);
  }

  /** The wall-clock time of day. */
  get time(): TimeValue {
    const ms = this.localMs - this.localDays * dayMs;
    const seconds = Math.floor(ms / 1000);
    const nanosecond = (ms % 1000) * 1_000_000 + this.nanosOfMs;
    return new TimeValue(Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60, nanosecond);
  }

  /** Negative, 0 or positive: order of the instants. */
  compare(other: DateTimeValue): number {
    return this.epochMs - other.epochMs || this.nanosOfMs - other.nanosOfMs;
  }

  /** `YYYY-MM-DDTHH:MM:SS.ffffff±HH:MM`, `Z` when the offset is 0; cut to microseconds. */
  toString(): string {
    const offset = this.offsetMs === 0 ? "Z" : offsetText(this.offsetMs, ":");
    return `${this.date.toString()}T${this.time.toString()}${offset}`;
  }
}

/** `+05:30` for 19,800,000 ms; seconds are cut off. @param separator - between hours and minutes */
export function offsetText(offsetMs: number, separator: string): string {
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000);
  const [hours, rest] = [padded(Math.floor(minutes / 60), 2), padded(minutes % 60, 2)];
  return `${offsetMs < 0 ? "-" : "+"}${hours}${separator}${rest}`;
}
