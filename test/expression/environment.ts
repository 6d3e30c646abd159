import { DateTimeValue, type Environment } from "../../src/expression/index.js";

/** Thursday, 14 May 2026, 10:20:30.123456789 in Kigali. */
export const now = new DateTimeValue(Date.UTC(2026, 4, 14, 8, 20, 30, 123), 456_789, "UTC");

/** The environment of an organisation in Kigali, day before month; some of it may be another. */
export function environment(changes: Partial<Environment> = {}): Environment {
  return {
    timezone: "Africa/Kigali",
    dateFormat: "DD-MM-YYYY",
    timeFormat: "tt:mm",
    allowedLanguages: ["eng"],
    defaultCountry: "RW",
    numberFormat: { decimal: ".", grouping: "," },
    now: () => now,
    random: () => 0,
    ...changes,
  };
}
