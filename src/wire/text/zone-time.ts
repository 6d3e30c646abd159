import { IANAZone } from "luxon";

const minuteMs = 60_000;

/** Whether a text is the IANA name of a time zone, such as `Africa/Kigali`. */
export function isTimezone(name: string): boolean {
  return name === "UTC" || IANAZone.isValidZone(name);
}

/**
 * Difference between the wall clock of a zone and UTC at an instant, in milliseconds; east of Greenwich is positive.
 *
 * @param zone - IANA name
 * @throws RangeError when there is no such zone
 */
export function zoneOffsetMs(zone: string, epochMs: number): number {
  if (zone === "UTC") return 0;
  const minutes = IANAZone.create(zone).offset(epochMs);
  if (Number.isNaN(minutes)) throw new RangeError(`there is no time zone '${zone}'`);
  return Math.round(minutes * minuteMs); // offsets before 1972 have seconds
}

/**
 * The instant at which the wall clock of a zone shows a local time.
 *
 * When the clock is changed, some local times exist twice and some never. The offset is then chosen as the service
 * does: it is the one in force at the instant that the first guess leads to. West of Greenwich a skipped time moves
 * back and of a repeated one the first is taken; east of it forward, and the second
 * (docs/reference/flows.md#dates-and-field-values).
 *
 * @param localMs - the wall clock's time as if it were UTC, in milliseconds since 1970
 * @param zone - IANA name
 * @returns milliseconds since 1970
 * @throws RangeError when there is no such zone
 */
export function epochOfLocal(localMs: number, zone: string): number {
  const guess = localMs - zoneOffsetMs(zone, localMs);
  return localMs - zoneOffsetMs(zone, guess);
}
