import { DateTime } from "luxon";
import { parseTimestamp } from "./timestamp.js";
import { epochOfLocal } from "./zone-time.js";

const form = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,6})\d*)? ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i;

/** Bounds of seconds, milliseconds and microseconds since 1970: each covers the years 1973 to 5138. */
const [SECONDS_MAX, MILLISECONDS_MAX, MICROSECONDS_MAX] = [1e11, 1e14, 1e17];

/**
 * Reads times of a log: ISO 8601, `2026-03-04 06:00:00` as databases write it, HTTP dates, or a number since 1970 whose
 * size shows its unit.
 */
export class InstantReader {
  readonly #zone: string;
  /** Offsets of the zone by quarter of an hour of its wall clock: the time zone's data is slow to read. */
  readonly #offsets = new Map<number, number>();

  /** @param zone - IANA name, of times that name none */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** Milliseconds since 1970; undefined: it is not a time. */
  read(text: string): number | undefined {
    if (this.#zone === "UTC" || text.endsWith("Z")) {
      const timeMs = parseTimestamp(text);
      if (timeMs !== undefined) return timeMs;
    }
    if (/^\d+(\.\d+)?$/.test(text)) return sinceEpoch(Number(text));
    const match = form.exec(text);
    if (match === null) return this.#readOther(text);
    const [, date = "", time = "", seconds = ":00", fraction = "0", zone] = match;
    const localMs = parseTimestamp(`${date}T${time}${seconds}.${fraction}`);
    return localMs === undefined
      ? undefined
      : localMs - (zone === undefined ? this.#offsetAt(localMs) : offsetOf(zone));
  }

  #offsetAt(localMs: number): number {
    if (this.#zone === "UTC") return 0;
    const quarter = Math.floor(localMs / 900_000);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) this.#offsets.set(quarter, (offset = localMs - epochOfLocal(localMs, this.#zone)));
    return offset;
  }

  #readOther(text: string): number | undefined {
    const zone = this.#zone;
    for (const read of [DateTime.fromISO(text, { zone }), DateTime.fromHTTP(text, { zone })]) {
      if (read.isValid) return read.toMillis();
    }
    return undefined;
  }
}

function sinceEpoch(value: number): number {
  if (value < SECONDS_MAX) return value * 1000;
  return value < MILLISECONDS_MAX ? value : value < MICROSECONDS_MAX ? value / 1000 : value / 1e6;
}

/** The milliseconds of `Z`, `UTC`, `+02`, `+0200` or `+02:00`. */
function offsetOf(zone: string): number {
  const match = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return (match[1] === "-" ? -minutes : minutes) * 60_000;
}
