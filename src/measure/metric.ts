import type { Measurements } from "./measurements.js";
import type { Latency } from "./latency.js";
import { attemptOutcomes, type AttemptOutcome } from "./attempt-outcomes.js";

/** Spans that are measured of attempts, and of incoming texts (`roundtrip`). */
export const spanFamilies = ["delivery", "service", "lateness", "roundtrip"] as const;
/** One of `spanFamilies`. */
export type SpanFamily = (typeof spanFamilies)[number];

/** The unit of a metric and of its bounds: `500ms`, `3`, `1%`, `200/s`, `10MB`. */
export type MetricUnit = "duration" | "count" | "share" | "rate" | "bytes";

/**
 * The source of a metric: a histogram of durations; counters of attempts and events; other running counters of a run
 * (`so-far`); or a value that is known only at the run's end (`end`).
 */
export type MetricSource =
  | { readonly kind: "span"; readonly family: SpanFamily; readonly moment: (of: Latency) => number | null }
  | {
      readonly kind: "count";
      readonly count: (of: Measurements) => number;
      /** Denominator, if the metric is a share. */
      readonly among?: (of: Measurements) => number;
      /** The event type in the metric's name, equivalent to a tag. */
      readonly type?: string;
    }
  | { readonly kind: "so-far"; readonly word: SoFar }
  | { readonly kind: "end"; readonly word: "ledger.gap" | "queued" | "trend" }
  /** Losses of one account of the ledger, of one cause or all. */
  | { readonly kind: "end"; readonly word: "lost"; readonly account: "texts" | "calls"; readonly cause?: string };

/** Losses by cause: the parts of a ledger's report that `texts.lost` and `calls.lost` count. */
export type Losses = Readonly<Record<"texts" | "calls", { readonly lost: Readonly<Record<string, number>> }>>;

/** The value of `texts.lost` or `calls.lost`, of one cause or all. */
export function countLost(losses: Losses, account: "texts" | "calls", cause?: string): number {
  const { lost } = losses[account];
  return cause === undefined ? sum(Object.values(lost)) : (lost[cause] ?? 0);
}

/** Running counters other than those of attempts and events. */
export type SoFar = "replies.valid" | "replies.ignored" | "unanswered" | "doubles" | "reordered";

/** A metric by its name. */
export interface Metric {
  readonly name: string;
  readonly unit: MetricUnit;
  readonly source: MetricSource;
  /** Directions in which the value can change during a run; `both`: a broken bound may hold again at the end. */
  readonly goes: "up" | "down" | "both";
  /** Needs a schedule or the wall clock, which lockstep lacks. */
  readonly needsWallTime: boolean;
}

/** All metrics with fixed names, and percentiles by example. */
export const metricNames: readonly string[] = [
  "unanswered",
  "failures",
  "doubles",
  "reordered",
  "trend",
  "queued",
  "alarms",
  "events",
  "events.rate",
  "attempts",
  ...attemptOutcomes.map((outcome) => `attempts.${outcome}`),
  "accepted.rate",
  "retries",
  "timeouts",
  "errors",
  "bytes.out",
  "bytes.in",
  "replies.valid",
  "replies.ignored",
  "texts.lost",
  "calls.lost",
  "ledger.gap",
  ...spanFamilies.flatMap((family) =>
    ["p50", "p95", "p99", "min", "mean", "max", "count"].map((moment) => `${family}.${moment}`),
  ),
];

/** Former names, which scenarios may still use. */
const aliases: Readonly<Record<string, string>> = { lost: "ledger.gap" };

/** Resolves an alias of a metric: `latency.p99` is `delivery.p99`. */
export function metricName(written: string): string {
  return aliases[written] ?? written.replace(/^latency\./, "delivery.");
}

/** The metric of a name or alias in `expect`; undefined for an unknown name. */
export function metricOf(written: string): Metric | undefined {
  const name = metricName(written);
  const [, family = "", member] = /^([a-z]+)(?:\.(.+))?$/.exec(name) ?? [];
  const source = spanFamilies.some((one) => one === family)
    ? spanSource(family as SpanFamily, member)
    : (fixed[name] ?? countSource(family, member));
  if (source === undefined) return undefined;
  const unit = unitOf(name, source, member);
  return {
    name,
    unit,
    source,
    goes: goesOf(unit, source, member),
    needsWallTime: unit === "rate" || family === "lateness",
  };
}

