import { setImmediate as nextTurn } from "node:timers/promises";
import { LabError } from "../base/index.js";
import type { Delivery, FinishedAttempt } from "../delivery/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { RecordedInput } from "../store/index.js";
import type { WorldEnd } from "./world-end.js";

/** An attempt as it was recorded, with the turn at which it took effect. */
export type RecordedPast = FinishedAttempt & { readonly step: number | null };

/** A run that was cut off, and what goes through it again. */
export interface Relived {
  readonly kernel: Kernel;
  readonly delivery: Pick<Delivery, "applyRecordedAttempt" | "horizonMs">;
  /** Read at each turn, as a drain brings it nearer. */
  readonly lastsMs: SimTime;
  /** Where its world had ended before it was cut off; the kernel is not stepped past it. */
  readonly end: WorldEnd | undefined;
  /** Lockstep: answers take effect so much later, in their own time. Undefined: at their turn. */
  readonly lookaheadMs: number | undefined;
  /** In the order in which they took effect. */
  readonly attempts: Iterable<RecordedPast>;
  /** What came from outside, in its order. */
  readonly inputs: Iterable<RecordedInput>;
  /** Steps of the kernel and effects from outside, so far: where the run stands. */
  turn(): number;
  /** Does again what somebody did. */
  perform(input: RecordedInput): void;
  /** Whether what would be written is on record already. */
  isReliving(): boolean;
  takeBarrier(): (() => Promise<void>) | undefined;
  isOver(): boolean;
}

/** Steps between two turns of the event loop. */
const STEPS = 4096;

/**
 * Goes through what a run had recorded when it was cut off, without the receiver: the world lives through it again, every
 * answer takes effect at the turn at which it did. What the run did beyond that is as if it had not happened, but for
 * attempts that may have reached the receiver, which are marked.
 *
 * @throws LabError `recording-differs` when the scenario leads elsewhere now
 */
export async function relive(run: Relived): Promise<void> {
  try {
    await (run.lookaheadMs !== undefined ? reliveLockstep(run) : reliveTurns(run));
  } catch (error) {
    // The kernel refuses to pass a timer that was not there the first time.
    if (!(error instanceof RangeError)) throw error;
    throw differs(error.message);
  }
}

async function reliveTurns(run: Relived): Promise<void> {
  const { kernel, delivery } = run;
  const attempts = queue(run.attempts);
  const inputs = queue(run.inputs);
  for (;;) {
    const attempt = attempts.first;
    const input = inputs.first;
    if (attempt === undefined && input === undefined) break;
    const isInput = input !== undefined && (attempt === undefined || turnOf(input) < turnOf(attempt));
    const next = isInput ? input : (attempt as RecordedPast);
    await advance(run, turnOf(next));
    if (run.isOver()) return;
    if (isInput) {
      kernel.advanceTo(input.atMs);
      inputs.shift();
      run.perform(input);
    } else {
      kernel.advanceTo((next as RecordedPast).effectAtMs);
      attempts.shift();
      if (!delivery.applyRecordedAttempt(next as RecordedPast))
        throw differs("an attempt is on record that nobody makes");
    }
  }
  if (run.end !== undefined) {
    await advance(run, run.end.turn);
    kernel.advanceTo(run.end.atMs);
    return;
  }
  // What was recorded after the last answer. The wall's clock must not come in between.
  while (run.isReliving() && kernel.nextAtMs <= run.lastsMs && !run.isOver()) {
    kernel.run(run.lastsMs + 1, 1);
    await passBarriers(run);
  }
}

/** Brings the kernel to a turn. */
async function advance(run: Relived, turn: number): Promise<void> {
  for (let left = turn - run.turn(); left > 0 && !run.isOver(); left = turn - run.turn()) {
    if (run.kernel.run(run.lastsMs + 1, Math.min(left, STEPS)) === 0)
      throw differs("its world comes to its end before");
    await passBarriers(run);
    if (left > STEPS) await nextTurn();
  }
}

async function reliveLockstep(run: Relived): Promise<void> {
  const { kernel, delivery, lookaheadMs = 0 } = run;
  const attempts = queue(run.attempts);
  const inputs = queue(run.inputs);
  let steps = 0;
  const recall = (attempt: RecordedPast): void => {
    if (!delivery.applyRecordedAttempt(attempt)) throw differs("an attempt is on record that nobody makes");
  };
  while (!run.isOver()) {
    const input = inputs.first;
    if (run.end !== undefined && run.turn() >= run.end.turn) break;
    const stopTurn = input === undefined ? run.end?.turn : turnOf(input);
    const left = stopTurn === undefined ? STEPS : Math.min(stopTurn - run.turn(), STEPS);
    if (input !== undefined && left <= 0) {
      inputs.shift();
      run.perform(input);
      continue;
    }
    const nextAtMs = kernel.nextAtMs;
    const { lastsMs } = run;
    const horizonMs = Math.min(delivery.horizonMs, lastsMs + 1);
    if (nextAtMs < horizonMs) {
      // What is attempted on the way takes effect a lookahead later at the earliest.
      kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs), left);
      await passBarriers(run);
      if (steps++ % 64 === 0) await nextTurn();
      continue;
    }
    if (nextAtMs > lastsMs) break;
    let isAnswered = false;
    while (attempts.first !== undefined && attempts.first.effectAtMs <= horizonMs) {
      recall(attempts.shift() as RecordedPast);
      isAnswered = true;
    }
    if (!isAnswered) break;
  }
  // The end of a run awaits the answers that take effect beyond it.
  for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) recall(attempt);
}

async function passBarriers(run: Relived): Promise<void> {
  for (let barrier = run.takeBarrier(); barrier !== undefined; barrier = run.takeBarrier()) await barrier();
}

function turnOf({ step }: { readonly step?: number | null }): number {
  if (step === null || step === undefined) throw differs("an older version did not record when it took effect");
  return step;
}

function differs(why: string): LabError {
  return new LabError("recording-differs", `the recording cannot be gone on with: ${why}`, {
    hint: "play its scenario again",
  });
}

/** What comes one after the other, with a look at the next. */
function queue<T>(items: Iterable<T>): { readonly first: T | undefined; shift(): T | undefined } {
  const iterator = items[Symbol.iterator]();
  let next = iterator.next();
  return {
    get first() {
      return next.done === true ? undefined : next.value;
    },
    shift() {
      const value = next.done === true ? undefined : next.value;
      next = iterator.next();
      return value;
    },
  };
}

/** Why a receiver that counts may have met more than a run that was cut off tells. @param repeats - see `isRepeat` */
export function resumedText(repeats: number): string {
  if (repeats === 0) return "the run was cut off and gone on with; no attempt was in flight then";
  const attempts = repeats === 1 ? "1 attempt that was" : `${repeats} attempts that were`;
  return `the run was cut off and gone on with; ${attempts} in flight then may have reached the receiver twice`;
}
