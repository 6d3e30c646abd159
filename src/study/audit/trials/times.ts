import { encodeForm, parseForm } from "../../../wire/index.js";
import type { AuditTrial, Severity } from "../trial.js";
import { variantTrial } from "../variant.js";

const values = "docs/reference/webhook.md#value-types";
const losses = "docs/reference/handset.md#duplicates-and-losses";
const lost = "The service repeats an event that fails three times, then gives it up.";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface TimeCase {
  readonly id: string;
  readonly what: string;
  readonly severity?: Severity;
  readonly why: string;
  readonly field?: string;
  /** Milliseconds since 1970. */
  readonly ms: (nowMs: number) => number;
  /** Default: as the documentation writes it. */
  readonly write?: (text: string) => string;
  readonly refusal?: "observed";
  readonly mayIgnore?: true;
  /** Default: the time. */
  readonly keeps?: "nothing";
}

const zone = "An hour off, and reminders come at night; phones report in UTC.";

const cases: readonly TimeCase[] = [
  {
    id: "time-late",
    what: "three days late",
    why: "A phone without network delivers its texts days later, with their own times.",
    field: "docs/reference/handset.md#backlog",
    ms: (nowMs) => nowMs - 3 * DAY_MS,
    severity: "high",
  },
  {
    id: "time-years-late",
    what: "of the year 2013",
    why: "A phone whose battery was out begins at an old date.",
    field: losses,
    ms: () => Date.UTC(2013, 0, 1, 0, 3, 7),
    refusal: "observed",
    keeps: "nothing",
  },
  {
    id: "time-future",
    what: "two days in the future",
    why: `The clocks of phones are wrong, and the text is true. ${lost}`,
    field: losses,
    ms: (nowMs) => nowMs + 2 * DAY_MS,
    mayIgnore: true,
  },
  {
    id: "time-leap-day",
    what: "on 29 February",
    why: "It comes every four years, and then for everybody at the same time.",
    ms: () => Date.UTC(2024, 1, 29, 12, 30, 5, 250),
    severity: "medium",
  },
  {
    id: "time-spring",
    what: "in the hour that spring leaves out in Europe",
    why: zone,
    ms: () => Date.UTC(2026, 2, 29, 2, 30, 5, 250),
  },
  {
    id: "time-spring-america",
    what: "in the hour that spring leaves out in America",
    why: zone,
    ms: () => Date.UTC(2026, 2, 8, 2, 30, 5, 250),
  },
  {
    id: "time-autumn",
    what: "in the hour that autumn has twice in Europe",
    why: zone,
    ms: () => Date.UTC(2025, 9, 26, 2, 30, 5, 250),
  },
  {
    id: "time-autumn-utc",
    what: "at the end of daylight saving in UTC",
    why: zone,
    ms: () => Date.UTC(2025, 9, 26, 1, 30, 5, 250),
  },
  {
    id: "time-midnight",
    what: "at midnight of New Year",
    why: "The last millisecond of a year belongs to it in UTC.",
    ms: () => Date.UTC(2025, 11, 31, 23, 59, 59, 999),
  },
  {
    id: "time-no-fraction",
    what: "without a fraction",
    severity: "low",
    why: "Phones report whole seconds, and libraries leave out a fraction of zero.",
    ms: (nowMs) => Math.floor(nowMs / 1000) * 1000 - HOUR_MS,
    write: (text) => text.replace(/\.\d+$/, ""),
    refusal: "observed",
  },
  {
    id: "time-six-digits",
    what: "with a fraction of six digits",
    severity: "low",
    why: "Real services wrote six digits.",
    ms: (nowMs) => nowMs - HOUR_MS,
    write: (text) => `${text}000`,
    refusal: "observed",
  },
  {
    id: "time-zone-z",
    what: "with the zone Z",
    severity: "low",
    why: "Flow events of real services have it.",
    ms: (nowMs) => nowMs - 2 * HOUR_MS,
    write: (text) => `${text}Z`,
    refusal: "observed",
  },
  {
    id: "time-zone-offset",
    what: "with another zone",
    severity: "low",
    why: "The contract knows no zone but UTC; a receiver that meets one should not crash.",
    ms: (nowMs) => nowMs - 3 * HOUR_MS,
    write: (text) => `${text}+02:00`,
    refusal: "observed",
    keeps: "nothing",
  },
];

/** Texts with times that phones report. */
export const timeTrials: readonly AuditTrial[] = cases.map(
  ({ id, what, severity = "medium", why, field = values, ms, write, refusal, keeps, mayIgnore }) =>
    variantTrial(
      {
        id,
        title: `A text with a time ${what} goes wrong`,
        severity,
        why,
        field,
        about: `a text with a time ${what}: it must not fail${keeps === undefined ? ", and its time must be kept if times are" : ""}`,
      },
      {
        type: "mo_sms",
        changes: ({ nowMs }) => ({ time: ms(nowMs) }),
        rewrite: (body) =>
          write === undefined
            ? body
            : encodeForm(parseForm(body).map(([key, value]) => [key, key === "time" ? write(value) : value] as const)),
        refusal: refusal ?? "fault",
        keeps: ({ nowMs }) => keeps ?? { timeMs: ms(nowMs) },
        ...(mayIgnore === true && { mayIgnore }),
      },
    ),
);
