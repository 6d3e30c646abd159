import type { LedgerReport } from "../../ledger/index.js";
import type { DrainResult } from "../../report/index.js";
import { durationLiteral, type Scenario } from "../../scenario/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { Pace } from "./pace.js";

/** A paced run without `drain` of its own drains for this long at most: wall milliseconds. */
const PACED_DRAIN_MS = 10_000;

/** A drain looks this often at most whether something waits: virtual milliseconds, and wall milliseconds in paced runs. */
const LOOK_MS = 1000;
const PACED_LOOK_MS = 100;

/** Looks in one drain. Each costs up to a microsecond a phone. */
const LOOKS = 300;

/** The last thing that happens at its instant. */
const LAST = Number.MAX_SAFE_INTEGER;

/** How long a run drains at most, in virtual milliseconds: what the scenario says, else 10 s of the wall in paced runs. */
export function drainLimitMs({ drainMs }: Scenario, pace: Pace): number {
  return drainMs ?? (pace.kind === "paced" ? Math.round(PACED_DRAIN_MS * pace.speed) : 0);
}

/**
 * What a reader of the result should know of a drain that reached its limit; undefined: nothing waits.
 *
 * @param cause - a step of the story that may be why, in words
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
    (cause === undefined ? "" : `; the story may be why: ${cause}`)
  );
}

/**
 * The time after a scenario's `lasts`: no traffic and no story, but the world lives on so that what waits comes to its
 * end. It is over when nothing waits, or at its limit. It decides at instants of virtual time, so that a run in
 * lockstep ends at the same instant each time.
 */
export class Drain {
  readonly #kernel: Kernel;
  readonly #lastsMs: SimTime;
  readonly #limitMs: number;
  readonly #lookMs: number;
  readonly #isWaiting: () => boolean;
  #endsAtMs: SimTime;
  #isEmpty = false;

  /** @param options - `limitMs`: 0: there is none; `isWaiting`: whether anything may still come to its end */
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
    const leastMs = pace.kind === "paced" ? Math.max(1, Math.round(PACED_LOOK_MS * pace.speed)) : LOOK_MS;
    this.#lookMs = Math.max(leastMs, Math.ceil(limitMs / LOOKS));
    this.#endsAtMs = lastsMs + limitMs;
  }

  /** Where the run ends: the limit, or the earlier instant at which nothing waited. */
  get endsAtMs(): SimTime {
    return this.#endsAtMs;
  }

  /** The traffic is over, and the drain is not. */
  get isUnderWay(): boolean {
    return this.#limitMs > 0 && this.#kernel.now >= this.#lastsMs && !this.#isEmpty;
  }

  /** What became of it, once the run has ended by itself; undefined: there was none. */
  get drained(): DrainResult | undefined {
    if (this.#limitMs === 0) return undefined;
    return { limitMs: this.#limitMs, tookMs: this.#endsAtMs - this.#lastsMs, isEmpty: this.#isEmpty };
  }

  /** To be called before the world starts. */
  schedule(): void {
    if (this.#limitMs > 0 && this.#lastsMs !== Infinity) this.#kernel.at(this.#lastsMs, this.#look, undefined, LAST);
  }

  /** The run that is resumed had ended there. */
  resumeFrom(endedAtMs: SimTime): void {
    this.#isEmpty = endedAtMs >= this.#lastsMs && endedAtMs < this.#endsAtMs;
    if (this.#isEmpty) this.#endsAtMs = endedAtMs;
  }

  readonly #look = (): void => {
    const { now } = this.#kernel;
    if (this.#isWaiting()) {
      const nextAtMs = Math.min(now + this.#lookMs, this.#lastsMs + this.#limitMs);
      if (nextAtMs > now) this.#kernel.at(nextAtMs, this.#look, undefined, LAST);
      return;
    }
    this.#isEmpty = true;
    this.#endsAtMs = now;
    this.#kernel.pause();
  };
}
