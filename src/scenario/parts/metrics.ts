import * as z from "zod";
import { type Metric, metricName, metricNames, metricOf, spanFamilies, staysBroken } from "../../measure/index.js";
import { isEventType, isForwarded, lossCauses } from "../../wire/index.js";
import type { HandsetGroup } from "../../world/index.js";
import type { EventFacts } from "../event-facts.js";
import { duration, flag } from "../fields/fields.js";
import { field } from "../sheet/field.js";
import { spelled } from "../fields/spelling.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { ComparisonOp, MetricExpectation } from "../scenario.js";
import { boundForms, exampleOf, readBound } from "../fields/values/bound.js";
import { durationLiteral, readDuration } from "../fields/values/duration.js";
import { readPlainText } from "../fields/values/scalar.js";
import { readFlag } from "../fields/values/word.js";
import { isMap, type Problem, type Read, type ReportProblem, type RawMap } from "../sheet/raw-value.js";
import { readTags } from "./tags.js";

export { metricNames } from "../../measure/index.js";

/** Metric, tags, operator, and the rest: the bound and its suffixes. */
const comparison = /^([^\s{=!<>]+)(\s*\{[^}]*\})?\s*(===?|!=|<>|<=|>=|=<|=>|<|>|=)\s*(\S.*)$/;
/** A metric and an operator without a value. */
const withoutValue = /^([^\s{=!<>]+)(?:\s*\{[^}]*\})?\s*([=!<>]+)$/;
/** The last suffix of a bound. */
const lastSuffix = /\s+(?:(over|from)\s+(\S+)|(abort))$/;
const misspelledOps: Readonly<Record<string, ComparisonOp>> = {
  "=": "==", "===": "==", "<>": "!=", "=<": "<=", "=>": ">=",
}; // prettier-ignore
const ops: readonly ComparisonOp[] = ["==", "!=", "<", "<=", ">", ">="];
const wanted = "a comparison such as 'unanswered == 0'";

const readOver = readDuration({ minMs: 1000, maxMs: 900_000 });
const readFrom = readDuration();
const readAbort = readFlag();
const keys = ["that", "over", "from", "abort"];

type Within = Required<Problem>["within"];

/** One entry of `expect`: `unanswered == 0`, `delivery.p99{group: clinic} < 500ms over 10s`, or a map. */
export const metricField = field(shape(), read(), "A metric and the bound that it must keep.");

/** One entry of `expect` in the typed builder. */
export type ExpectationInput = z.input<typeof metricField>;

function read(): Read<MetricExpectation> {
  return (value, report) => {
    if (!isMap(value)) {
      const text = readPlainText(value, report, wanted)?.trim();
      return text === undefined ? undefined : readLine(text, report);
    }
    return value["that"] === undefined ? refuseMap(value, report) : readMap(value, report);
  };
}

