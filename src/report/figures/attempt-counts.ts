import { eventKey, failureKindOf, showsLatency } from "../../measure/index.js";
import type { AttemptFigures, OtherFigures } from "../../store/index.js";
import { type Axis, bucketOf } from "./axis.js";
import type { EventTypes } from "./event-types.js";
import { FailureCounts } from "./failures.js";
import type { Breakdown } from "./breakdown.js";
import { DurationHistograms } from "./duration-histograms.js";
import type { WallTimes } from "./wall-times.js";

/** How attempts are assigned to buckets, types and groups. */
export interface CountingContext {
  readonly axis: Axis;
  readonly isPaced: boolean;
  readonly walls: WallTimes;
  readonly events: EventTypes;
  readonly types: Breakdown;
  readonly groups: Breakdown;
  /** Index in `groups` by channel. */
  readonly groupOf: readonly number[];
}

/** The recorded times of an attempt. */
export interface AttemptTiming {
  readonly sentWallMs: number | null;
  readonly dueAtMs: number;
  readonly durationMs: number;
  readonly latencyMs: number;
}

/** Counts attempts in recorded order, in structures of fixed size. */
export class AttemptCounts {
  /** Index of the whole run in each set of histograms, after those of the buckets. */
  readonly whole: number;
  readonly latency: DurationHistograms;
  readonly service: DurationHistograms;
  readonly lateness: DurationHistograms;
  /** By bucket: attempts due; of these, accepted and first tries; attempts that ended in the bucket. */
  readonly due: Uint32Array;
  readonly accepted: Uint32Array;
  readonly first: Uint32Array;
  readonly ended: Uint32Array;
  readonly failures: FailureCounts;
  readonly slowest: SlowestAttempts = new SlowestAttempts();
  count = 0;
  /** See `Figures.doubles`. */
  resent = 0;
  repeated = 0;
  readonly #context: CountingContext;
  readonly #isWall: boolean;
  readonly #statuses = new Map<number, number>();
  /** Events with a request that was written and not answered. */
  readonly #unanswered = new Set<number>();
  #usualCount = 0;

  constructor(counting: CountingContext) {
    const { axis, isPaced } = counting;
    this.#context = counting;
    this.#isWall = axis.kind === "wall";
    this.whole = axis.count;
    this.latency = new DurationHistograms(axis.count + 1);
    this.service = new DurationHistograms(isPaced ? axis.count + 1 : 0);
    this.lateness = new DurationHistograms(isPaced ? axis.count + 1 : 0);
    this.due = new Uint32Array(axis.count);
    this.accepted = new Uint32Array(axis.count);
    this.first = new Uint32Array(axis.count);
    this.ended = new Uint32Array(axis.count);
    this.failures = new FailureCounts(axis);
  }

  /** Due time of an attempt, on the axis' clock. */
  dueMs({ sentWallMs, dueAtMs, durationMs, latencyMs }: AttemptTiming): number {
    if (!this.#isWall) return dueAtMs;
    if (sentWallMs === null) return this.#context.walls.wallMsAt(dueAtMs);
    return this.#context.isPaced ? sentWallMs + durationMs - latencyMs : sentWallMs;
  }

  add(attempt: AttemptFigures): void {
    const { axis, isPaced, events, types, groups, groupOf } = this.#context;
    const [row, channel, number, dueAtMs, sentWallMs, durationMs, latencyMs, latenessMs, rest] = attempt;
    this.count++;
    const dueMs = this.dueMs({ sentWallMs, dueAtMs, durationMs, latencyMs });
    const bucket = bucketOf(axis, dueMs);
    increase(this.due, bucket);
    if (this.#isWall) increase(this.ended, bucketOf(axis, dueMs + (isPaced ? latencyMs : durationMs)));
    const other = rest === null ? null : (JSON.parse(rest) as OtherFigures);
    if (other === null) this.#usualCount++;
    else
      this.#addUnusual(other, {
        row,
        event: eventKey({ channel, number }),
        dueMs,
        wasWritten: sentWallMs !== null,
      });
    const isAccepted = other === null || other[0] === "accepted";
    if (isAccepted) increase(this.accepted, bucket);
    if (other === null || other[3] === 1) increase(this.first, bucket);
    // A failed connection has no latency.
    const hasSpan = other === null || showsLatency({ outcome: other[0], status: other[1], error: other[2] });
    const spanMs = hasSpan ? latencyMs : null;
    if (spanMs !== null) {
      this.slowest.add(row, spanMs);
      this.#measure(this.latency, bucket, spanMs);
      if (isPaced) this.#measure(this.service, bucket, durationMs);
    }
    if (isPaced && latenessMs !== null) this.#measure(this.lateness, bucket, latenessMs);
    const part = { isAccepted, spanMs };
    types.add(events.indexOf(channel, number), part);
    groups.add(groupOf[channel] ?? groups.indexOf("other"), part);
  }

  /** Attempts by the status of their answer. */
  statuses(): Record<string, number> {
    const all = new Map(this.#statuses);
    if (this.#usualCount > 0) all.set(200, (all.get(200) ?? 0) + this.#usualCount);
    return Object.fromEntries(all);
  }

  #addUnusual(
    [outcome, status, error, tryNumber, isRepeat]: OtherFigures,
    { row, event, dueMs, wasWritten }: { row: number; event: number; dueMs: number; wasWritten: boolean },
  ): void {
    if (isRepeat === 1) this.repeated++;
    if (tryNumber > 1 && this.#unanswered.delete(event)) this.resent++;
    if (status !== null) this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
    else if (wasWritten) this.#unanswered.add(event);
    if (outcome === "accepted") return;
    this.failures.add({ kind: failureKindOf({ status, outcome, error }), outcome, dueMs, row });
  }

  #measure(spans: DurationHistograms, bucket: number, spanMs: number): void {
    spans.add(bucket, spanMs);
    spans.add(this.whole, spanMs);
  }
}

/** Adds one. */
export function increase(counts: Uint32Array, index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

/** Number of attempts kept. */
const KEPT = 20;

interface SlowAttempt {
  readonly row: number;
  readonly latencyMs: number;
}

/** Keeps the attempts with the longest latency. */
class SlowestAttempts {
  readonly #kept: SlowAttempt[] = [];
  #leastMs = -1;

  add(row: number, latencyMs: number): void {
    if (latencyMs <= this.#leastMs) return;
    this.#kept.push({ row, latencyMs });
    if (this.#kept.length <= KEPT) return;
    this.#kept.sort((a, b) => b.latencyMs - a.latencyMs || a.row - b.row);
    this.#kept.length = KEPT;
    this.#leastMs = this.#kept.at(-1)?.latencyMs ?? -1;
  }

  /** Longest first. */
  rows(): number[] {
    return this.#kept.toSorted((a, b) => b.latencyMs - a.latencyMs || a.row - b.row).map(({ row }) => row);
  }
}
