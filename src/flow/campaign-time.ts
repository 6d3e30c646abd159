import { type CampaignUnit, epochOfLocal, zoneOffsetMs } from "../wire/index.js";

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** When a campaign event is due for a contact, relative to a date of the contact. */
export interface CampaignSchedule {
  /** Units after the date, a whole number; negative: before it. */
  readonly offset: number;
  readonly unit: CampaignUnit;
  /** 0 to 23 in the zone of the organisation; -1: the time of day of the date. */
  readonly deliveryHour: number;
  /** Of the organisation: IANA name. */
  readonly timezone: string;
}

/**
 * The instant at which a campaign event is due (docs/reference/flows.md#fire-time-of-an-event).
 *
 * The date is rounded up to a full minute. Minutes and hours are added as elapsed time, days and weeks on the calendar,
 * so that the wall clock shows the same time before and after a change of daylight saving. Then the delivery hour
 * replaces the time of day.
 *
 * @param baseMs - the contact's date, in milliseconds since 1970
 * @param nowMs - an event that was due before is dropped; one that is due now is kept
 * @returns milliseconds since 1970; undefined when the event was due before now
 * @throws RangeError when there is no such zone
 */
export function campaignFireTime(schedule: CampaignSchedule, baseMs: number, nowMs: number): number | undefined {
  const startMs = ceilToMinute(baseMs, schedule.timezone);
  const dueMs = atDeliveryHour(addOffset(startMs, schedule), schedule);
  return dueMs < nowMs ? undefined : dueMs;
}

/** Rounds the local time, because zone offsets before 1972 include seconds. */
function ceilToMinute(epochMs: number, timezone: string): number {
  const localMs = epochMs + zoneOffsetMs(timezone, epochMs);
  return epochMs + (Math.ceil(localMs / minuteMs) * minuteMs - localMs);
}

function addOffset(startMs: number, { offset, unit, timezone }: CampaignSchedule): number {
  if (unit === "minutes") return startMs + offset * minuteMs;
  if (unit === "hours") return startMs + offset * hourMs;
  // Where the clock goes back, an hour occurs twice; the instant stays in the same one of the two.
  if (offset === 0) return startMs;
  const days = unit === "weeks" ? offset * 7 : offset;
  return epochOfLocal(startMs + zoneOffsetMs(timezone, startMs) + days * dayMs, timezone);
}

function atDeliveryHour(epochMs: number, { deliveryHour, timezone }: CampaignSchedule): number {
  if (deliveryHour < 0) return epochMs;
  const localMs = epochMs + zoneOffsetMs(timezone, epochMs);
  return epochOfLocal(Math.floor(localMs / dayMs) * dayMs + deliveryHour * hourMs, timezone);
}
