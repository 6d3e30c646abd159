import { IANAZone } from "luxon";
import { parseTimestamp } from "../../../wire/index.js";
import { nearest } from "../../sheet/nearest.js";
import { type Read, describeValue } from "../../sheet/raw-value.js";
import { scalar } from "./scalar.js";

/**
 * The years of timestamps in a scenario. The service writes years with four digits. A run lasts up to ten years,
 * phones' clocks are wrong by up to a hundred, and the drain takes up to ten more, so the range leaves room for these.
 */
const years = { first: "0101", last: "9879" } as const;

/** A timestamp in the years 0101 to 9879, read as milliseconds since 1970. */
export function readTimestamp(): Read<number> {
  return scalar("a timestamp such as 2026-03-04T06:00:00.000Z", (text, report) => {
    const ms = parseTimestamp(text);
    const year = text.slice(0, 4);
    if (ms !== undefined && year >= years.first && year <= years.last) return Math.floor(ms);
    if (ms !== undefined) {
      report({
        code: "out-of-range",
        message: `must be in the years ${years.first} to ${years.last}, got ${describeValue(text)}`,
        hint: "what a run leads to, such as a late clock or a drain, must be in four-digit years, too",
      });
      return undefined;
    }
    report({
      code: "bad-date",
      message: `must be a timestamp such as 2026-03-04T06:00:00.000Z, got ${describeValue(text)}`,
      hint: timestampHint(text),
    });
    return undefined;
  });
}

function timestampHint(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text) && parseTimestamp(`${text}T00:00:00.000`) !== undefined) {
    return `write ${text}T00:00:00.000Z`;
  }
  const spaced = text.replace(
    /^(\d{4}-\d\d-\d\d)[ t]+(\d\d:\d\d)(:\d\d)?.*$/,
    (_, day, hour, second) => `${day}T${hour}${second ?? ":00"}Z`,
  );
  if (spaced !== text && parseTimestamp(spaced) !== undefined) return `write ${spaced}`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?[+-]\d\d:?\d\d$/.test(text))
    return "give it in UTC, with a Z at the end";
  const minutes = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)Z?$/.exec(text)?.[1];
  if (minutes !== undefined && parseTimestamp(`${minutes}:00`) !== undefined) return `write ${minutes}:00.000Z`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)) return "there is no such day or hour";
  return "year-month-day, T, hours:minutes:seconds, in UTC";
}

/** `now`, or a timestamp. */
export function readStart(): Read<number | "now"> {
  const timestamp = readTimestamp();
  return (value, report) => (value === "now" ? value : timestamp(value, report));
}

const wellKnownZones = [
  "UTC", "Africa/Kigali", "Africa/Nairobi", "Africa/Lagos", "Africa/Kampala", "Africa/Johannesburg", "Africa/Cairo",
  "America/New_York", "America/Chicago", "America/Los_Angeles", "America/Sao_Paulo", "America/Mexico_City",
  "Asia/Kolkata", "Asia/Dhaka", "Asia/Manila", "Asia/Jakarta", "Asia/Tokyo", "Asia/Shanghai",
  "Europe/London", "Europe/Berlin", "Europe/Paris", "Australia/Sydney",
]; // prettier-ignore

/** An IANA time zone. */
export function readZone(): Read<string> {
  return scalar("a time zone such as Africa/Kigali", (text, report) => {
    if (IANAZone.isValidZone(text)) return text;
    const close = nearest(text, wellKnownZones);
    report({
      code: "bad-value",
      message: `must be a time zone of the IANA list, got ${describeValue(text)}`,
      hint: close === undefined ? "write it as Africa/Kigali or UTC" : `did you mean '${close}'?`,
    });
    return undefined;
  });
}
