import {
  countLost,
  growthMsOf,
  type Metric,
  metricName,
  metricNames,
  metricOf,
  type MetricUnit,
} from "../../measure/index.js";
import type { RecordingReader } from "../../store/index.js";
import { measureRecording } from "../measures.js";
import type { RunResult } from "../result.js";
import { formatShare } from "../findings/index.js";
import { formatCount, readableDuration } from "../number-format.js";
import { type Conclusion, isWorse } from "./conclusion.js";
import { type FindingChanges, newFaults } from "./finding-changes.js";

type Op = "<" | "<=" | ">" | ">=" | "==" | "!=";

const ops: Readonly<Record<Op, (a: number, b: number) => boolean>> = {
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
};

/**
 * Conditions without a metric. `worse`: the tests found something worse, the run after has a new finding with the weight
 * `bad`, or the conclusion is `not tested`. `new-findings`: the run after has a finding with the weight `bad` that the run
 * before does not have.
 */
const wordConditions = ["worse", "new-findings"] as const;
type WordCondition = (typeof wordConditions)[number];

/** A condition under which a comparison fails: `delivery.p99 > 1.2x`, or a word. */
export type FailIf = MetricFailIf | { readonly text: string; readonly word: WordCondition };

interface MetricFailIf {
  /** The condition as the user wrote it. */
  readonly text: string;
  readonly metric: Metric;
  readonly op: Op;
  /** `times`: of the run before; `value`: in the metric's unit. */
  readonly bound: { readonly kind: "times" | "value"; readonly value: number };
}

/** The result of a condition. */
export interface FailIfResult {
  readonly text: string;
  readonly hasFailed: boolean;
  /**
   * The value in the run before, in the metric's unit; null when nothing was measured, and for `worse`. For
   * `new-findings` it is 0, and `after` is the number of new findings.
   */
  readonly before: number | null;
  readonly after: number | null;
  /** Absent for `worse`. */
  readonly unit?: MetricUnit;
  /** The measured values as text. */
  readonly seen: string;
}

/** Why a condition cannot be read. */
export interface FailIfProblem {
  readonly message: string;
  readonly hint: string;
}

const units: Readonly<Record<string, readonly [MetricUnit, number]>> = {
  ms: ["duration", 1],
  s: ["duration", 1000],
  m: ["duration", 60_000],
  "%": ["share", 0.01],
  "/s": ["rate", 1],
  "/m": ["rate", 1 / 60],
  "": ["count", 1],
  B: ["bytes", 1],
  kB: ["bytes", 1000],
  MB: ["bytes", 1_000_000],
};

const examples: Readonly<Record<MetricUnit, string>> = {
  duration: "500ms",
  share: "1%",
  rate: "200/s",
  count: "3",
  bytes: "10MB",
};

/**
 * Parses a condition: a word; or a metric of `expect`, an operator, and `1.2x`, `+20%`, `-20%` or an absolute bound.
 */
export function readFailIf(text: string): FailIf | FailIfProblem {
  const word = wordConditions.find((one) => one === text.trim());
  if (word !== undefined) return { text: word, word };
  const [, name, op, sign = "", digits, unit = ""] =
    /^\s*([^\s=!<>]+)\s*(<=|>=|==|!=|<|>)\s*([+-]?)(\d+(?:\.\d+)?)\s*([a-zA-Z%/]*)\s*$/.exec(text) ?? [];
  if (name === undefined || op === undefined || digits === undefined) {
    return {
      message: `'${text}' is not a condition`,
      hint: `write "delivery.p99 > 1.2x", "failures > +1%", "delivery.p95 > 500ms", or a word: ${wordConditions.join(", ")}`,
    };
  }
  const metric = metricOf(name);
  if (metric === undefined) {
    const family = metricName(name).split(".")[0] ?? "";
    const near = metricNames.filter((one) => one.startsWith(`${family}.`) || one === family);
    return {
      message: `'${name}' in '${text}' is not a metric`,
      hint: `one of: ${(near.length > 0 ? near : metricNames).join(", ")}`,
    };
  }
  const value = Number(digits);
  const condition = { text, metric, op: op as Op };
  if (unit === "x" && sign === "") return { ...condition, bound: { kind: "times", value } };
  if (unit === "%" && sign !== "")
    return { ...condition, bound: { kind: "times", value: 1 + Number(`${sign}${value}`) / 100 } };
  const [of, factor] = units[unit] ?? [];
  if (sign !== "" || of !== metric.unit || factor === undefined) {
    return {
      message: `'${sign}${digits}${unit}' is not a bound for ${metric.name}`,
      hint: `write 1.2x, +20% or ${examples[metric.unit]}`,
    };
  }
  return { ...condition, bound: { kind: "value", value: value * factor } };
}

