/** The Gregorian calendar by arithmetic, in both directions from 1970 (proleptic). */

/** Milliseconds of a day. */
export const dayMs = 86_400_000;

/** A day of the calendar. */
export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Days of 400 years. */
const eraDays = 146_097;

/** Days from 1 January 1970; months and days beyond their range roll over: day 0 is the last of the month before. */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  const monthIndex = month - 1;
  const rolledYear = year + Math.floor(monthIndex / 12);
  const rolledMonth = (monthIndex - Math.floor(monthIndex / 12) * 12 + 10) % 12;
  // Years begin in March, so that the leap day ends them.
  const marchYear = rolledMonth >= 10 ? rolledYear - 1 : rolledYear;
  const era = Math.floor(marchYear / 400);
  const yearOfEra = marchYear - era * 400;
  const dayOfYear = Math.floor((153 * rolledMonth + 2) / 5);
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * eraDays + dayOfEra - 719_468 + day - 1;
}

/** The day with this number of days after 1 January 1970. */
export function calendarDay(days: number): CalendarDay {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / eraDays);
  const dayOfEra = shifted - era * eraDays;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * marchMonth + 2) / 5) + 1,
  };
}

/** Day of the week, Sunday 0. */
export function weekdayOf(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** Whether the calendar has this day. */
export function isCalendarDay(year: number, month: number, day: number): boolean {
  return month >= 1 && month <= 12 && day >= 1 && calendarDay(daysSinceEpoch(year, month, day)).month === month;
}
