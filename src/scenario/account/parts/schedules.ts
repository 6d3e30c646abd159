import type * as z from "zod";
import { type ScheduleData, scheduleRepeats } from "../../../wire/index.js";
import { count, formed, word, words } from "../../fields/fields.js";
import { keyed } from "../../sheet/field.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { keyConflict, type Path } from "../../sheet/raw-value.js";

/** The letters of days in exports (docs/reference/flows.md#schedules). */
const dayLetters = {
  monday: "M",
  tuesday: "T",
  wednesday: "W",
  thursday: "R",
  friday: "F",
  saturday: "S",
  sunday: "U",
} as const;

const dayNames = Object.keys(dayLetters) as (keyof typeof dayLetters)[];
const repeats = Object.keys(scheduleRepeats) as (keyof typeof scheduleRepeats)[];

const start = formed(
  /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?$/,
  "a date and time such as 2026-03-09 08:00",
  "When it fires first, in the organisation's time zone; default: the first time that fits.",
);
const time = formed(
  /^([01]?\d|2[0-3]):[0-5]\d$/,
  "a time of day such as 08:00",
  "The time of day; default: that of start.",
);

/** `schedule` of a trigger: when it fires. */
export const scheduleShape = keyed({
  start: start.optional(),
  repeat: word(repeats, "How often it fires.").prefault("never"),
  days: words(dayNames, "The days of a weekly schedule; default: that of start.", {
    noun: "a day such as monday",
    code: "bad-value",
  }).optional(),
  day: count("The day of a monthly schedule; shorter months: their last. Default: that of start.", {
    min: 1,
    max: 31,
  }).optional(),
  at: time.optional(),
}).describe("When it fires; only of type schedule.");

/** Completes what `scheduleShape` has read. Reports what is missing, or belongs to another repeat. */
export function scheduleOf(
  given: z.output<typeof scheduleShape>,
  reader: DocumentReader,
  path: Path,
): ScheduleData | undefined {
  const { start: first, repeat, days, day, at } = given;
  const missing =
    first !== undefined
      ? undefined
      : repeat === "never"
        ? "start"
        : at === undefined
          ? "at"
          : repeat === "weekly" && days === undefined
            ? "days"
            : repeat === "monthly" && day === undefined
              ? "day"
              : undefined;
  if (missing !== undefined) reader.reportMissing([...path, missing], "or write start: 2026-03-09 08:00");
  for (const [key, wanted] of [
    ["days", "weekly"],
    ["day", "monthly"],
  ] as const) {
    if (given[key] === undefined || repeat === wanted) continue;
    reader.reportProblem(
      [...path, key],
      keyConflict(`'${key}' cannot be used with repeat: ${repeat}`, `write repeat: ${wanted}, or remove it`),
    );
  }
  const [hour, minute] = at?.split(":").map(Number) ?? [];
  return {
    repeat: scheduleRepeats[repeat],
    start: first?.replace(" ", "T"),
    days: days && dayNames.flatMap((name) => (days.includes(name) ? dayLetters[name] : [])).join(""),
    dayOfMonth: day,
    ...(hour !== undefined && minute !== undefined && { hour, minute }),
  };
}
