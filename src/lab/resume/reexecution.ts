import { setImmediate as nextTurn } from "node:timers/promises";
import { LabError } from "../../base/index.js";
import type { Delivery, FinishedAttempt } from "../../delivery/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { RecordedInput } from "../../store/index.js";
import { runBarriers, type Simulation } from "../time/simulation.js";
import type { WorldEnd } from "./world-end.js";

/** A recorded attempt with the run's position when it took effect. */
export type RecordedAttempt = FinishedAttempt & { readonly step: number | null };

/** A killed run and its recording. */
export interface ReexecutedRun extends Pick<Simulation, "dequeueBarrier" | "isOver"> {
  readonly kernel: Kernel;
  readonly delivery: Pick<Delivery, "applyRecordedAttempt" | "horizonMs">;
  /** A drain that finds nothing waiting moves it to now: read it at each step. */
  readonly lastsMs: SimTime;
  /** Where the killed run's world had ended: the kernel stops there. */
  readonly end: WorldEnd | undefined;
  /** Lockstep: answers take effect this much later than their attempts. Undefined: at their recorded position. */
  readonly lookaheadMs: number | undefined;
  /** In the order of their effects. */
  readonly attempts: Iterable<RecordedAttempt>;
  /** In the order of their positions. */
  readonly inputs: Iterable<RecordedInput>;
  /** See `RunPosition`. */
  position(): number;
  performInput(input: RecordedInput): void;
  /** Whether the next row that the run writes is in the recording already. */
  isReexecuting(): boolean;
}

/** Upper bound of kernel steps in one call of `Kernel.run`. */
const STEPS = 4096;

/**
 * Re-executes a recording (deterministic replay) without the receiver: the world is computed again, and each recorded
 * answer and input takes effect at its recorded position. Returns at the end of the recording. Attempts without a
 * recorded answer are then pending; those that may have reached the receiver are marked as repeats.
 *
 * @throws LabError `recording-differs` when the scenario no longer leads to what is recorded
 */
export async function reexecute(run: ReexecutedRun): Promise<void> {
  try {
    await (run.lookaheadMs !== undefined ? reexecuteLockstep(run, run.lookaheadMs) : reexecuteByPosition(run));
  } catch (error) {
    // The kernel refuses to advance past a timer that the recorded run did not have.
    if (!(error instanceof RangeError)) throw error;
    throw recordingDiffers(error.message);
  }
}

async function reexecuteByPosition(run: ReexecutedRun): Promise<void> {
  const { kernel } = run;
  const attempts = peekable(run.attempts);
  const inputs = peekable(run.inputs);
  for (;;) {
    const attempt = attempts.first;
    const input = inputs.first;
    if (input !== undefined && (attempt === undefined || positionOf(input) < positionOf(attempt))) {
      await advanceToPosition(run, positionOf(input));
      if (run.isOver()) return;
      kernel.advanceTo(input.atMs);
      inputs.shift();
      run.performInput(input);
    } else if (attempt !== undefined) {
      await advanceToPosition(run, positionOf(attempt));
      if (run.isOver()) return;
      kernel.advanceTo(attempt.effectAtMs);
      attempts.shift();
      applyRecordedAttempt(run, attempt);
    } else break;
  }
  if (run.end !== undefined) {
    await advanceToPosition(run, run.end.turn);
    kernel.advanceTo(run.end.atMs);
    return;
  }
  // Only kernel steps follow the last outside effect. They run singly, so the loop ends at the last recorded row.
  while (run.isReexecuting() && kernel.nextAtMs <= run.lastsMs && !run.isOver()) {
    kernel.run(run.lastsMs + 1, 1);
    await runBarriers(run);
  }
}

async function advanceToPosition(run: ReexecutedRun, position: number): Promise<void> {
  for (let left = position - run.position(); left > 0 && !run.isOver(); left = position - run.position()) {
    if (run.kernel.run(run.lastsMs + 1, Math.min(left, STEPS)) === 0)
      throw recordingDiffers("its world ends before the last recorded effect");
    await runBarriers(run);
    if (left > STEPS) await nextTurn();
  }
}

async function reexecuteLockstep(run: ReexecutedRun, lookaheadMs: number): Promise<void> {
  const { kernel, delivery } = run;
  const attempts = peekable(run.attempts);
  const inputs = peekable(run.inputs);
  let rounds = 0;
  while (!run.isOver()) {
    const input = inputs.first;
    if (run.end !== undefined && run.position() >= run.end.turn) break;
    const nextPosition = input === undefined ? run.end?.turn : positionOf(input);
    const left = nextPosition === undefined ? STEPS : Math.min(nextPosition - run.position(), STEPS);
    if (input !== undefined && left <= 0) {
      inputs.shift();
      run.performInput(input);
      continue;
    }
    const nextAtMs = kernel.nextAtMs;
    const { lastsMs } = run;
    const horizonMs = Math.min(delivery.horizonMs, lastsMs + 1);
    if (nextAtMs < horizonMs) {
      // As in `playLockstep`: no step passes the effect of an attempt that these steps make.
      kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs), left);
      await runBarriers(run);
      if (rounds++ % 64 === 0) await nextTurn();
      continue;
    }
    if (nextAtMs > lastsMs) break;
    let isAnswered = false;
    while (attempts.first !== undefined && attempts.first.effectAtMs <= horizonMs) {
      applyRecordedAttempt(run, attempts.first);
      attempts.shift();
      isAnswered = true;
    }
    if (!isAnswered) break;
  }
  // Answers that took effect after the world's end.
  for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) {
    applyRecordedAttempt(run, attempt);
  }
}

function applyRecordedAttempt({ delivery }: ReexecutedRun, attempt: RecordedAttempt): void {
  if (!delivery.applyRecordedAttempt(attempt))
    throw recordingDiffers("an attempt is recorded that its world does not make");
}

function positionOf({ step }: { readonly step?: number | null }): number {
  if (step === null || step === undefined)
    throw recordingDiffers("an older version recorded an effect without its position");
  return step;
}

function recordingDiffers(why: string): LabError {
  return new LabError("recording-differs", `the recording cannot be resumed: ${why}`, {
    hint: "play its scenario again",
  });
}

/** An iterator whose next item can be read without removing it. */
function peekable<T>(items: Iterable<T>): { readonly first: T | undefined; shift(): T | undefined } {
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

/** A warning: why the receiver may have counted more attempts than the result. @param repeats - see `isRepeat` */
export function resumedText(repeats: number): string {
  if (repeats === 0) return "the run was killed and resumed; no attempt was in flight then";
  const attempts = repeats === 1 ? "1 attempt that was" : `${repeats} attempts that were`;
  return `the run was killed and resumed; ${attempts} in flight then may have reached the receiver twice`;
}
