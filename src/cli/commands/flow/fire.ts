import { Command } from "commander";
import { campaignFireTime, type CampaignSchedule } from "../../../flow/index.js";
import { campaignUnits, epochOfLocal, formatTimestamp, isTimezone, readIsoTime } from "../../../wire/index.js";
import type { CampaignUnit } from "../../../wire/index.js";
import type { Io } from "../../terminal/io.js";
import { answerLines } from "./json-lines.js";

/** `handset flow fire`: when campaign events are due. */
export function fireCommand(io: Io): Command {
  return new Command("fire")
    .summary("compute when campaign events are due, as JSON lines")
    .description(
      'Reads lines {"base": "2026-03-02", "offset": -1, "unit": "days", "delivery_hour": 9, ' +
        '"timezone": "Africa/Kigali", "now": "2026-02-27T08:00:00Z"} and answers each {"fire": "2026-03-01T07:00:00Z"}, or ' +
        "null if the event was due before now or there is no base. Times are ISO 8601; without an offset they are local " +
        'times of the zone. The answer is UTC. Defaults: "delivery_hour" -1 (the hour of the base), "timezone" UTC, "now" ' +
        'the clock. A line with a mistake is answered {"error": "…"}.',
    )
    .action(() => answerLines(io, (input) => answerFire(input, Date.now())));
}

/**
 * The answer to one line (docs/reference/flows.md#fire-time-of-an-event).
 *
 * @param clockMs - now, unless the line says it
 * @throws Error when a value is missing or invalid
 */
function answerFire(input: unknown, clockMs: number): { fire: string | null } {
  const line = objectIn(input);
  const timezone = zoneIn(line["timezone"] ?? "UTC");
  const schedule: CampaignSchedule = {
    offset: wholeNumber(line, "offset"),
    unit: unitIn(line["unit"]),
    deliveryHour: hourIn(line["delivery_hour"] ?? -1),
    timezone,
  };
  const nowMs = line["now"] === undefined || line["now"] === null ? clockMs : instantIn(line["now"], "now", timezone);
  if (!("base" in line)) throw new Error("'base' is missing");
  if (line["base"] === null || line["base"] === "") return { fire: null };
  const fireMs = campaignFireTime(schedule, instantIn(line["base"], "base", timezone), nowMs);
  return { fire: fireMs === undefined ? null : formatted(fireMs) };
}

function objectIn(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input !== "object" || input === null || Array.isArray(input)) throw new Error("a line must be an object");
  return input as Readonly<Record<string, unknown>>;
}

/** Milliseconds since 1970. */
function instantIn(value: unknown, key: string, timezone: string): number {
  const time = typeof value === "string" ? readIsoTime(value) : undefined;
  if (time === undefined) throw new Error(`'${key}' must be a date or time in ISO 8601, got ${JSON.stringify(value)}`);
  const wholeMs = time.offsetMs === undefined ? epochOfLocal(time.localMs, timezone) : time.localMs - time.offsetMs;
  return wholeMs + time.fractionMs;
}

function zoneIn(value: unknown): string {
  if (typeof value !== "string" || !isTimezone(value)) {
    throw new Error(`'timezone' must be an IANA name such as Africa/Kigali, got ${JSON.stringify(value)}`);
  }
  return value;
}

function wholeNumber(line: Readonly<Record<string, unknown>>, key: string): number {
  const value = line[key];
  if (value === undefined) throw new Error(`'${key}' is missing`);
  if (!Number.isSafeInteger(value)) throw new Error(`'${key}' must be a whole number, got ${JSON.stringify(value)}`);
  return value as number;
}

/** Units by the letter that exports write. */
const unitsByLetter: Readonly<Record<string, CampaignUnit>> = { M: "minutes", H: "hours", D: "days", W: "weeks" };

function unitIn(value: unknown): CampaignUnit {
  const unit = campaignUnits.find((name) => name === value) ?? unitsByLetter[String(value)];
  if (unit === undefined)
    throw new Error(`'unit' must be one of ${campaignUnits.join(", ")}, got ${JSON.stringify(value)}`);
  return unit;
}

function hourIn(value: unknown): number {
  const hour = Number.isInteger(value) ? (value as number) : Number.NaN;
  if (!(hour >= -1 && hour <= 23)) throw new Error(`'delivery_hour' must be -1 to 23, got ${JSON.stringify(value)}`);
  return hour;
}

/** UTC to the second: fire times are full minutes. */
function formatted(epochMs: number): string {
  try {
    return `${formatTimestamp(epochMs).slice(0, 19)}Z`;
  } catch {
    throw new Error("'offset' leads to a date after the year 9999");
  }
}
