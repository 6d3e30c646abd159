import {
  countLost,
  type ExpectationResult,
  HostPressure,
  type Losses,
  type Meter,
  type Metric,
  metricOf,
  SpanWindow,
  staysBroken,
} from "../measure/index.js";
import { durationLiteral, type MetricExpectation } from "../scenario/index.js";
import { ClearBounds } from "./clear-bounds.js";
import { compare } from "./compare.js";
import { CountWindow } from "./count-window.js";
import type { Judgement } from "./judgement.js";

/** Running counts that a run's meter does not have. */
export interface LiveCounts {
  readonly events: ReadonlyMap<string, number>;
  readonly replies: { readonly valid: number; readonly ignored: number };
  readonly unanswered: number;
  readonly doubles: number;
  readonly reordered: number;
}

/** Metrics that are known at the end of a run only. */
export interface EndMetrics {
  readonly "ledger.gap": number;
  readonly queued: number;
  readonly ledger: Losses;
  /** Growth of the service time in milliseconds; null: too little was measured to tell. */
  readonly trend: number | null;
  /** From the first due event to the last answer. */
  readonly wallMs: number;
}

/** Interval of checks: wall milliseconds. */
const CHECK_MS = 1000;

/** A value of a metric; `atMs`: wall milliseconds since the start of the run. */
interface MeasuredValue {
  readonly value: number;
  readonly atMs: number;
}

/** An expectation on a metric, with its measured state. */
interface JudgedBound {
  readonly expectation: MetricExpectation;
  readonly metric: Metric;
  /** Absent: the bound is on the whole run. */
  readonly window: SpanWindow | CountWindow | undefined;
  /** Checks since the window began. */
  seconds: number;
  hasBegun: boolean;
  worst: MeasuredValue | undefined;
  hasStopped: boolean;
}

/**
 * Judges a run by the bounds of its scenario: moving windows once a second while it plays, the whole run at its end.
 * With `abort`, whole-run bounds are checked each second, too, and stop the run once they can no longer hold.
 */
export class Thresholds {
  readonly #bounds: readonly JudgedBound[];
  readonly #meter: Meter;
  readonly #counts: () => LiveCounts;
  readonly #clear: ClearBounds;
  #startedMs: number | undefined;
  #checkedMs = 0;

