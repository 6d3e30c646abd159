import { FixedOffsetZone, IANAZone, type Zone } from "luxon";

/** Zones by name. */
const zones = new Map<string, Zone>();
const zonesMax = 1000;

/**
 * Offset of a zone from UTC at an instant, in milliseconds; east is positive.
 *
 * @param zone - IANA name, `UTC`, or a fixed offset such as `UTC+2` or `UTC-3:30`; an unknown zone counts as UTC
 */
export function offsetMsAt(zone: string, epochMs: number): number {
  if (zone === "UTC") return 0;
  const offset = zoneOf(zone).offset(epochMs);
  return Number.isFinite(offset) ? Math.round(offset * 60_000) : 0;
}

function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const fixed = /^UTC[+-]/.test(name) ? FixedOffsetZone.parseSpecifier(name) : null;
  const zone = fixed ?? IANAZone.create(name);
  if (zones.size >= zonesMax) zones.clear();
  zones.set(name, zone);
  return zone;
}

/** Whether a zone is a fixed offset without a name of its own. */
export function isFixedOffset(zone: string): boolean {
  return /^UTC[+-]/.test(zone);
}

/** The name of a zone with a constant offset from UTC in minutes: `UTC`, `UTC+2`, `UTC-3:30`. */
export function fixedZone(offsetMinutes: number): string {
  return FixedOffsetZone.instance(offsetMinutes).name;
}
