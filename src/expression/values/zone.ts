import { FixedOffsetZone, IANAZone, type Zone } from "luxon";

/** A zone, and offsets of its that were asked before. */
interface KnownZone {
  readonly zone: Zone;
  /** Offsets in milliseconds by the number of the minute since 1970. */
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, KnownZone>();
const zonesMax = 1000;
const offsetsMax = 500;
const minuteMs = 60_000;
/** Since 1973 clocks change at full minutes of UTC: a minute has one offset. Asking luxon takes 5 microseconds. */
const fullMinutesMs = 94_694_400_000;

/**
 * Offset of a zone from UTC at an instant, in milliseconds; east is positive.
 *
 * @param zone - IANA name, `UTC`, or a fixed offset such as `UTC+2` or `UTC-3:30`; an unknown zone counts as UTC
 */
export function offsetMsAt(zone: string, epochMs: number): number {
  if (zone === "UTC") return 0;
  const known = knownZone(zone);
  if (epochMs < fullMinutesMs) return readOffset(known.zone, epochMs);
  const minute = Math.floor(epochMs / minuteMs);
  const remembered = known.offsets.get(minute);
  if (remembered !== undefined) return remembered;
  const offset = readOffset(known.zone, epochMs);
  if (known.offsets.size >= offsetsMax) known.offsets.clear();
  known.offsets.set(minute, offset);
  return offset;
}

function readOffset(zone: Zone, epochMs: number): number {
  const offset = zone.offset(epochMs);
  return Number.isFinite(offset) ? Math.round(offset * 60_000) : 0;
}

function knownZone(name: string): KnownZone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const fixed = isFixedOffset(name) ? FixedOffsetZone.parseSpecifier(name) : null;
  const zone = { zone: fixed ?? IANAZone.create(name), offsets: new Map<number, number>() };
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
