import { Latency } from "./latency.js";
import { attemptOutcomes, type AttemptOutcome } from "./attempt-outcomes.js";
import { showsLatency } from "./trouble-code.js";

/** The measured part of an attempt; attempts of `delivery/` and of a recording both have this shape. */
export interface MeasuredAttempt {
  /** 1 for the first. */
  readonly try: number;
  /** Virtual milliseconds. */
  readonly dueAtMs: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly error: string | null;
  /** Wall milliseconds since the sender was created; null: the request was never written. */
  readonly sentWallMs: number | null;
  /** Request written to answer read. Wall milliseconds. */
  readonly durationMs: number;
  /** From the due time to the answer; in lockstep and `max` the same as `durationMs`. */
  readonly latencyMs: number;
  /** From the due time to the hand-over to the sender: the generator's own delay. Null without a schedule. */
  readonly latenessMs: number | null;
  /** Size of the answer's body. */
  readonly bodyBytes: number;
}

/** Maximum count of distinct error codes; further ones count as `other`. */
const MAX_ERRORS = 64;

/** A status has three digits. */
const STATUSES = 1000;

/** Counters and histograms of a set of attempts: one type and group, or a sum of several. */
export class Measurements {
  /** From the due time to the answer. */
  readonly delivery: Latency = new Latency();
  /** From the due time to the attempt. */
  readonly lateness: Latency = new Latency();
  /** From an incoming text to its effect. */
  readonly roundTrip: Latency = new Latency();
  readonly errors: Map<string, number> = new Map();
  readonly outcomes: Record<AttemptOutcome, number> = {
    accepted: 0, retried: 0, refused: 0, failed: 0, timeout: 0, connection: 0,
  }; // prettier-ignore
  events = 0;
  attempts = 0;
  /** Attempts beyond the first of an event. */
  retries = 0;
  /** Bytes of the bodies of written requests. */
  bytesOut = 0;
  /** Bytes of the bodies of answers. */
  bytesIn = 0;
  readonly #service: Latency | undefined;
  /** Counts by status. A typed array, because a Map costs as much as recording the latency. Allocated on first use. */
  #byStatus: Uint32Array | undefined;

  /** @param isPaced - with a schedule, so latency and service time differ */
  constructor({ isPaced }: { readonly isPaced: boolean }) {
    this.#service = isPaced ? new Latency() : undefined;
  }

  /** From the request written to the answer read. */
  get service(): Latency {
    return this.#service ?? this.delivery;
  }

  /** Attempts by status of the answer, without zero counts. */
  get statuses(): Map<number, number> {
    const counts = new Map<number, number>();
    this.#byStatus?.forEach((count, status) => count > 0 && counts.set(status, count));
    return counts;
  }

  /** Attempts answered with a status in a range, both ends included. */
  answers(from: number, to: number): number {
    return this.#byStatus?.subarray(from, to + 1).reduce((sum, count) => sum + count, 0) ?? 0;
  }

  /** Memory of the histograms. */
  get bytes(): number {
    return this.delivery.bytes + this.lateness.bytes + this.roundTrip.bytes + (this.#service?.bytes ?? 0);
  }

  /**
   * Counts an attempt. A timeout enters the latencies with its full waiting time, because omitting it would flatter a
   * slow receiver. An attempt without a connection, or whose connection was lost, enters no latency, nor does one that
   * trouble on the way ended.
   */
  recordAttempt(attempt: MeasuredAttempt, bytesOut: number): void {
    const { status, error, outcome } = attempt;
    this.attempts++;
    if (outcome in this.outcomes) this.outcomes[outcome as AttemptOutcome]++;
    if (attempt.try > 1) this.retries++;
    if (attempt.sentWallMs !== null) this.bytesOut += bytesOut;
    this.bytesIn += attempt.bodyBytes;
    if (status !== null) this.#countStatus(status, 1);
    if (error !== null) this.#countError(error, 1);
    if (showsLatency(attempt)) {
      this.delivery.record(attempt.latencyMs);
      this.#service?.record(attempt.durationMs);
    }
    if (attempt.latenessMs !== null) this.lateness.record(attempt.latenessMs);
  }

  /** Adds the counters and histograms of another set. */
  add(other: Measurements): void {
    this.events += other.events;
    this.attempts += other.attempts;
    this.retries += other.retries;
    this.bytesOut += other.bytesOut;
    this.bytesIn += other.bytesIn;
    for (const outcome of attemptOutcomes) this.outcomes[outcome] += other.outcomes[outcome];
    for (const [status, count] of other.statuses) this.#countStatus(status, count);
    for (const [error, count] of other.errors) this.#countError(error, count);
    this.delivery.add(other.delivery);
    this.#service?.add(other.service);
    this.lateness.add(other.lateness);
    this.roundTrip.add(other.roundTrip);
  }

  #countStatus(status: number, count: number): void {
    const counts = (this.#byStatus ??= new Uint32Array(STATUSES));
    counts[status] = (counts[status] ?? 0) + count;
  }

  #countError(error: string, count: number): void {
    const known = this.errors.get(error);
    if (known !== undefined || this.errors.size < MAX_ERRORS) this.errors.set(error, (known ?? 0) + count);
    else this.errors.set("other", (this.errors.get("other") ?? 0) + count);
  }
}
