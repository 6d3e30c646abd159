import { type Meter, type Metric, metricOf, SpanWindow, staysBroken } from "../measure/index.js";
import type { ExpectationResult } from "../report/index.js";
import { durationLiteral, type MetricExpectation } from "../scenario/index.js";
import { compare } from "./compare.js";
import { CountWindow } from "./count-window.js";

/** What a run counts beside what its meter does. */
export interface RunCounts {
  readonly events: ReadonlyMap<string, number>;
  readonly replies: { readonly valid: number; readonly ignored: number };
  readonly unanswered: number;
  readonly doubles: number;
}

/** What is known at the end of a run. */
export interface RunEnds {
  readonly "ledger.gap": number;
  readonly queued: number;
  /** From the first due event to the last answer. */
  readonly wallMs: number;
}

/** Wall milliseconds between two looks. */
const LOOK_MS = 1000;

/** What was seen of an expectation, and when: wall milliseconds after the beginning. */
interface Seen {
  readonly value: number;
  readonly atMs: number;
}

/** An expectation with what has been seen of it. */
interface Watch {
  readonly expectation: MetricExpectation;
  readonly metric: Metric;
  /** Absent: the whole run is looked at. */
  readonly window: SpanWindow | CountWindow | undefined;
  /** Looks that the window has taken in since it began to count. */
  looks: number;
  hasBegun: boolean;
  worst: Seen | undefined;
  hasStopped: boolean;
}

/**
 * Holds a run against the bounds of its scenario: moving windows once a second while it plays, the whole run at its
 * end, and whole-run bounds that stop it as soon as they are broken for good.
 */
export class Thresholds {
  readonly #watches: readonly Watch[];
  readonly #meter: Meter;
  readonly #counts: () => RunCounts;
  #beganMs: number | undefined;
  #lookedMs = 0;