const fixed: Readonly<Record<string, MetricSource>> = {
  "ledger.gap": { kind: "end", word: "ledger.gap" },
  queued: { kind: "end", word: "queued" },
  trend: { kind: "end", word: "trend" },
  "replies.valid": { kind: "so-far", word: "replies.valid" },
  "replies.ignored": { kind: "so-far", word: "replies.ignored" },
  unanswered: { kind: "so-far", word: "unanswered" },
  doubles: { kind: "so-far", word: "doubles" },
  reordered: { kind: "so-far", word: "reordered" },
  alarms: { kind: "count", count: ({ events }) => events, type: "alarm" },
  events: { kind: "count", count: ({ events }) => events },
  "events.rate": { kind: "count", count: ({ events }) => events },
  "accepted.rate": { kind: "count", count: ({ outcomes }) => outcomes.accepted },
  attempts: { kind: "count", count: ({ attempts }) => attempts },
  failures: {
    kind: "count",
    count: ({ attempts, outcomes }) => attempts - outcomes.accepted,
    among: ({ attempts }) => attempts,
  },
  retries: { kind: "count", count: ({ retries }) => retries },
  timeouts: { kind: "count", count: ({ outcomes }) => outcomes.timeout },
  errors: { kind: "count", count: ({ errors }) => sum(errors.values()) },
  "bytes.out": { kind: "count", count: ({ bytesOut }) => bytesOut },
  "bytes.in": { kind: "count", count: ({ bytesIn }) => bytesIn },
};

function countSource(family: string, member: string | undefined): MetricSource | undefined {
  if (member === undefined) return undefined;
  if (family === "attempts" && attemptOutcomes.some((one) => one === member)) {
    return { kind: "count", count: ({ outcomes }) => outcomes[member as AttemptOutcome] };
  }
  if (family === "events" && /^[A-Za-z][A-Za-z0-9_.-]*$/.test(member)) {
    return { kind: "count", count: ({ events }) => events, type: member };
  }
  if (family === "errors" && /^[A-Za-z][A-Za-z0-9_-]*$/.test(member)) {
    return { kind: "count", count: ({ errors }) => errors.get(member) ?? 0 };
  }
  if (family === "texts" || family === "calls") return lossSource(family, member);
  if (family !== "statuses") return undefined;
  if (/^[1-9]\d\d$/.test(member)) {
    return { kind: "count", count: (measurements) => measurements.answers(Number(member), Number(member)) };
  }
  if (!/^[1-9]xx$/.test(member)) return undefined;
  const hundreds = Number(member[0]);
  return { kind: "count", count: (measurements) => measurements.answers(100 * hundreds, 100 * hundreds + 99) };
}

/** @param member - `lost`, or `lost.` and a cause */
function lossSource(account: "texts" | "calls", member: string): MetricSource | undefined {
  if (member === "lost") return { kind: "end", word: "lost", account };
  const cause = /^lost\.([a-z]+(?:-[a-z]+)*)$/.exec(member)?.[1];
  return cause === undefined ? undefined : { kind: "end", word: "lost", account, cause };
}

function spanSource(family: SpanFamily, member: string | undefined): MetricSource | undefined {
  const percentile = Number(/^p(\d{1,2}(?:\.\d{1,4})?|100)$/.exec(member ?? "")?.[1]);
  if (percentile > 0) return { kind: "span", family, moment: (of) => of.percentile(percentile) };
  switch (member) {
    case "min":
      return { kind: "span", family, moment: (of) => of.minMs };
    case "mean":
      return { kind: "span", family, moment: (of) => of.meanMs };
    case "max":
      return { kind: "span", family, moment: (of) => of.maxMs };
    case "count":
      return { kind: "span", family, moment: (of) => of.count };
    default:
      return undefined;
  }
}

function unitOf(name: string, source: MetricSource, member: string | undefined): MetricUnit {
  if (source.kind === "span") return member === "count" ? "count" : "duration";
  if (name === "failures") return "share";
  if (name === "trend") return "duration";
  if (name.endsWith(".rate")) return "rate";
  return name.startsWith("bytes.") ? "bytes" : "count";
}

function goesOf(unit: MetricUnit, { kind, ...source }: MetricSource, member: string | undefined): Metric["goes"] {
  if (unit === "share" || unit === "rate" || kind === "end") return "both";
  if ("word" in source && source.word === "unanswered") return "both";
  if (kind !== "span" || member === "count" || member === "max" || member === "p100") return "up";
  return member === "min" ? "down" : "both";
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/**
 * Whether a bound that is broken during a run stays broken, such as a count above its maximum. With `abort`, such a
 * bound stops the run before its end.
 */
export function staysBroken({ goes }: Metric, op: string): boolean {
  if (goes === "up") return op === "<" || op === "<=" || op === "==";
  return goes === "down" && (op === ">" || op === ">=" || op === "==");
}
