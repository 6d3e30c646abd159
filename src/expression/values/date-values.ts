/** A calendar date without a zone. */
export class DateValue {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;

  constructor(year: number, month: number, day: number) {
    this.year = year;
    this.month = month;
    this.day = day;
  }

  /** `YYYY-MM-DD`. */
  toString(): string {
    return `${padded(this.year, 4)}-${padded(this.month, 2)}-${padded(this.day, 2)}`;
  }
}

/** A time of day without a zone. */
export class TimeValue {
  /** 0 to 23. */
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Within the second: 0 to 999,999,999. */
  readonly nanosecond: number;

  constructor(hour: number, minute: number, second: number, nanosecond = 0) {
    this.hour = hour;
    this.minute = minute;
    this.second = second;
    this.nanosecond = nanosecond;
  }

  /** `HH:MM:SS.ffffff`, cut to microseconds. */
  toString(): string {
    const micros = padded(Math.floor(this.nanosecond / 1000), 6);
    return `${padded(this.hour, 2)}:${padded(this.minute, 2)}:${padded(this.second, 2)}.${micros}`;
  }
}

/** Digits of an integer with zeros before them. */
export function padded(value: number, width: number): string {
  const digits = String(Math.abs(value)).padStart(width, "0");
  return value < 0 ? `-${digits}` : digits;
}