  /** @param options - `counts`: reads the current counts; `host`: absent: this machine counts as never busy */
  constructor(options: {
    readonly expectations: readonly MetricExpectation[];
    readonly meter: Meter;
    readonly counts: () => LiveCounts;
    readonly host?: HostPressure;
  }) {
    this.#meter = options.meter;
    this.#counts = options.counts;
    this.#bounds = options.expectations.map((expectation): JudgedBound => {
      const metric = metricOf(expectation.metric);
      if (metric === undefined) throw new Error(`'${expectation.metric}' is an unknown metric`);
      const window = windowFor(expectation, metric, options.meter);
      return { expectation, metric, window, seconds: 0, hasBegun: false, worst: undefined, hasStopped: false };
    });
    const { meter, host = new HostPressure() } = options;
    this.#clear = new ClearBounds(this.#bounds, { meter, host });
  }

  /** @param wallMs - monotonic wall milliseconds; `senderMs`: the same instant since the sender was made */
  start(wallMs: number, senderMs: number = wallMs): void {
    this.#startedMs = wallMs;
    this.#clear.begin(senderMs);
  }

  /** Resumed runs: restarts moving windows. Whole-run bounds include the re-executed part. */
  restartWindows(): void {
    for (const { window } of this.#bounds) {
      window?.clear();
      if (window instanceof CountWindow) window.endSecond(this.#meter, 0);
    }
  }

  /**
   * Checks all bounds, at most once a second. Call it ten times a second while the run plays.
   *
   * @returns the text of a broken bound that stops the run
   */
  checkBounds(wallMs: number): string | undefined {
    const atMs = wallMs - (this.#startedMs ?? wallMs);
    if (atMs - this.#checkedMs < CHECK_MS - 50) return undefined; // a timer may fire a little early
    this.#checkedMs = atMs;
    this.#clear.endSecond(atMs);
    return this.#checkAll(atMs);
  }

  /** The world has ended: rates that no full window has judged are judged now, as later seconds have no new events. */
  stopCounting(wallMs: number): void {
    const atMs = wallMs - (this.#startedMs ?? wallMs);
    for (const judged of this.#bounds) {
      const { window, metric } = judged;
      // A run shorter than its window is judged as one window.
      if (metric.unit !== "rate" || !(window instanceof CountWindow) || judged.worst !== undefined) continue;
      window.endSecond(this.#meter, atMs);
      this.#judge(judged, window.value(metric.unit), atMs);
    }
  }

  /** The result of each bound; it includes answers after `stopCounting`. */
  results(ends: EndMetrics, wallMs: number): ExpectationResult[] {
    const atMs = wallMs - (this.#startedMs ?? wallMs);
    this.#clear.endSecond(atMs);
    return this.#bounds.map((judged) => {
      if (judged.window === undefined) {
        return this.#resultOf(judged, this.#whole(judged.expectation, judged.metric, ends));
      }
      this.#judgeLastWindow(judged, judged.window, atMs);
      return this.#resultOf(judged, judged.worst?.value ?? null);
    });
  }

  /** The result of a bound. A broken one is also judged without the busy seconds of this machine. */
  #resultOf(judged: JudgedBound, value: number | null): ExpectationResult {
    const result = resultOf(judged, value);
    const { metric } = result;
    const clear = result.held ? undefined : this.#clear.valueOf(judged.expectation);
    return metric === undefined || clear === undefined ? result : { ...result, metric: { ...metric, clear } };
  }

  /**
   * The provisional verdicts on the bounds during a run: a bound is decided early only if nothing can change it any more.
   *
   * @param untilMs - virtual time at which they are decided
   */
  judgements(untilMs: number | null): Judgement[] {
    return this.#bounds.map((judged) => {
      const { expectation, metric, window, worst } = judged;
      const { text, value: bound } = expectation;
      const value = window === undefined ? this.#whole(expectation, metric, undefined) : (worst?.value ?? null);
      const state = value === null ? "waiting" : earlyState(judged, value);
      return { text, state, seen: value === null ? null : shown(value, metric.unit, bound), untilMs };
    });
  }

  /**
   * Judges the last window, which includes answers after the last check. Rates are skipped: they end with the world.
   * Counts that a full window has judged are skipped unless the bound is `<` or `<=`: the last window may be shorter.
   */
  #judgeLastWindow(judged: JudgedBound, window: SpanWindow | CountWindow, atMs: number): void {
    const { metric, expectation } = judged;
    if (!isFrom(judged, atMs)) return;
    if (window instanceof SpanWindow) {
      this.#judge(judged, momentOf(judged, window), atMs);
      return;
    }
    const isFull = judged.worst !== undefined && metric.unit !== "share" && !expectation.op.startsWith("<");
    if (metric.unit === "rate" || isFull) return;
    window.endSecond(this.#meter, atMs);
    this.#judge(judged, window.value(metric.unit), atMs);
  }

  #checkAll(atMs: number): string | undefined {
    let stopped: string | undefined;
    for (const judged of this.#bounds) {
      const { window, expectation, metric } = judged;
      const isBroken =
        window === undefined
          ? expectation.abort === true && staysBroken(metric, expectation.op) && this.#isBrokenForGood(judged, atMs)
          : this.#judgeWindow(judged, window, atMs);
      if (!isBroken || expectation.abort !== true) continue;
      judged.hasStopped = true;
      stopped ??= expectation.text;
    }
    return stopped;
  }

  #isBrokenForGood(judged: JudgedBound, atMs: number): boolean {
    const value = this.#whole(judged.expectation, judged.metric, undefined);
    const { op, value: bound } = judged.expectation;
    if (value === null || compare(value, op, bound)) return false;
    // `==`: the value may still reach its bound.
    if (op === "==" && (judged.metric.goes === "up" ? value < bound : value > bound)) return false;
    judged.worst = { value, atMs };
    return true;
  }

  /** @returns whether the window that ends now breaks its bound */
  #judgeWindow(judged: JudgedBound, window: SpanWindow | CountWindow, atMs: number): boolean {
    const { expectation, metric } = judged;
    if (!isFrom(judged, atMs)) return false;
    if (!judged.hasBegun) {
      judged.hasBegun = true;
      // A window with a grace (`fromMs`) starts now; one without started with the run.
      if ((expectation.fromMs ?? 0) > 0) {
        window.clear();
        if (window instanceof CountWindow) window.endSecond(this.#meter, atMs);
        return false;
      }
    }
    if (window instanceof CountWindow) window.endSecond(this.#meter, atMs);
    judged.seconds++;
    const isWhole = judged.seconds * CHECK_MS >= (expectation.overMs ?? 0);
    const value = window instanceof CountWindow ? window.value(metric.unit) : momentOf(judged, window);
    if (window instanceof SpanWindow) window.endSecond();
    // A bound with a grace and no `over` is judged at the end.
    if (!isWhole || expectation.overMs === undefined) return false;
    return this.#judge(judged, value, atMs);
  }

  #judge(judged: JudgedBound, value: number | null, atMs: number): boolean {
    if (value === null) return false;
    const { op, value: bound } = judged.expectation;
    if (judged.worst === undefined || isWorse(value, judged.worst.value, op, bound)) judged.worst = { value, atMs };
    if (compare(value, op, bound)) return false;
    const { expectation } = judged;
    this.#clear.addBroken(expectation, { fromMs: atMs - (expectation.overMs ?? 0), untilMs: atMs });
    return true;
  }

  /** A metric of the whole run; null: not measured, or known at the end only. */
  #whole({ tags = {} }: MetricExpectation, { source, unit }: Metric, ends: EndMetrics | undefined): number | null {
    const counts = this.#counts();
    switch (source.kind) {
      case "end":
        if (source.word !== "lost") return ends?.[source.word] ?? null;
        return ends === undefined ? null : countLost(ends.ledger, source.account, source.cause);
      case "so-far":
        if (source.word === "replies.valid") return counts.replies.valid;
        return source.word === "replies.ignored" ? counts.replies.ignored : counts[source.word];
      case "span": {
        const cell = this.#meter.total(tags);
        const latency = source.family === "roundtrip" ? cell.roundTrip : cell[source.family];
        return source.moment(latency);
      }
      case "count": {
        // A meter bounds its number of types; these counts do not.
        if (source.type !== undefined && tags.group === undefined) return counts.events.get(source.type) ?? 0;
        const meant = source.type === undefined ? tags : { ...tags, type: source.type };
        const count = this.#meter.sum(meant, source.count);
        if (source.among !== undefined) {
          const among = this.#meter.sum(meant, source.among);
          return among === 0 ? null : count / among;
        }
        if (unit !== "rate") return count;
        return ends === undefined || ends.wallMs === 0 ? null : (1000 * count) / ends.wallMs;
      }
    }
  }
}

