import type * as z from "zod";
import { count, duration, filledText, start, text, zone } from "./fields/fields.js";
import { seenSchema, versionsSchema } from "./exact/seen.js";
import { dataField } from "./parts/data.js";

/** The top-level keys with plain values. */
export const plainKeys = {
  name: filledText("What the scenario is called; default: the name of its file.").optional(),
  about: text("Its story in a few words.").optional(),
  seed: count("The source of all chance: the same seed gives the same run.", {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
  }).prefault(1),
  // A fixed instant, so a scenario without `starts` gives the same bytes in each run.
  starts: start("When virtual time begins; now: when the scenario is read.").prefault("2026-01-01T00:00:00.000Z"),
  lasts: duration("How long the world lives.", { minMs: 1 }),
  timezone: zone("The time zone of local hours.").prefault("UTC"),
  lookahead: duration("How much later than its attempt an answer takes effect in lockstep.", {
    minMs: 1,
    maxMs: 3_600_000,
  }).prefault("5s"),
  drain: duration(
    "How long the run may continue after 'lasts', without new texts and calls, until nothing waits; default: 10 seconds of wall time in paced runs, else 0s.",
  ).optional(),
  data: dataField.optional(),
  seen: seenSchema.optional(),
  versions: versionsSchema.optional(),
} satisfies Readonly<Record<string, z.ZodType>>;

/** The top-level keys with maps and lists. */
export const partKeys: readonly string[] = [
  "receiver",
  "service",
  "carriers",
  "handsets",
  "people",
  "place",
  "traffic",
  "delivery",
  "mocks",
  "story",
  "expect",
  "checks",
  "field",
];
