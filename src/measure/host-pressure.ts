/** A wall second in which other programs competed for the cores of this machine. */
export interface HostSecond {
  /** Its begin: wall milliseconds since the sender was made. */
  readonly atMs: number;
  /** The share of the second in which others kept the machine busy, 0 to 1. */
  readonly share: number;
  /** Tasks of other programs that wanted each core, on average; null: this system does not count them. */
  readonly othersPerCore: number | null;
}

/** A span of wall time; `untilMs` is excluded. */
export interface WallSpan {
  readonly fromMs: number;
  readonly untilMs: number;
}

const SECOND_MS = 1000;

/** A second counts as busy if at least this share of it was busy. */
const BUSY_SHARE = 0.1;

/** A second with fewer tasks of other programs for each core is quiet, and not recorded. */
const OTHERS_LEAST = 0.5;

/** A burst of work is noticed up to this long after its begin. */
const BEFORE_MS = 250;

/** After busy seconds, queues drain for half as long as they were busy, within these limits. */
const DRAIN_SHARE = 0.5;
const DRAIN_LEAST_MS = 1000;
const DRAIN_MOST_MS = 5000;

/** Maximum of recorded seconds: eleven days. */
const MAX_SECONDS = 1_000_000;

/**
 * How other programs used this machine during a run. While they keep it busy, the lab and a receiver beside it wait for
 * a core, so what is slow may be slow for that reason.
 */
export class HostPressure {
  readonly #seconds: HostSecond[] = [];

  /** Records a second. Seconds come in the order of time. @returns false: it was quiet, and is not kept */
  recordSecond(second: HostSecond): boolean {
    const isKept = isBusy(second) || (second.othersPerCore ?? 0) >= OTHERS_LEAST;
    if (!isKept || this.#seconds.length >= MAX_SECONDS) return false;
    this.#seconds.push(second);
    return true;
  }

  /** The seconds that were not quiet, in order. Those of several parts of a fleet may overlap. */
  get seconds(): readonly HostSecond[] {
    return this.#seconds;
  }

  /** The seconds in which others kept the machine busy. */
  busySeconds(): HostSecond[] {
    return this.#seconds.filter(isBusy);
  }

  /** The busy time as disjoint spans, in order. */
  busySpans(): WallSpan[] {
    return joined(this.busySeconds().map(({ atMs }) => ({ fromMs: atMs, untilMs: atMs + SECOND_MS })));
  }

  /**
   * The busy spans, each with the time before it in which its begin went unnoticed, and the time after it in which
   * queues drain. What is measured then says nothing about the receiver. Disjoint, in order.
   */
  leftOut(): WallSpan[] {
    return joined(
      this.busySpans().map(({ fromMs, untilMs }) => {
        const drainMs = Math.min(DRAIN_MOST_MS, Math.max(DRAIN_LEAST_MS, DRAIN_SHARE * (untilMs - fromMs)));
        return { fromMs: fromMs - BEFORE_MS, untilMs: untilMs + drainMs };
      }),
    );
  }
}

function isBusy({ share }: HostSecond): boolean {
  return share >= BUSY_SHARE;
}

/** Joins spans that touch or overlap. @param spans - ordered by `fromMs` */
function joined(spans: readonly WallSpan[]): WallSpan[] {
  const all: { fromMs: number; untilMs: number }[] = [];
  for (const { fromMs, untilMs } of spans) {
    const last = all.at(-1);
    if (last !== undefined && fromMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, untilMs);
    else all.push({ fromMs, untilMs });
  }
  return all;
}