/** One of the two runs that conditions are evaluated on. */
export interface JudgedRun {
  readonly recording: RecordingReader;
  readonly result: RunResult;
}

/** Evaluates conditions on two runs. A condition without a measured value fails. */
export function judgeFailIfs(
  conditions: readonly FailIf[],
  before: JudgedRun,
  after: JudgedRun & { readonly conclusion: Conclusion; readonly findings: FindingChanges },
): FailIfResult[] {
  if (conditions.length === 0) return [];
  const [one, other] = [valuesOf(before), valuesOf(after)];
  return conditions.map((condition) => {
    if (!("word" in condition)) return judgeMetric(condition, one(condition.metric), other(condition.metric));
    return condition.word === "worse" ? judgeWorse(after.conclusion, after.findings) : judgeFindings(after.findings);
  });
}

function judgeMetric({ text, metric, op, bound }: MetricFailIf, x: number | null, y: number | null): FailIfResult {
  const limit = bound.kind === "value" ? bound.value : x === null ? null : x * bound.value;
  const shown = (value: number | null): string => (value === null ? "nothing measured" : inUnit(value, metric.unit));
  return {
    text,
    hasFailed: y === null || limit === null || ops[op](y, limit),
    before: x,
    after: y,
    unit: metric.unit,
    seen: `${shown(x)} before, ${shown(y)} after`,
  };
}

function judgeWorse({ state }: Conclusion, changes: FindingChanges): FailIfResult {
  const hasFailed = isWorse(state) || state === "not tested";
  const kinds = [...new Set(newFaults(changes).map(({ kind }) => kind))];
  const seen = kinds.length === 0 ? state : `${state}; new: ${kinds.join(", ")}`;
  return { text: "worse", hasFailed, before: null, after: null, seen };
}

function judgeFindings(changes: FindingChanges): FailIfResult {
  const count = newFaults(changes).length;
  const seen = count === 0 ? "none is new" : `${formatCount(count)} new`;
  return { text: "new-findings", hasFailed: count > 0, before: 0, after: count, unit: "count", seen };
}

function inUnit(value: number, unit: MetricUnit): string {
  if (unit === "duration") return readableDuration(value);
  if (unit === "share") return formatShare(value);
  return unit === "rate" ? `${value.toFixed(1)}/s` : `${formatCount(value)}${unit === "bytes" ? " B" : ""}`;
}

function valuesOf({ recording, result }: JudgedRun): (metric: Metric) => number | null {
  const { meter } = measureRecording(recording);
  const all = meter.total();
  return ({ source, unit }) => {
    switch (source.kind) {
      case "end":
        if (source.word === "trend") return growthMsOf(result.trend);
        if (source.word === "lost") return countLost(result.ledger, source.account, source.cause);
        return source.word === "queued" ? result.queued : result.lost;
      case "so-far":
        if (source.word === "unanswered") return result.roundTrips?.waiting ?? null;
        if (source.word === "doubles" || source.word === "reordered") return result[source.word] ?? null;
        return source.word === "replies.valid" ? result.replies.valid : result.replies.ignored;
      case "span":
        return source.moment(source.family === "roundtrip" ? all.roundTrip : all[source.family]);
      case "count": {
        const tags = source.type === undefined ? {} : { type: source.type };
        const count = meter.sum(tags, source.count);
        if (source.among !== undefined) {
          const among = meter.sum(tags, source.among);
          return among === 0 ? null : count / among;
        }
        if (unit !== "rate") return count;
        return result.wallMs === 0 ? null : (1000 * count) / result.wallMs;
      }
    }
  };
}
