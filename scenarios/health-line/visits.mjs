// @ts-check
/** Quarters of an hour in which the clinic sees people: from 8:00 to 16:00. */
const OPENS_QUARTER = 32;
const QUARTERS = 32;
const QUARTER_MS = 900_000;
const DAY_MS = 86_400_000;
/** Time to get there. */
const LEAD_MS = 3_600_000;

/**
 * A visit.
 *
 * @typedef {object} Visit
 * @property {number} weekday - 0: Sunday
 * @property {number} inDays - days from the asking: 0 is today
 * @property {string} time - `09:15`
 */

/**
 * The next visit for a phone number, by the UTC clock. The quarter of an hour depends on the number alone, so a person
 * gets the same one again. The clinic is closed on Sundays.
 *
 * @param {string} phone
 * @param {number} nowMs - milliseconds since 1970
 * @param {number} fromDay - the earliest day: 0 is today
 * @returns {Visit}
 */
export function nextVisit(phone, nowMs, fromDay) {
  const quarter = OPENS_QUARTER + (Number(phone.replaceAll(/\D/g, "").slice(-6)) % QUARTERS);
  const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
  for (let inDays = fromDay; ; inDays++) {
    const dayMs = midnightMs + inDays * DAY_MS;
    const weekday = (Math.floor(dayMs / DAY_MS) + 4) % 7; // 1970-01-01 was a Thursday
    if (weekday === 0 || dayMs + quarter * QUARTER_MS < nowMs + LEAD_MS) continue;
    const pair = (/** @type {number} */ value) => String(value).padStart(2, "0");
    return { weekday, inDays, time: `${pair(Math.floor(quarter / 4))}:${pair((quarter % 4) * 15)}` };
  }
}
