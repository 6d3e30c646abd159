import { DateTime } from "luxon";
import { DateValue, padded, TimeValue } from "./date-values.js";

/** An instant and the zone that it is shown in. Nanoseconds are kept. The wall-clock parts are computed on first use. */
export class DateTimeValue {
  /** Whole milliseconds since 1970, floored. */
  readonly epochMs: number;
  /** Nanoseconds within the millisecond: 0 to 999,999. */
  readonly nanosOfMs: number;
  /** IANA name, `UTC`, or a fixed offset as luxon writes it (`UTC+2`, `UTC+5:30`). */
  readonly zone: string;
  #local: DateTime | undefined;

  constructor(epochMs: number, nanosOfMs: number, zone: string) {
    this.epochMs = epochMs;
    this.nanosOfMs = nanosOfMs;
    this.zone = zone;
  }

  /** @param local - valid; its zone is kept. @param nanosOfMs - 0 to 999,999 beside its milliseconds */
  static fromLuxon(local: DateTime, nanosOfMs = 0): DateTimeValue {
    const value = new DateTimeValue(local.toMillis(), nanosOfMs, local.zoneName ?? "UTC");
    value.#local = local;
    return value;
  }

  /** Wall-clock parts to the millisecond; {@link nanosOfMs} is beside it. */
  get local(): DateTime {
    this.#local ??= DateTime.fromMillis(this.epochMs, { zone: this.zone, locale: "en-US" });
    return this.#local;
  }

  /** The same instant in another zone. */
  inZone(zone: string): DateTimeValue {
    return zone === this.zone ? this : new DateTimeValue(this.epochMs, this.nanosOfMs, zone);
  }

  /** The wall-clock date. */
  get date(): DateValue {
    const { year, month, day } = this.local;
    return new DateValue(year, month, day);
  }

  /** The wall-clock time of day. */
  get time(): TimeValue {
    const { hour, minute, second, millisecond } = this.local;
    return new TimeValue(hour, minute, second, millisecond * 1_000_000 + this.nanosOfMs);
  }

  /** Negative, 0 or positive: order of the instants. */
  compare(other: DateTimeValue): number {
    return this.epochMs - other.epochMs || this.nanosOfMs - other.nanosOfMs;
  }

  /** `YYYY-MM-DDTHH:MM:SS.ffffff±HH:MM`, `Z` when the offset is 0; cut to microseconds. */
  toString(): string {
    const { offset } = this.local;
    return `${this.date.toString()}T${this.time.toString()}${offset === 0 ? "Z" : offsetText(offset, ":")}`;
  }
}

/** `+05:30` for 330 minutes. @param separator - between hours and minutes */
export function offsetText(minutes: number, separator: string): string {
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${padded(Math.floor(absolute / 60), 2)}${separator}${padded(absolute % 60, 2)}`;
}
