import type { LedgerReport } from "../../ledger/index.js";
import type { DrainResult } from "../../measure/index.js";
import { durationLiteral, type Scenario } from "../../scenario/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { Pace } from "./pace.js";

/** Default limit of a paced run's drain: wall milliseconds. */
const PACED_DRAIN_MS = 10_000;

/** Shortest time between two checks whether anything waits: virtual milliseconds. */
const CHECK_MS = 1000;
/** Shortest time between two checks in paced runs: wall milliseconds. */
const PACED_CHECK_MS = 100;

/** Upper bound of checks in one drain, because each takes up to a microsecond per phone. */
const CHECKS_MAX = 300;

/** Timer order that runs last within an instant. */
const LAST = Number.MAX_SAFE_INTEGER;

/** The drain's limit in virtual milliseconds: the scenario's, else 10 wall seconds in paced runs and 0 in others. */
export function drainLimitMs({ drainMs }: Scenario, pace: Pace): number {
  return drainMs ?? (pace.kind === "paced" ? Math.round(PACED_DRAIN_MS * pace.speed) : 0);
}

/**
 * A warning about what still waits after a drain that reached its limit; undefined: nothing waits.
 *
 * @param cause - where and why it waits, in words
 */
export function drainText(
  drained: DrainResult | undefined,
  ledger: LedgerReport,
  cause: string | undefined,
): string | undefined {
  if (drained === undefined || drained.isEmpty) return undefined;
  const counts = { text: ledger.texts.queued, call: ledger.calls.queued, event: ledger.events.queued };
  const left = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}${count === 1 ? "" : "s"}`);
  if (left.length === 0) return undefined;
  return (
    `${left.join(" and ")} still waited when the drain of ${durationLiteral(drained.limitMs)} ended: ` +
    "a longer 'drain' in the scenario waits longer" +
    (cause === undefined ? "" : `; ${cause}`)
  );
}

/**
 * The time after a scenario's `lasts`: without traffic and story, until nothing waits any more, or its limit. It checks
 * at instants of virtual time, so that a lockstep run always ends at the same instant.
 */
export class Drain {
  readonly #kernel: Kernel;
  readonly #lastsMs: SimTime;
  readonly #limitMs: number;
  readonly #checkMs: number;
  readonly #isWaiting: () => boolean;
  #endsAtMs: SimTime;
  #isEmpty = false;

  /** @param options - `limitMs`: 0 for no drain; `isWaiting`: whether any text, call, event or attempt is still open */
  constructor(options: {
    readonly kernel: Kernel;
    readonly lastsMs: SimTime;
    readonly limitMs: number;
    readonly pace: Pace;
    readonly isWaiting: () => boolean;
  }) {
    const { kernel, lastsMs, limitMs, pace } = options;
    this.#kernel = kernel;
    this.#lastsMs = lastsMs;
    this.#limitMs = limitMs;
    this.#isWaiting = options.isWaiting;
    const leastMs = pace.kind === "paced" ? Math.max(1, Math.round(PACED_CHECK_MS * pace.speed)) : CHECK_MS;
    this.#checkMs = Math.max(leastMs, Math.ceil(limitMs / CHECKS_MAX));
    this.#endsAtMs = lastsMs + limitMs;
  }

  /** The end of the run: the limit, or the earlier instant at which nothing waited. */
  get endsAtMs(): SimTime {
    return this.#endsAtMs;
  }

  /** Whether the traffic has ended and the drain has not. */
  get isUnderWay(): boolean {
    return this.#limitMs > 0 && this.#kernel.now >= this.#lastsMs && !this.#isEmpty;
  }

  /** Its result, once the run has ended by itself; undefined when there was no drain. */
  get result(): DrainResult | undefined {
    if (this.#limitMs === 0) return undefined;
    return { limitMs: this.#limitMs, tookMs: this.#endsAtMs - this.#lastsMs, isEmpty: this.#isEmpty };
  }

  /** Call it before the world starts. */
  schedule(): void {
    if (this.#limitMs > 0 && this.#lastsMs !== Infinity)
      this.#kernel.at(this.#lastsMs, this.#checkEmpty, undefined, LAST);
  }

  /** Restores the end of the killed run. */
  resumeFrom(endedAtMs: SimTime): void {
    this.#isEmpty = endedAtMs >= this.#lastsMs && endedAtMs < this.#endsAtMs;
    if (this.#isEmpty) this.#endsAtMs = endedAtMs;
  }

  readonly #checkEmpty = (): void => {
    const { now } = this.#kernel;
    if (this.#isWaiting()) {
      const nextAtMs = Math.min(now + this.#checkMs, this.#lastsMs + this.#limitMs);
      if (nextAtMs > now) this.#kernel.at(nextAtMs, this.#checkEmpty, undefined, LAST);
      return;
    }
    this.#isEmpty = true;
    this.#endsAtMs = now;
    this.#kernel.pause();
  };
}
