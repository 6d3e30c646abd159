import { setImmediate as nextTurn } from "node:timers/promises";
import { LabError } from "../../base/index.js";
import type { Delivery, FinishedAttempt, ServiceRequests } from "../../delivery/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { RecordedInput } from "../../store/index.js";
import { runBarriers, type Simulation } from "../time/simulation.js";
import type { RecordedAnswer } from "./recorded-answers.js";
import type { WorldEnd } from "./world-end.js";

/** A recorded attempt with the run's position when it took effect. */
export type RecordedAttempt = FinishedAttempt & { readonly step: number | null };

/** A killed run and its recording. */
export interface ReexecutedRun extends Pick<Simulation, "dequeueBarrier" | "isOver"> {
  readonly kernel: Kernel;
  readonly delivery: Pick<Delivery, "applyRecordedAttempt" | "horizonMs">;
  readonly requests: Pick<ServiceRequests, "applyRecordedAnswer" | "horizonMs">;
  /** A drain that finds nothing waiting moves it to now: read it at each step. */
  readonly lastsMs: SimTime;
  /** Where the killed run's world had ended: the kernel stops there. */
  readonly end: WorldEnd | undefined;
  /** Lockstep: answers take effect this much later than their attempts. Undefined: at their recorded position. */
  readonly lookaheadMs: number | undefined;
  /** In the order of their effects. */
  readonly attempts: Iterable<RecordedAttempt>;
  /** In the order of their effects. */
  readonly answers: Iterable<RecordedAnswer>;
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
  const kinds = [
    peekable(
      outsideEffects(
        run.attempts,
        ({ effectAtMs }) => effectAtMs,
        (attempt) => applyRecordedAttempt(run, attempt),
      ),
    ),
    peekable(
      outsideEffects(
        run.answers,
        ({ effectAtMs }) => effectAtMs,
        (answer) => applyRecordedAnswer(run, answer),
      ),
    ),
    peekable(
      outsideEffects(
        run.inputs,
        ({ atMs }) => atMs,
        (input) => run.performInput(input),
      ),
    ),
  ];
  for (;;) {
    const next = earliest(kinds);
    const effect = next?.first;
    if (effect === undefined) break;
    await advanceToPosition(run, effect.position);
    if (run.isOver()) return;
    kernel.advanceTo(effect.atMs);
    next?.shift();
    effect.apply();
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

/** A recorded effect from outside the kernel. */
interface OutsideEffect {
  readonly position: number;
  readonly atMs: SimTime;
  apply(): void;
}

function* outsideEffects<T extends { readonly step?: number | null }>(
  rows: Iterable<T>,
  atMs: (row: T) => SimTime,
  apply: (row: T) => void,
): Generator<OutsideEffect> {
  for (const row of rows) yield { position: positionOf(row), atMs: atMs(row), apply: () => apply(row) };
}

/** The list whose first effect has the lowest position; undefined when all are empty. Positions are unique. */
function earliest(kinds: readonly Peekable<OutsideEffect>[]): Peekable<OutsideEffect> | undefined {
  let found: Peekable<OutsideEffect> | undefined;
  for (const kind of kinds) {
    if (kind.first !== undefined && kind.first.position < (found?.first?.position ?? Infinity)) found = kind;
  }
  return found;
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
  const { kernel, delivery, requests } = run;
  const attempts = peekable(run.attempts);
  const answers = peekable(run.answers);
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
    const horizonMs = Math.min(delivery.horizonMs, requests.horizonMs, lastsMs + 1);
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
    while (answers.first !== undefined && answers.first.effectAtMs <= horizonMs) {
      applyRecordedAnswer(run, answers.first);
      answers.shift();
      isAnswered = true;
    }
    if (!isAnswered) break;
  }
  // Answers that took effect after the world's end.
  for (let attempt = attempts.shift(); attempt !== undefined; attempt = attempts.shift()) {
    applyRecordedAttempt(run, attempt);
  }
  for (let answer = answers.shift(); answer !== undefined; answer = answers.shift()) applyRecordedAnswer(run, answer);
}

function applyRecordedAttempt({ delivery }: ReexecutedRun, attempt: RecordedAttempt): void {
  if (!delivery.applyRecordedAttempt(attempt))
    throw recordingDiffers("an attempt is recorded that its world does not make");
}

function applyRecordedAnswer({ requests }: ReexecutedRun, { name, answer }: RecordedAnswer): void {
  if (!requests.applyRecordedAnswer(name, answer))
    throw recordingDiffers(`the answer to '${name}' is recorded, and its world does not make this request`);
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
interface Peekable<T> {
  readonly first: T | undefined;
  shift(): T | undefined;
}

function peekable<T>(items: Iterable<T>): Peekable<T> {
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