  /** @param options - `counts`: how they stand now */
  constructor(options: {
    readonly expectations: readonly MetricExpectation[];
    readonly meter: Meter;
    readonly counts: () => RunCounts;
  }) {
    this.#meter = options.meter;
    this.#counts = options.counts;
    this.#watches = options.expectations.map((expectation): Watch => {
      const metric = metricOf(expectation.metric);
      if (metric === undefined) throw new Error(`there is no metric '${expectation.metric}'`);
      const window = windowFor(expectation, metric, options.meter);
      return { expectation, metric, window, looks: 0, hasBegun: false, worst: undefined, hasStopped: false };
    });
  }

  /** The run begins. @param wallMs - monotonic */
  begin(wallMs: number): void {
    this.#beganMs = wallMs;
  }

  /** A run that was cut off goes on: windows that move begin anew, whatever is bounded over the whole run counts all. */
  goOn(): void {
    for (const { window } of this.#watches) {
      window?.clear();
      if (window instanceof CountWindow) window.take(this.#meter, 0);
    }
  }

  /**
   * To be called ten times a second while the run plays.
   *
   * @returns the expectation that stops the run, if one does
   */
  look(wallMs: number): string | undefined {
    const atMs = wallMs - (this.#beganMs ?? wallMs);
    if (atMs - this.#lookedMs < LOOK_MS - 50) return undefined; // a look may come a little early
    this.#lookedMs = atMs;
    return this.#lookAt(atMs);
  }

  /** The world stands still: what is under way is awaited, and nothing new comes. A rate is none from here on. */
  stopCounting(wallMs: number): void {
    const atMs = wallMs - (this.#beganMs ?? wallMs);
    for (const watch of this.#watches) {
      const { window, metric } = watch;
      // A run that was shorter than its window is all that there is.
      if (metric.unit !== "rate" || !(window instanceof CountWindow) || watch.worst !== undefined) continue;
      window.take(this.#meter, atMs);
      this.#judge(watch, window.value(metric.unit), atMs);
    }
  }

  /** What became of each expectation, the answers that came after `stopCounting` included. */
  results(ends: RunEnds, wallMs: number): ExpectationResult[] {
    const atMs = wallMs - (this.#beganMs ?? wallMs);
    return this.#watches.map((watch) => {
      if (watch.window === undefined) {
        return resultOf(watch, this.#whole(watch.expectation, watch.metric, ends));
      }
      this.#lookLast(watch, watch.window, atMs);
      return resultOf(watch, watch.worst?.value ?? null);
    });
  }

  /** The last answers have come after the last look; a count that was to be reached by then has been looked at before. */
  #lookLast(watch: Watch, window: SpanWindow | CountWindow, atMs: number): void {
    const { metric, expectation } = watch;
    if (!isFrom(watch, atMs)) return;
    if (window instanceof SpanWindow) {
      this.#judge(watch, momentOf(watch, window), atMs);
      return;
    }
    const isFull = watch.worst !== undefined && metric.unit !== "share" && !expectation.op.startsWith("<");
    if (metric.unit === "rate" || isFull) return;
    window.take(this.#meter, atMs);
    this.#judge(watch, window.value(metric.unit), atMs);
  }

  #lookAt(atMs: number): string | undefined {
    let stopped: string | undefined;
    for (const watch of this.#watches) {
      const { window, expectation, metric } = watch;
      const isBroken =
        window === undefined
          ? expectation.abort === true && staysBroken(metric, expectation.op) && this.#isBrokenForGood(watch, atMs)
          : this.#lookThrough(watch, window, atMs);
      if (!isBroken || expectation.abort !== true) continue;
      watch.hasStopped = true;
      stopped ??= expectation.text;
    }
    return stopped;
  }

  #isBrokenForGood(watch: Watch, atMs: number): boolean {
    const value = this.#whole(watch.expectation, watch.metric, undefined);
    const { op, value: bound } = watch.expectation;
    if (value === null || compare(value, op, bound)) return false;
    // What is to come to its bound may be on its way.
    if (op === "==" && (watch.metric.goes === "up" ? value < bound : value > bound)) return false;
    watch.worst = { value, atMs };
    return true;
  }

  /** @returns whether the window that ends now breaks the bound */
  #lookThrough(watch: Watch, window: SpanWindow | CountWindow, atMs: number): boolean {
    const { expectation, metric } = watch;
    if (!isFrom(watch, atMs)) return false;
    if (!watch.hasBegun) {
      watch.hasBegun = true;
      // What was before does not count; a window without a grace began with the run.
      if ((expectation.fromMs ?? 0) > 0) {
        window.clear();
        if (window instanceof CountWindow) window.take(this.#meter, atMs);
        return false;
      }
    }
    if (window instanceof CountWindow) window.take(this.#meter, atMs);
    watch.looks++;
    const isWhole = watch.looks * LOOK_MS >= (expectation.overMs ?? 0);
    const value = window instanceof CountWindow ? window.value(metric.unit) : momentOf(watch, window);
    if (window instanceof SpanWindow) window.endSecond();
    // From a grace to the end there is no window that moves: it is judged when it is complete.
    if (!isWhole || expectation.overMs === undefined) return false;
    return this.#judge(watch, value, atMs);
  }

  #judge(watch: Watch, value: number | null, atMs: number): boolean {
    if (value === null) return false;
    const { op, value: bound } = watch.expectation;
    if (watch.worst === undefined || isWorse(value, watch.worst.value, op, bound)) watch.worst = { value, atMs };
    return !compare(value, op, bound);
  }

  /** A metric of the whole run; null when nothing of the kind was measured, or is not known yet. */
  #whole({ tags = {} }: MetricExpectation, { source, unit }: Metric, ends: RunEnds | undefined): number | null {
    const counts = this.#counts();
    switch (source.kind) {
      case "end":
        return ends?.[source.word] ?? null;
      case "so-far":
        if (source.word === "unanswered" || source.word === "doubles") return counts[source.word];
        return source.word === "replies.valid" ? counts.replies.valid : counts.replies.ignored;
      case "span": {
        const cell = this.#meter.total(tags);
        const latency = source.family === "roundtrip" ? cell.roundTrip : cell[source.family];
        return source.moment(latency);
      }
      case "count": {
        // A meter knows so many types and no more; here all are told apart.
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

function windowFor(
  { tags = {}, overMs, fromMs }: MetricExpectation,
  { source }: Metric,
  meter: Meter,
): SpanWindow | CountWindow | undefined {
  if (overMs === undefined && fromMs === undefined) return undefined;
  const seconds = overMs === undefined ? Infinity : Math.ceil(overMs / LOOK_MS);
  if (source.kind === "span") {
    const window = new SpanWindow({ family: source.family, tags, seconds });
    meter.addWindow(window);
    return window;
  }
  if (source.kind !== "count") return undefined;
  const meant = source.type === undefined ? tags : { ...tags, type: source.type };
  return new CountWindow({ tags: meant, count: source.count, among: source.among, seconds });
}

function isFrom({ expectation }: Watch, atMs: number): boolean {
  return atMs >= (expectation.fromMs ?? 0);
}

function momentOf({ metric: { source } }: Watch, window: SpanWindow): number | null {
  const total = window.total();
  // A window in which nothing was measured says nothing, not 0.
  return source.kind === "span" && total.count > 0 ? source.moment(total) : null;
}

/** Whether a value is further from holding. */
function isWorse(value: number, than: number, op: string, bound: number): boolean {
  if (op === "<" || op === "<=") return value > than;
  if (op === ">" || op === ">=") return value < than;
  if (op === "!=") return value === bound;
  return Math.abs(value - bound) > Math.abs(than - bound);
}

function resultOf(watch: Watch, value: number | null): ExpectationResult {
  const { expectation, metric, worst, hasStopped } = watch;
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
      ...(tags !== undefined && { tags }),
      op,
      value: bound,
      unit: metric.unit,
      seen: value,
      ...(overMs !== undefined && { overMs }),
      ...(fromMs !== undefined && { fromMs }),
      ...(atMs !== undefined && { atMs }),
      ...(hasStopped && { hasStopped }),
    },
  };
}

/** To whole seconds: looks are a second apart. */
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

/** Four digits that count, as exact as percentiles are; more only where these would be the bound's own. */
function digits(value: number, bound: number): number {
  const rounded = Number(value.toPrecision(4));
  return rounded === bound ? Number(value.toPrecision(7)) : rounded;
}
