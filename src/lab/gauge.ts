import { type Latency, type MeasuredAttempt, type Percentiles, SpanWindow } from "../measure/index.js";

/** Rates and percentiles of a paced run's last ten seconds, for its user. Rates are per wall second. */
export interface GaugeReading {
  /** Attempts that came due per second. */
  readonly due: number;
  /** Attempts that were answered per second. */
  readonly answered: number;
  /** Latency from the due time, wall milliseconds; null: no answer came. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** The load generator's own lateness at the 99th percentile, wall milliseconds. */
  readonly latenessP99Ms: number | null;
  /** Due attempts that wait for a connection. */
  readonly waitingForConnection: number;
}

/** Totals since the start of the run, read at one instant. */
interface Count {
  readonly atMs: number;
  readonly due: number;
  readonly answered: number;
}

/** Length of the measured period, in seconds. */
export const SECONDS = 10;

/**
 * Measures the last ten seconds of a paced run. Percentiles are of attempts answered in them. Rates come from totals
 * that each `read` keeps, at most one per second, so they cover the time since the first `read` at most.
 */
export class Gauge {
  readonly #delivery = new SpanWindow({ family: "delivery", tags: {}, seconds: SECONDS });
  readonly #lateness = new SpanWindow({ family: "lateness", tags: {}, seconds: SECONDS });
  #counts: Count[] = [];
  #secondMs: number | undefined;

  attempted(attempt: MeasuredAttempt, nowMs: number): void {
    this.#passTo(nowMs);
    this.#delivery.recordAttempt(attempt);
    this.#lateness.recordAttempt(attempt);
  }

  /** @param now - totals since the start of the run; `waiting`: due and not answered */
  read(now: {
    readonly nowMs: number;
    readonly answered: number;
    readonly waiting: number;
    readonly waitingForConnection: number;
  }): GaugeReading {
    const { nowMs, answered, waiting, waitingForConnection } = now;
    this.#passTo(nowMs);
    const count: Count = { atMs: nowMs, due: answered + waiting, answered };
    const last = this.#counts.at(-1);
    const first = this.#counts.find(({ atMs }) => atMs >= nowMs - SECONDS * 1000) ?? last ?? count;
    if (last === undefined || nowMs - last.atMs >= 1000) {
      this.#counts = [...this.#counts.filter(({ atMs }) => atMs >= nowMs - SECONDS * 1000), count];
    }
    const seconds = Math.max(1, nowMs - first.atMs) / 1000;
    const delivery = percentilesOf(this.#delivery);
    return {
      due: Math.max(0, count.due - first.due) / seconds,
      answered: (answered - first.answered) / seconds,
      p50Ms: delivery.p50,
      p99Ms: delivery.p99,
      latenessP99Ms: percentilesOf(this.#lateness).p99,
      waitingForConnection,
    };
  }

  /** The histograms of the last ten seconds, up to the last `read`. */
  latencies(): { readonly delivery: Latency; readonly lateness: Latency } {
    return { delivery: this.#delivery.total(), lateness: this.#lateness.total() };
  }

  /** Ends the seconds that have passed. */
  #passTo(nowMs: number): void {
    this.#secondMs ??= nowMs;
    const passed = Math.floor((nowMs - this.#secondMs) / 1000);
    if (passed <= 0) return;
    this.#secondMs += passed * 1000;
    for (let second = 0; second < Math.min(passed, SECONDS + 1); second++) {
      this.#delivery.endSecond();
      this.#lateness.endSecond();
    }
  }
}

/** Combines the readings of several parts: rates and waiting attempts are summed; percentiles are the worst part's. */
export function joinedReading(parts: readonly GaugeReading[]): GaugeReading {
  const sum = (of: (part: GaugeReading) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const worst = (of: (part: GaugeReading) => number | null): number | null =>
    parts
      .map(of)
      .filter((value) => value !== null)
      .toSorted((a, b) => b - a)[0] ?? null;
  return {
    due: sum(({ due }) => due),
    answered: sum(({ answered }) => answered),
    p50Ms: worst(({ p50Ms }) => p50Ms),
    p99Ms: worst(({ p99Ms }) => p99Ms),
    latenessP99Ms: worst(({ latenessP99Ms }) => latenessP99Ms),
    waitingForConnection: sum(({ waitingForConnection }) => waitingForConnection),
  };
}

function percentilesOf(window: SpanWindow): Percentiles {
  return window.total().percentiles();
}
