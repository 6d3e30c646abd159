import { eventTypes } from "../../wire/index.js";
import { durationForm, field, type Field } from "../fields.js";
import { nearest } from "../nearest.js";
import type { ComparisonOp, MetricExpectation } from "../scenario.js";
import { parseDuration } from "../values/duration.js";
import { scalar } from "../values/scalar.js";
import { isMap, type Read, type Tell } from "../written.js";

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

const opForm = "(==|!=|<=|>=|<|>)";
const countForm = String.raw`lost|queued|alarms|replies\.(valid|ignored)|attempts\.(${outcomes.join("|")})|events\.[A-Za-z][A-Za-z0-9_.-]*`;
const ops: readonly ComparisonOp[] = ["==", "!=", "<", "<=", ">", ">="];

/** One line of `expect`: `lost == 0`, `delivery.p99 < 500ms`. */
export const metricField: Field<MetricExpectation, string> = metric();

function metric(): Field<MetricExpectation, string> {
  const wanted = "a comparison such as 'lost == 0'";
  const readLine = scalar(wanted, (text, tell): MetricExpectation | undefined => {
    const bare = /^([^\s=!<>]+)\s*([=!<>]+)$/.exec(text);
    if (bare !== null) {
      const [, name = "", op = ""] = bare;
      const right = ops.find((one) => one === op) ?? misspelledOps[op] ?? "==";
      tell({
        code: "bad-expectation",
        message: "has no value to compare with",
        hint: `write ${name} ${right} ${spans.some((one) => name.startsWith(`${one}.`)) ? "500ms" : "0"}`,
      });
      return undefined;
    }
    const [, name, op, written] = form.exec(text) ?? [];
    if (name === undefined || op === undefined || written === undefined) {
      tell({
        code: "bad-expectation",
        message: `must be ${wanted}, got '${text}'`,
        hint: "metric, then one of == != < <= > >=, then a value",
      });
      return undefined;
    }
    const second = /\s+(and|or|&&|\|\||,)\s+/i.exec(written);
    if (second !== null) {
      const from = text.length - written.length + second.index;
      tell({
        code: "bad-expectation",
        message: "compares twice: each entry is one comparison",
        hint: "begin a new entry with '- '",
        within: { from: from + 1, to: text.length },
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
  const read: Read<MetricExpectation> = (value, tell) => {
    const [[name, bound] = []] = isMap(value) ? Object.entries(value) : [];
    if (name === undefined || typeof bound !== "string") return readLine(value, tell);
    const hint = /^[=!<>]/.test(bound) ? `write ${name} ${bound}` : `write ${name} == ${bound}`;
    tell({ code: "wrong-type", message: `must be ${wanted}, got a map`, hint });
    return undefined;
  };
  return field(read, "A metric and the bound that it must keep.", {
    type: "string",
    pattern: String.raw`^((${countForm})\s*${opForm}\s*[0-9]{1,15}|(${spans.join("|")})\.(${moments.join("|")})\s*${opForm}\s*${durationForm})$`,
    examples: ["lost == 0", "delivery.p99 < 500ms", "alarms >= 1"],
  });
}

function checkMetric(name: string, tell: Tell): boolean {
  if (metricNames.includes(name)) return true;
  const within = { from: 0, to: name.length };
  const type = /^events\.([A-Za-z][A-Za-z0-9_.-]*)$/.exec(name)?.[1];
  if (type === undefined) {
    const close = nearest(name, metricNames);
    const hint =
      close === undefined
        ? `one of: lost, queued, alarms, events.<type>, attempts.<outcome>, replies.<valid|ignored>, <${spans.join("|")}>.<${moments.join("|")}>`
        : `did you mean '${close}'?`;
    tell({ code: "unknown-metric", message: `names no metric: '${name}'`, hint, within });
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
  if (/^-\d+$/.test(written)) {
    tell({ code: "out-of-range", message: `compares ${name} with ${written}, but a count is never below 0`, within });
    return undefined;
  }
  tell({
    code: "wrong-unit",
    message: `needs a count to compare ${name} with, got '${written}'`,
    hint: "write a whole number without unit",
    within,
  });
  return undefined;
}