/** Reports a map without `that`: `lost: 0`, or an unquoted tag, which YAML reads as a map. */
function refuseMap(value: RawMap, report: ReportProblem): undefined {
  const [[name, bound] = []] = Object.entries(value);
  const message = `must be ${wanted}, got a map`;
  if (name === undefined || typeof bound !== "string") {
    const isCheck = name === "check" || name === "http" || name === "command";
    const hint = isCheck
      ? "checks have a list of their own: checks:"
      : 'write { that: "delivery.p99 < 500ms", over: 10s }';
    report({ code: "wrong-type", message, hint });
  } else if (/\{\s*\w+$/.test(name)) {
    report({ code: "wrong-type", message, hint: `put it in quotes: "${name}: ${bound}"` });
  } else {
    const hint = /^[=!<>]/.test(bound) ? `write ${name} ${bound}` : `write ${name} == ${bound}`;
    report({ code: "wrong-type", message, hint });
  }
  return undefined;
}

function readMap(value: RawMap, report: ReportProblem): MetricExpectation | undefined {
  const at =
    (key: string): ReportProblem =>
    (problem) =>
      report({ ...problem, path: [key] });
  const strange = Object.keys(value).filter((key) => !keys.includes(key));
  for (const key of strange) {
    report({ code: "unknown-key", message: "does not exist there", hint: suggest(key, keys), path: [key], on: "key" });
  }
  const text = readPlainText(value["that"], at("that"), wanted)?.trim();
  const line = text === undefined ? undefined : readLine(text, at("that"));
  const overMs = value["over"] === undefined ? undefined : readOver(value["over"], at("over"));
  const fromMs = value["from"] === undefined ? undefined : readFrom(value["from"], at("from"));
  const abort = value["abort"] === undefined ? undefined : readAbort(value["abort"], at("abort"));
  const isSound =
    strange.length === 0 &&
    (value["over"] === undefined || overMs !== undefined) &&
    (value["from"] === undefined || fromMs !== undefined) &&
    (value["abort"] === undefined || abort !== undefined);
  if (line === undefined || !isSound) return undefined;
  const words = [
    ...(overMs === undefined ? [] : [`over ${durationLiteral(overMs)}`]),
    ...(fromMs === undefined ? [] : [`from ${durationLiteral(fromMs)}`]),
  ];
  return checkCombination(
    {
      ...line,
      text: [line.text, ...words].join(" "),
      overMs,
      fromMs,
      abort,
    },
    report,
  );
}

/** The word for `doubles == 0`: its result has both messages to each person. */
const neverTwice = /^never-twice(\s+abort)?$/;

/** Reads a line: metric, tags, operator, bound, suffixes. */
function readLine(text: string, report: ReportProblem): MetricExpectation | undefined {
  const twice = neverTwice.exec(text);
  if (twice !== null) {
    return { text, metric: "doubles", op: "==", value: 0, ...(twice[1] !== undefined && { abort: true }) };
  }
  const bare = withoutValue.exec(text);
  if (bare !== null) {
    const [, name = "", op = ""] = bare;
    const right = ops.find((one) => one === op) ?? misspelledOps[op] ?? "==";
    report({
      code: "bad-expectation",
      message: "has no value to compare with",
      hint: `write ${name} ${right} ${exampleOf(metricOf(name)?.unit ?? "count")}`,
    });
    return undefined;
  }
  const [, name, tagText, op, rest] = comparison.exec(text) ?? [];
  if (name === undefined || op === undefined || rest === undefined) {
    report({
      code: "bad-expectation",
      message: `must be ${wanted}, got '${text}'`,
      hint: /^never\W?twice/i.test(text) ? "write never-twice" : "metric, then one of == != < <= > >=, then a value",
    });
    return undefined;
  }
  const restAt = text.length - rest.length;
  const second = /\s+(and|or|&&|\|\||,)\s+/i.exec(rest);
  if (second !== null) {
    report({
      code: "bad-expectation",
      message: "compares twice: each entry is one comparison",
      hint: "begin a new entry with '- '",
      within: { from: restAt + second.index + 1, to: text.length },
    });
    return undefined;
  }
  const better = misspelledOps[op];
  if (better !== undefined) {
    const from = text.indexOf(op, name.length + (tagText?.length ?? 0));
    report({
      code: "bad-expectation",
      message: `cannot compare by '${op}'`,
      hint: `write ${name}${tagText ?? ""} ${better} ${rest}`,
      within: { from, to: from + op.length },
    });
    return undefined;
  }
  const metric = findMetric(name, report);
  const said = readSuffix(rest, restAt, report);
  if (metric === undefined || said === undefined) return undefined;
  const value = readBound(metric, said.bound, { from: restAt, to: restAt + said.bound.length }, report);
  const tagsAt = { from: name.length, to: name.length + (tagText?.length ?? 0) };
  const tags = tagText === undefined ? {} : readTags(tagText, tagsAt, report);
  if (value === undefined || tags === undefined) return undefined;
  if (tagText !== undefined && (metric.source.kind === "end" || metric.source.kind === "so-far")) {
    report({
      code: "bad-expectation",
      message: `asks for a part of '${name}', which is counted as a whole`,
      within: tagsAt,
    });
    return undefined;
  }
  const { overMs, fromMs, abort } = said;
  return checkCombination(
    {
      text,
      metric: name,
      tags: tagText === undefined ? undefined : tags,
      op: op as ComparisonOp,
      value,
      overMs,
      fromMs,
      abort,
    },
    report,
  );
}

interface Suffixes {
  bound: string;
  overMs?: number | undefined;
  fromMs?: number | undefined;
  abort?: boolean;
}

/** Splits `500ms over 10s from 30s abort` into the bound and its suffixes, from the end. */
function readSuffix(rest: string, restAt: number, report: ReportProblem): Suffixes | undefined {
  const said: Suffixes = { bound: rest };
  for (let match = lastSuffix.exec(said.bound); match !== null; match = lastSuffix.exec(said.bound)) {
    const [, word, written = "", abort] = match;
    const to = restAt + said.bound.length;
    const within: Within = { from: to - written.length, to };
    said.bound = said.bound.slice(0, match.index);
    if (abort !== undefined) {
      said.abort = true;
      continue;
    }
    const span = (word === "over" ? readOver : readFrom)(written, (problem) => report({ ...problem, within }));
    if (span === undefined) return undefined;
    if (word === "over") said.overMs = span;
    else said.fromMs = span;
  }
  return said;
}

/** Reports suffixes that do not fit the metric or one another. */
function checkCombination(expectation: MetricExpectation, report: ReportProblem): MetricExpectation | undefined {
  const { metric: name, op, overMs, fromMs, abort } = expectation;
  const metric = metricOf(name);
  if (metric === undefined) return undefined;
  if ((overMs ?? fromMs) !== undefined && (metric.source.kind === "end" || metric.source.kind === "so-far")) {
    report({ code: "bad-expectation", message: `looks at a part of the run, but '${name}' is known of the whole` });
    return undefined;
  }
  if (abort === true && overMs === undefined && (fromMs !== undefined || !staysBroken(metric, op))) {
    report({
      code: "bad-expectation",
      message: "cannot abort a run: what is broken now may hold at the end",
      hint: metric.source.kind === "count" || metric.source.kind === "span" ? "add over 10s" : "leave out abort",
    });
    return undefined;
  }
  return expectation;
}

function findMetric(name: string, report: ReportProblem): Metric | undefined {
  const metric = metricOf(name);
  const { source } = metric ?? {};
  const cause = source?.kind === "end" && source.word === "lost" ? source.cause : undefined;
  if (metric !== undefined && (cause === undefined || Object.hasOwn(lossCauses, cause))) return metric;
  // The candidates include the aliases, so a misspelt `latency` does not suggest `lateness`.
  const aliases = metricNames.map((one) => one.replace(/^delivery\./, "latency."));
  const found = nearest(name, [...new Set([...metricNames, ...aliases, "lost"])]);
  const close = found === undefined ? undefined : metricName(found);
  const hint =
    close === undefined
      ? `one of: unanswered, failures, doubles, reordered, trend, queued, alarms, events, attempts, retries, timeouts, statuses.<500|5xx>, errors.<code>, bytes.<out|in>, <events|accepted>.rate, replies.<valid|ignored>, <texts|calls>.lost, <texts|calls>.lost.<cause>, ledger.gap, <${spanFamilies.join("|")}>.<p50|p99.9|…|min|mean|max|count>`
      : `did you mean '${close}'?`;
  report({ code: "unknown-metric", message: `names no metric: '${name}'`, hint, within: { from: 0, to: name.length } });
  return undefined;
}

/** The event type of a metric's name or tag that is neither known nor posted by the story. */
export function unknownEvent({ metric, tags }: MetricExpectation, events: EventFacts | undefined): string | undefined {
  const isFixed = metricNames.includes(metric);
  const named = !isFixed && metric.startsWith("events.") ? metric.slice("events.".length) : undefined;
  return [named, tags?.type].find(
    (type) => type !== undefined && !isEventType(type) && events?.fieldsPosted(type) === undefined,
  );
}

/** The event type whose attempts an expectation counts, if no handset group in question forwards that type. */
export function typeNotForwarded(
  { metric, tags }: MetricExpectation,
  handsets: readonly HandsetGroup[],
): string | undefined {
  // These metrics count events, whether they are forwarded or not.
  if (/^(events|alarms|doubles|queued|trend|ledger\.gap|lost|texts\.lost|calls\.lost)\b/.test(metric)) return undefined;
  const type = /^(roundtrip\.|unanswered$)/.test(metric) ? "mo_sms" : tags?.type;
  const counted = handsets.filter(({ name }) => tags?.group === undefined || tags.group === name);
  const isSent = type === undefined || counted.some(({ events }) => isForwarded(type, events));
  return isSent || counted.length === 0 ? undefined : type;
}

function shape() {
  // `latency` is the alias of `delivery`.
  const familyForms = [...spanFamilies, "latency"].join("|");
  const opForm = "(==|!=|<=|>=|<|>)";
  const code = "[A-Za-z][A-Za-z0-9_-]*";
  const tagForm = String.raw`(\s*\{[^}]*\})?`;
  const counts = String.raw`lost|(texts|calls)\.lost(\.[a-z-]+)?|ledger\.gap|queued|alarms|retries|timeouts|unanswered|doubles|reordered|replies\.(valid|ignored)|attempts(\.[a-z]+)?|events(\.[A-Za-z][A-Za-z0-9_.-]*)?|errors(\.${code})?|statuses\.[1-9]([0-9]{2}|xx)|(${familyForms})\.count`;
  const spans = String.raw`(${familyForms})\.(p[0-9]{1,3}(\.[0-9]{1,4})?|min|mean|max)`;
  const one = (names: string, bound: string): string => String.raw`(${names})${tagForm}\s*${opForm}\s*(${bound})`;
  const line = [
    one(counts, boundForms.count),
    one(`${spans}|trend`, spelled.duration),
    one("failures", boundForms.share),
    one(String.raw`(events|accepted)\.rate`, boundForms.rate),
    one(String.raw`bytes\.(out|in)`, boundForms.bytes),
    "never-twice",
  ].join("|");
  const said = String.raw`(\s+((over|from)\s+${spelled.duration}|abort))*`;
  const text = z
    .string()
    .regex(new RegExp(`^(${line})${said}$`))
    .meta({ examples: ["failures == 0", "delivery.p99 < 500ms", "failures < 1% over 10s abort"] });
  const map = z.strictObject({
    that: text.describe("A metric and its bound."),
    over: duration("A moving window of wall time: the bound must hold in each, 1s to 15m.").optional(),
    from: duration("Wall time at the beginning that does not count.").optional(),
    abort: flag("Whether the run is stopped when it is broken.").optional(),
  });
  return z.union([text, map]);
}
