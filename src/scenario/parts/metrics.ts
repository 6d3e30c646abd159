import { eventTypes } from "../../wire/index.js";
import { field, type Field } from "../fields.js";
import { nearest, suggest } from "../nearest.js";
import type { ComparisonOp, MetricExpectation } from "../scenario.js";
import { parseDuration } from "../values/duration.js";
import { scalar } from "../values/scalar.js";
import type { Tell } from "../written.js";

/** The outcomes of an attempt, as reports name them. */
const outcomes = ["accepted", "retried", "refused", "failed", "timeout", "connection"];
const moments = ["p50", "p95", "p99", "max"];
const spans = ["delivery", "service", "lateness"];

/** What a line of `expect` may compare, without `events.<any other type>`. Those of `spans` are durations, the others counts. */
export const metricNames: readonly string[] = [
  "lost",
  "queued",
  "alarms",
  ...eventTypes.map((type) => `events.${type}`),
  ...outcomes.map((outcome) => `attempts.${outcome}`),
  ...spans.flatMap((name) => moments.map((moment) => `${name}.${moment}`)),
  "replies.valid",
  "replies.ignored",
];

const form = /^(\S+?)\s*(===?|!=|<>|<=|>=|=<|=>|<|>|=)\s*(\S.*)$/;
const misspelledOps: Readonly<Record<string, ComparisonOp>> = {
  "=": "==", "===": "==", "<>": "!=", "=<": "<=", "=>": ">=",
}; // prettier-ignore

/** One line of `expect`: `lost == 0`, `delivery.p99 < 500ms`. */
export const metricField: Field<MetricExpectation, string> = metric();

function metric(): Field<MetricExpectation, string> {
  const wanted = "a comparison such as 'lost == 0'";
  const read = scalar(wanted, (text, tell): MetricExpectation | undefined => {
    const [, name, op, written] = form.exec(text) ?? [];
    if (name === undefined || op === undefined || written === undefined) {
      tell({
        code: "bad-expectation",
        message: `must be ${wanted}, got '${text}'`,
        hint: "metric, then one of == != < <= > >=, then a value",
      });
      return undefined;
    }
    const better = misspelledOps[op];
    if (better !== undefined) {
      const from = text.indexOf(op, name.length);
      tell({
        code: "bad-expectation",
        message: `cannot compare by '${op}'`,
        hint: `write ${name} ${better} ${written}`,
        within: { from, to: from + op.length },
      });
      return undefined;
    }
    if (!checkMetric(name, tell)) return undefined;
    const value = boundOf(name, written, { from: text.length - written.length, to: text.length }, tell);
    return value === undefined ? undefined : { text, metric: name, op: op as ComparisonOp, value };
  });
  return field(read, "A metric and the bound that it must keep.", {
    type: "string",
    pattern: String.raw`^\S+\s*(==|!=|<=|>=|<|>)\s*\S+$`,
    examples: ["lost == 0", "delivery.p99 < 500ms", "alarms >= 1"],
  });
}

function checkMetric(name: string, tell: Tell): boolean {
  if (metricNames.includes(name)) return true;
  const within = { from: 0, to: name.length };
  const type = /^events\.([A-Za-z][A-Za-z0-9_.-]*)$/.exec(name)?.[1];
  if (type === undefined) {
    tell({ code: "unknown-metric", message: `names no metric: '${name}'`, hint: suggest(name, metricNames), within });
    return false;
  }
  return true;
}

/** The known event type that a metric's type is nearly spelled as, though it is none. */
export function misspelledEvent(name: string): string | undefined {
  const type = name.startsWith("events.") ? name.slice("events.".length) : undefined;
  if (type === undefined || eventTypes.some((one) => one === type)) return undefined;
  return nearest(type, eventTypes);
}

function boundOf(name: string, written: string, within: { from: number; to: number }, tell: Tell): number | undefined {
  if (spans.some((one) => name.startsWith(`${one}.`))) {
    const ms = parseDuration(written);
    if (ms !== undefined && ms >= 0) return ms;
    const hint = /^\d+(\.\d+)?$/.test(written) ? `write ${written}ms` : "write it as 500ms or 2s";
    tell({ code: "wrong-unit", message: `needs a duration to compare ${name} with, got '${written}'`, hint, within });
    return undefined;
  }
  if (/^\d{1,15}$/.test(written)) return Number(written);
  tell({
    code: "wrong-unit",
    message: `needs a count to compare ${name} with, got '${written}'`,
    hint: "write a whole number without unit",
    within,
  });
  return undefined;
}
