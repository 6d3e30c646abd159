import type { MeasuredAttempt } from "./measurements.js";
import { failureKindOf } from "./trouble-code.js";

/**
 * The series of a run, a value for each bucket of `widthMs`. Counts place an attempt by the instant that their name
 * says: due, handed to the sender, written to a connection, ended. So the sums up to a bucket differ by the attempts
 * that wait at its end: `due - handed` wait for the generator, `handed - written` for a connection, `written - ended`
 * for the receiver.
 */
export interface TimelineSeries {
  readonly widthMs: number;
  readonly due: Uint32Array;
  readonly handed: Uint32Array;
  readonly written: Uint32Array;
  readonly ended: Uint32Array;
  /** Attempts that ended with an HTTP status, by the bucket in which they ended. */
  readonly answered: Uint32Array;
  /** Attempts that were not accepted, by the bucket in which they were written. */
  readonly failed: Uint32Array;
  /** Those of them that had no answer in time. */
  readonly timedOut: Uint32Array;
  /** By due time: milliseconds from handed to ended, added up. */
  readonly heldMs: Float32Array;
  /** By due time: the longest wait for the generator, milliseconds. */
  readonly latenessMaxMs: Float32Array;
  /** By the time of writing: how many service times there are, their sum, least and most. */
  readonly served: Uint32Array;
  readonly serviceSumMs: Float32Array;
  readonly serviceMinMs: Float32Array;
  readonly serviceMaxMs: Float32Array;
  /** Of the requests in `served`: when the first was written and the last ended, wall milliseconds. */
  readonly wallFromMs: Float64Array;
  readonly wallUntilMs: Float64Array;
}

/** The failures of one kind: an HTTP status, `timeout`, or an error code. */
export interface FailureSpan {
  readonly kind: string;
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * An attempt of a paced run that was due and had no answer when the run was stopped: instants of the timeline's clock.
 */
export interface UnansweredAttempt {
  readonly dueMs: number;
  /** Null: it waited for a connection. */
  readonly writtenMs: number | null;
  /** When the run was stopped. */
  readonly untilMs: number;
}

/** `wall`: milliseconds since the sender was made. `virtual`: the instants at which attempts were due, for lockstep. */
export type TimelineKind = "wall" | "virtual";

/** Initial width of a bucket; doubled when the run needs more than `MOST_BUCKETS`. */
const FIRST_WIDTH_MS: Readonly<Record<TimelineKind, number>> = { wall: 50, virtual: 100 };

/** Wall: 55 minutes of 50 ms; all series of that length take 4 MiB. Virtual: a day of 6.4 s, so that a short run stays short. */
const MOST_BUCKETS: Readonly<Record<TimelineKind, number>> = { wall: 65_536, virtual: 16_384 };

/** Maximum count of distinct kinds of failure; further ones count as `other`. */
const MAX_KINDS = 64;

const counts = ["due", "handed", "written", "ended", "answered", "failed", "timedOut", "served"] as const;
const sums = ["heldMs", "serviceSumMs"] as const;
const maxima = ["latenessMaxMs", "serviceMaxMs", "wallUntilMs"] as const;
const minima = ["serviceMinMs", "wallFromMs"] as const;

/**
 * When attempts were due, written and answered, in buckets of equal width. Its size is bounded: when the buckets run
 * out, pairs of them are merged. Adding an attempt allocates nothing.
 */
export class Timeline {
  readonly kind: TimelineKind;
  readonly #isPaced: boolean;
  #widthMs: number;
  /** Buckets in use. */
  #count = 0;
  #series = newSeries(64);
  readonly #failures = new Map<string, { count: number; firstMs: number; lastMs: number }>();
  /** Paced: two written attempts with their times on both clocks, to interpolate the time of unwritten ones. */
  #firstAnchor: Anchor | undefined;
  #lastAnchor: Anchor | undefined;
  #lastMs = 0;
  #beginsMs: number | undefined;

  /** @param options - `isPaced`: attempts have a due time on the wall clock */
  constructor({ kind, isPaced }: { readonly kind: TimelineKind; readonly isPaced: boolean }) {
    this.kind = kind;
    this.#isPaced = isPaced;
    this.#widthMs = FIRST_WIDTH_MS[kind];
  }

  /** Sets the start of the run on the timeline's clock. */
  begin(atMs: number): void {
    this.#beginsMs = atMs;
  }

