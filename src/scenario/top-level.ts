import { type Field } from "./sheet/field.js";
import { count, duration, filledText, start, text, zone } from "./fields/fields.js";

/** What holds for keys at the top of a scenario that are left out. */
export const defaults: {
  readonly seed: number;
  readonly startsAtMs: number;
  readonly timezone: string;
  readonly lookaheadMs: number;
} = {
  seed: 1,
  /** 2026-01-01T00:00:00.000Z: fixed, so that a scenario without `starts` gives the same bytes each time. */
  startsAtMs: 1_767_225_600_000,
  timezone: "UTC",
  lookaheadMs: 5000,
};

/** The plain keys at the top of a scenario, and the names of the others. */
export const topLevel: {
  readonly plain: Readonly<Record<string, Field<unknown, unknown>>>;
  readonly parts: readonly string[];
} = {
  plain: {
    name: filledText("What the scenario is called; default: the name of its file."),
    about: text("Its story in a few words."),
    seed: count("The source of all chance: the same seed gives the same run.", {
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      default: defaults.seed,
    }),
    starts: start("When virtual time begins; now: when the scenario is read.", { default: "2026-01-01T00:00:00.000Z" }),
    lasts: duration("How long the world lives.", { minMs: 1 }),
    timezone: zone("The time zone of local hours.", { default: defaults.timezone }),
    lookahead: duration("How much later than its attempt an answer takes effect in lockstep.", {
      minMs: 1,
      maxMs: 3_600_000,
      default: "5s",
    }),
    drain: duration(
      "After 'lasts' nobody texts or calls any more, and what waits has this long at most to come to its end; default: 10 seconds of wall time in paced runs, else 0s.",
    ),
  },
  parts: ["receiver", "service", "carriers", "handsets", "people", "traffic", "story", "expect"],
};