/** The state of a bound before the end of the run. */
function earlyState(
  { expectation: { op, value: bound }, metric, window }: JudgedBound,
  value: number,
): Judgement["state"] {
  const holds = compare(value, op, bound);
  if (window !== undefined) return holds ? "waiting" : "failed";
  if (holds) {
    const isFinal =
      metric.goes === "up" ? op === ">" || op === ">=" : metric.goes === "down" && (op === "<" || op === "<=");
    return isFinal ? "held" : "waiting";
  }
  if (!staysBroken(metric, op)) return "waiting";
  // `==`: the value may still reach its bound.
  return op === "==" && (metric.goes === "up" ? value < bound : value > bound) ? "waiting" : "failed";
}

function windowFor(
  { tags = {}, overMs, fromMs }: MetricExpectation,
  { source }: Metric,
  meter: Meter,
): SpanWindow | CountWindow | undefined {
  if (overMs === undefined && fromMs === undefined) return undefined;
  const seconds = overMs === undefined ? Infinity : Math.ceil(overMs / CHECK_MS);
  if (source.kind === "span") {
    const window = new SpanWindow({ family: source.family, tags, seconds });
    meter.addWindow(window);
    return window;
  }
  if (source.kind !== "count") return undefined;
  const meant = source.type === undefined ? tags : { ...tags, type: source.type };
  return new CountWindow({ tags: meant, count: source.count, among: source.among, seconds });
}

function isFrom({ expectation }: JudgedBound, atMs: number): boolean {
  return atMs >= (expectation.fromMs ?? 0);
}

function momentOf({ metric: { source } }: JudgedBound, window: SpanWindow): number | null {
  const total = window.total();
  // An empty window has no value; 0 would be wrong.
  return source.kind === "span" && total.count > 0 ? source.moment(total) : null;
}

/** Whether a value breaks the bound more than another. */
function isWorse(value: number, than: number, op: string, bound: number): boolean {
  if (op === "<" || op === "<=") return value > than;
  if (op === ">" || op === ">=") return value < than;
  if (op === "!=") return value === bound;
  return Math.abs(value - bound) > Math.abs(than - bound);
}

function resultOf(judged: JudgedBound, value: number | null): ExpectationResult {
  const { expectation, metric, worst, hasStopped } = judged;
  const { text, op, value: bound, tags, overMs, fromMs } = expectation;
  const held = value !== null && compare(value, op, bound);
  const atMs = worst === undefined ? undefined : Math.round(worst.atMs);
  const place =
    overMs !== undefined && atMs !== undefined
      ? ` in the ${seconds(Math.min(overMs, atMs - (fromMs ?? 0)))} up to ${seconds(atMs)}`
      : "";
  return {
    text,
    held,
    seen: value === null ? "nothing was measured" : `${shown(value, metric.unit, bound)}${place}`,
    metric: {
      name: metric.name,
      tags,
      op,
      value: bound,
      unit: metric.unit,
      seen: value,
      overMs,
      fromMs,
      atMs,
      ...(hasStopped && { hasStopped }),
    },
  };
}

/** In whole seconds, the interval of checks. */
function seconds(ms: number): string {
  return durationLiteral(1000 * Math.max(1, Math.round(ms / 1000)));
}

function shown(value: number, unit: Metric["unit"], bound: number): string {
  switch (unit) {
    case "duration":
      return `${digits(value, bound)}ms`;
    case "share":
      return `${digits(100 * value, 100 * bound)}%`;
    case "rate":
      return `${digits(value, bound)}/s`;
    case "bytes":
      return `${value}B`;
    case "count":
      return String(value);
  }
}

/** Four significant digits; seven if four would show the bound itself. */
function digits(value: number, bound: number): number {
  const rounded = Number(value.toPrecision(4));
  return rounded === bound ? Number(value.toPrecision(7)) : rounded;
}