  /** Start of the run; without a call of `begin`, the bucket of the earliest due time. */
  get beginsMs(): number {
    return (
      this.#beginsMs ??
      Math.max(
        0,
        this.#series.due.findIndex((count) => count > 0),
      ) * this.#widthMs
    );
  }

  /** @returns when it ended, on the timeline's clock */
  recordAttempt(attempt: MeasuredAttempt): number {
    const { latencyMs, durationMs, sentWallMs, outcome } = attempt;
    const latenessMs = attempt.latenessMs ?? 0;
    const dueMs = this.#dueMs(attempt);
    const isWall = this.kind === "wall";
    const endedMs = isWall ? dueMs + (this.#isPaced ? latencyMs : durationMs) : dueMs;
    const writtenMs = isWall && sentWallMs !== null ? sentWallMs : this.#isPaced && isWall ? endedMs : dueMs;
    this.#lastMs = Math.max(this.#lastMs, endedMs);
    const last = this.#bucketOf(endedMs);
    // `endedMs` is the latest instant: its bucket may double the width, so the other buckets are computed after it.
    const due = this.#bucketOf(dueMs);
    const written = this.#bucketOf(writtenMs);
    const series = this.#series;
    increase(series.due, due);
    increase(series.handed, this.#bucketOf(Math.min(dueMs + latenessMs, writtenMs)));
    increase(series.written, written);
    increase(series.ended, last);
    if (attempt.status !== null) increase(series.answered, last);
    add(series.heldMs, due, endedMs - dueMs - latenessMs);
    raise(series.latenessMaxMs, due, latenessMs);
    if (sentWallMs !== null) this.#serve(written, sentWallMs, durationMs);
    if (outcome !== "accepted") {
      increase(series.failed, written);
      const kind = failureKindOf(attempt);
      if (kind === "timeout") increase(series.timedOut, written);
      this.#fail(kind, isWall ? writtenMs : dueMs);
    }
    return endedMs;
  }

  /** Records an attempt that had no answer when the run ended. */
  recordUnanswered({ dueMs, writtenMs, untilMs }: UnansweredAttempt): void {
    const last = this.#bucketOf(Math.max(untilMs, writtenMs ?? 0));
    const due = this.#bucketOf(dueMs);
    increase(this.#series.due, due);
    increase(this.#series.handed, due);
    if (writtenMs !== null) increase(this.#series.written, Math.min(last, this.#bucketOf(writtenMs)));
    add(this.#series.heldMs, due, untilMs - dueMs);
  }

  #serve(bucket: number, sentWallMs: number, durationMs: number): void {
    const { served, serviceSumMs, serviceMinMs, serviceMaxMs, wallFromMs, wallUntilMs } = this.#series;
    const isFirst = served[bucket] === 0;
    if (isFirst || durationMs < (serviceMinMs[bucket] ?? 0)) serviceMinMs[bucket] = durationMs;
    if (isFirst || sentWallMs < (wallFromMs[bucket] ?? 0)) wallFromMs[bucket] = sentWallMs;
    raise(serviceMaxMs, bucket, durationMs);
    raise(wallUntilMs, bucket, sentWallMs + durationMs);
    add(serviceSumMs, bucket, durationMs);
    increase(served, bucket);
  }

  /** The series so far, as views of the internal arrays. */
  series(): TimelineSeries {
    const all = this.#series;
    const cut = Object.fromEntries(
      Object.entries(all).map(([name, values]) => [name, values.subarray(0, this.#count)]),
    );
    return { widthMs: this.#widthMs, ...(cut as unknown as Arrays) };
  }

  /** Failures by kind, the most frequent first. */
  failures(): FailureSpan[] {
    return [...this.#failures]
      .map(([kind, span]) => ({ kind, ...span }))
      .toSorted((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  }

  get bytes(): number {
    return Object.values(this.#series).reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #dueMs({ sentWallMs, durationMs, latencyMs, dueAtMs }: MeasuredAttempt): number {
    if (this.kind === "virtual") return dueAtMs;
    if (sentWallMs === null) return this.#placeOf(dueAtMs);
    if (!this.#isPaced) return sentWallMs;
    const dueMs = Math.max(0, sentWallMs + durationMs - latencyMs);
    this.#lastAnchor = { dueAtMs, dueMs };
    this.#firstAnchor ??= this.#lastAnchor;
    return dueMs;
  }

  /** Wall time of a request that was never written, interpolated from two written ones. */
  #placeOf(dueAtMs: number): number {
    const [first, last] = [this.#firstAnchor, this.#lastAnchor];
    if (first === undefined || last === undefined || last.dueAtMs === first.dueAtMs) return this.#lastMs;
    const ratio = (last.dueMs - first.dueMs) / (last.dueAtMs - first.dueAtMs);
    return Math.max(0, last.dueMs + (dueAtMs - last.dueAtMs) * ratio);
  }

  #bucketOf(atMs: number): number {
    let bucket = Math.floor(atMs / this.#widthMs);
    while (bucket >= MOST_BUCKETS[this.kind]) {
      this.#merge();
      bucket = Math.floor(atMs / this.#widthMs);
    }
    if (bucket >= this.#count) {
      this.#count = bucket + 1;
      if (this.#count > this.#series.due.length)
        this.#series = longer(this.#series, Math.min(MOST_BUCKETS[this.kind], 2 * this.#count));
    }
    return bucket;
  }

  /** Merges pairs of buckets and doubles their width. */
  #merge(): void {
    const all = this.#series;
    const half = Math.ceil(this.#count / 2);
    for (const name of minima) mergeMinima(all[name], all.served, half);
    for (const name of counts) mergeSums(all[name], half);
    for (const name of sums) mergeSums(all[name], half);
    for (const name of maxima) mergeMaxima(all[name], half);
    for (const values of Object.values(all)) values.fill(0, half);
    this.#count = half;
    this.#widthMs *= 2;
  }

  #fail(kind: string, atMs: number): void {
    const name = this.#failures.has(kind) || this.#failures.size < MAX_KINDS ? kind : "other";
    const span = this.#failures.get(name);
    if (span === undefined) this.#failures.set(name, { count: 1, firstMs: atMs, lastMs: atMs });
    else {
      span.count++;
      span.firstMs = Math.min(span.firstMs, atMs);
      span.lastMs = Math.max(span.lastMs, atMs);
    }
  }
}

interface Anchor {
  readonly dueAtMs: number;
  readonly dueMs: number;
}

type Arrays = Omit<TimelineSeries, "widthMs">;

function newSeries(length: number): Arrays {
  const count = (): Uint32Array => new Uint32Array(length);
  const span = (): Float32Array => new Float32Array(length);
  const instant = (): Float64Array => new Float64Array(length);
  return {
    due: count(),
    handed: count(),
    written: count(),
    ended: count(),
    answered: count(),
    failed: count(),
    timedOut: count(),
    served: count(),
    heldMs: span(),
    latenessMaxMs: span(),
    serviceSumMs: span(),
    serviceMinMs: span(),
    serviceMaxMs: span(),
    wallFromMs: instant(),
    wallUntilMs: instant(),
  };
}

function longer(series: Arrays, length: number): Arrays {
  const grown = newSeries(length);
  for (const name of Object.keys(grown) as (keyof Arrays)[]) grown[name].set(series[name]);
  return grown;
}

// One loop per array: measured, one loop over buckets with arrays looked up by name took a fifth of a short run's time.

function mergeSums(values: Uint32Array | Float32Array, half: number): void {
  for (let to = 0; to < half; to++) values[to] = (values[2 * to] ?? 0) + (values[2 * to + 1] ?? 0);
}

function mergeMaxima(values: Float32Array | Float64Array, half: number): void {
  for (let to = 0; to < half; to++) values[to] = Math.max(values[2 * to] ?? 0, values[2 * to + 1] ?? 0);
}

/** Buckets that served nothing have no minimum. */
function mergeMinima(minima: Float32Array | Float64Array, served: Uint32Array, half: number): void {
  for (let to = 0; to < half; to++) {
    const [first, second] = [minima[2 * to] ?? 0, minima[2 * to + 1] ?? 0];
    const hasFirst = (served[2 * to] ?? 0) > 0;
    const hasSecond = (served[2 * to + 1] ?? 0) > 0;
    minima[to] = !hasFirst ? second : hasSecond ? Math.min(first, second) : first;
  }
}

function increase(values: Uint32Array, index: number): void {
  values[index] = (values[index] ?? 0) + 1;
}

function add(values: Float32Array, index: number, value: number): void {
  values[index] = (values[index] ?? 0) + value;
}

function raise(values: Float32Array | Float64Array, index: number, value: number): void {
  if (value > (values[index] ?? 0)) values[index] = value;
}
