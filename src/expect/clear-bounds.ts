import { ClearSpan, type HostPressure, type Meter, type Metric, overlapsAny, type WallSpan } from "../measure/index.js";
import type { MetricExpectation } from "../scenario/index.js";
import { compare } from "./compare.js";

/** A broken bound, judged again without the seconds in which other programs kept this machine busy. */
export interface ClearValue {
  /** What was measured in the other seconds; null: nothing, or the bound is over a window. */
  readonly seen: number | null;
  /** Whether the bound is met in the other seconds. */
  readonly held: boolean;
}

/** A bound that a busy machine alone can break: an upper bound of a duration. */
interface ClearBound {
  readonly expectation: MetricExpectation;
  readonly metric: Metric;
  /** Absent: the bound is over a window. */
  readonly span: ClearSpan | undefined;
  /** The windows that broke it. */
  readonly broken: WallSpan[];
}

/** Maximum of broken windows that a bound keeps. */
const MAX_BROKEN = 10_000;

/**
 * Judges bounds on durations without the seconds in which other programs kept this machine busy. Spans are wall
 * milliseconds since the run began.
 */
export class ClearBounds {
  readonly #host: HostPressure;
  readonly #bounds: ReadonlyMap<MetricExpectation, ClearBound>;
  /** When the run began: wall milliseconds since the sender was made. */
  #beginsMs = 0;
  #endedMs = 0;

  constructor(
    bounds: readonly { readonly expectation: MetricExpectation; readonly metric: Metric }[],
    { meter, host }: { readonly meter: Meter; readonly host: HostPressure },
  ) {
    this.#host = host;
    this.#bounds = new Map(
      bounds.flatMap(({ expectation, metric }) => {
        const { source } = metric;
        const { op, overMs, tags = {} } = expectation;
        if (source.kind !== "span" || source.family === "lateness" || !op.startsWith("<")) return [];
        const of = { family: source.family, tags };
        const span = overMs === undefined ? new ClearSpan(meter, host, of) : undefined;
        return [[expectation, { expectation, metric, span, broken: [] }] as const];
      }),
    );
  }

  /** The run begins. Durations of a re-executed part before it count only if the machine was never busy during it. */
  begin(senderMs: number): void {
    this.#beginsMs = senderMs;
    for (const { span } of this.#bounds.values()) span?.endSecond({ fromMs: 0, untilMs: senderMs });
  }

  /** Ends a second. Durations before the begin of a bound (`from 30s`) are dropped. */
  endSecond(atMs: number): void {
    const second = this.#onSender({ fromMs: this.#endedMs, untilMs: atMs });
    for (const { span, expectation } of this.#bounds.values()) {
      if (this.#endedMs < (expectation.fromMs ?? 0)) span?.dropSecond();
      else span?.endSecond(second);
    }
    this.#endedMs = atMs;
  }

  /** A window broke its bound. */
  addBroken(expectation: MetricExpectation, window: WallSpan): void {
    const bound = this.#bounds.get(expectation);
    if (bound !== undefined && bound.broken.length < MAX_BROKEN) bound.broken.push(this.#onSender(window));
  }

  /** Judges a broken bound again; undefined: the machine was not busy, or cannot have broken such a bound. */
  valueOf(expectation: MetricExpectation): ClearValue | undefined {
    const bound = this.#bounds.get(expectation);
    const leftOut = this.#host.leftOut();
    if (bound === undefined || leftOut.length === 0) return undefined;
    const { metric, span, broken } = bound;
    if (span === undefined || metric.source.kind !== "span") {
      const isExcused = broken.length < MAX_BROKEN && broken.every((window) => overlapsAny(window, leftOut));
      return { seen: null, held: isExcused };
    }
    const total = span.total();
    const seen = total.count === 0 ? null : metric.source.moment(total);
    return { seen, held: seen === null || compare(seen, expectation.op, expectation.value) };
  }

  #onSender({ fromMs, untilMs }: WallSpan): WallSpan {
    return { fromMs: this.#beginsMs + fromMs, untilMs: this.#beginsMs + untilMs };
  }
}
