import { setImmediate as nextTurn } from "node:timers/promises";
import { LabError } from "../../base/index.js";
import type { Delivery, FinishedAttempt, ServiceRequests } from "../../delivery/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { RecordedInput } from "../../store/index.js";
import { runBarriers, type Simulation } from "../time/simulation.js";
import type { RecordedAnswer } from "./recorded-answers.js";
import type { WorldEnd } from "./world-end.js";

/** A recorded attempt with the run's position when it took effect. */
export type ReexecutedAttempt = FinishedAttempt & { readonly step: number | null };

/** A killed run and its recording. */
export interface ReexecutedRun extends Pick<Simulation, "dequeueBarrier" | "hasBarrier" | "isOver"> {
  readonly kernel: Kernel;
  readonly delivery: Pick<Delivery, "applyRecordedAttempt" | "horizonMs" | "inFlight">;
  readonly requests: Pick<ServiceRequests, "applyRecordedAnswer" | "horizonMs" | "inFlight">;
  /** End of the world. A drain that finds nothing waiting sets it to now, so read it at each step. */
  readonly lastsMs: SimTime;
  /** Where the killed run's world had ended: the kernel stops there. */
  readonly end: Pick<WorldEnd, "turn" | "atMs"> | undefined;
  /**
   * Lockstep: answers take effect this much later than their attempts; undefined when they take effect at their
   * recorded position.
   */
  readonly lookaheadMs: number | undefined;
  /** In the order of their effects. */
  readonly attempts: Iterable<ReexecutedAttempt>;
  /** In the order of their effects. */
  readonly answers: Iterable<RecordedAnswer>;
  /** In the order of their positions. */
  readonly inputs: Iterable<RecordedInput>;
  /** See `RunPosition`. */
  position(): number;
  performInput(input: RecordedInput): void | Promise<void>;
  /** Whether the next row that the run writes is in the recording already. */
  isReexecuting(): boolean;
  /** Called at the world's end, when all recorded answers are there: those that were awaited then take effect. */
  finish?(): Promise<void>;
  /**
   * Called often, between two steps: it yields to the event loop from time to time. An error from it interrupts
   * `Reexecution.advanceTo`, which may be called again. When absent, the re-execution itself yields.
   */
  pause?(): void | Promise<void>;
}

/** Upper bound of kernel steps in one call of `Kernel.run`. */
const STEPS = 4096;

/**
 * Re-executes a recording (deterministic replay) without the receiver: the world is computed again, and each recorded
 * answer and input takes effect at its recorded position.
 */
export class Reexecution {
  readonly #run: ReexecutedRun;
  readonly #attempts: Peekable<ReexecutedAttempt>;
  readonly #answers: Peekable<RecordedAnswer>;
  readonly #inputs: Peekable<RecordedInput>;

  constructor(run: ReexecutedRun) {
    this.#run = run;
    this.#attempts = peekable(run.attempts);
    this.#answers = peekable(run.answers);
    this.#inputs = peekable(run.inputs);
  }

  /** Virtual time of the world. */
  get nowMs(): SimTime {
    return this.#run.kernel.now;
  }

  /**
   * Advances the world up to and including an instant. A later call continues from there, also after an error of
   * `pause`.
   *
   * @param untilMs - Infinity: to the end of the recording. Attempts without a recorded answer are then pending; those
   * that may have reached the receiver are marked as repeats
   * @throws LabError `recording-differs` when the scenario no longer leads to what is recorded; what `pause` throws
   */
  async advanceTo(untilMs: SimTime): Promise<void> {
    const { lookaheadMs, end } = this.#run;
    const isToEnd = end !== undefined && untilMs >= end.atMs;
    const beforeMs = isToEnd ? Infinity : untilMs;
    try {
      await (lookaheadMs !== undefined
        ? this.#advanceLockstep(beforeMs, lookaheadMs)
        : this.#advanceByPosition(beforeMs));
      if (isToEnd) await this.#run.finish?.();
    } catch (error) {
      // The kernel refuses to advance past a timer that the recorded run did not have.
      if (!(error instanceof RangeError)) throw error;
      throw recordingDiffers(error.message);
    }
  }

  async #advanceByPosition(untilMs: SimTime): Promise<void> {
    const run = this.#run;
    const { kernel } = run;
    let next = this.#nextEffect();
    for (; next !== undefined && next.atMs <= untilMs; next = this.#nextEffect()) {
      await this.#advanceToPosition(next.position);
      if (run.isOver()) return;
      kernel.advanceTo(next.atMs);
      await next.apply();
      await run.pause?.();
    }
    const lastPosition = next?.position ?? run.end?.turn;
    if (lastPosition !== undefined && untilMs !== Infinity) {
      // All steps up to this instant have a lower position than the effect or the world's end.
      await this.#runUntil(untilMs, () => lastPosition - run.position());
    } else if (run.end !== undefined) {
      await this.#advanceToPosition(run.end.turn);
    } else if (untilMs !== Infinity) {
      await this.#runUntil(untilMs, () => STEPS);
    } else {
      // Only kernel steps follow the last outside effect. They run singly, so the loop ends at the last recorded row.
      while (run.isReexecuting() && kernel.nextAtMs <= run.lastsMs && !run.isOver()) {
        kernel.run(run.lastsMs + 1, 1);
        await runBarriers(run);
      }
      return;
    }
    if (untilMs === Infinity) kernel.advanceTo(run.end?.atMs ?? kernel.now);
    else kernel.advanceTo(Math.min(untilMs, run.end?.atMs ?? Infinity, kernel.nextAtMs));
  }

  /** Runs the steps up to an instant, and at most as many as are left. */
  async #runUntil(untilMs: SimTime, stepsLeft: () => number): Promise<void> {
    const run = this.#run;
    for (let left = stepsLeft(); left > 0 && !run.isOver(); left = stepsLeft()) {
      const count = run.kernel.run(Math.min(untilMs, run.lastsMs) + 1, Math.min(left, STEPS));
      if (count === 0) return;
      await runBarriers(run);
      await run.pause?.();
    }
  }

  /** The external effect with the lowest position. Positions are unique. */
  #nextEffect(): OutsideEffect | undefined {
    const run = this.#run;
    const [attempts, answers, inputs] = [this.#attempts, this.#answers, this.#inputs];
    const position = (row: { readonly step?: number | null } | undefined): number =>
      row === undefined ? Infinity : positionOf(row);
    const [ofAttempt, ofAnswer, ofInput] = [position(attempts.first), position(answers.first), position(inputs.first)];
    const least = Math.min(ofAttempt, ofAnswer, ofInput);
    if (attempts.first !== undefined && ofAttempt === least) {
      const apply = (): void => applyRecordedAttempt(run, attempts.shift());
      return { position: least, atMs: attempts.first.effectAtMs, apply };
    }
    if (answers.first !== undefined && ofAnswer === least) {
      const apply = (): void => applyRecordedAnswer(run, answers.shift());
      return { position: least, atMs: answers.first.effectAtMs, apply };
    }
    if (inputs.first === undefined) return undefined;
    return { position: least, atMs: inputs.first.atMs, apply: () => this.#performInput() };
  }

  async #performInput(): Promise<void> {
    const input = this.#inputs.shift();
    if (input !== undefined) await this.#run.performInput(input);
  }

  async #advanceToPosition(position: number): Promise<void> {
    const run = this.#run;
    for (let left = position - run.position(); left > 0 && !run.isOver(); left = position - run.position()) {
      if (run.kernel.run(run.lastsMs + 1, Math.min(left, STEPS)) === 0)
        throw recordingDiffers("its world ends before the last recorded effect");
      await runBarriers(run);
      if (run.pause !== undefined) await run.pause();
      else if (left > STEPS) await nextTurn();
    }
  }

  async #advanceLockstep(untilMs: SimTime, lookaheadMs: number): Promise<void> {
    const run = this.#run;
    const { kernel, delivery, requests } = run;
    const [attempts, answers, inputs] = [this.#attempts, this.#answers, this.#inputs];
    let rounds = 0;
    while (!run.isOver()) {
      const input = inputs.first;
      if (run.end !== undefined && run.position() >= run.end.turn) break;
      const nextPosition = input === undefined ? run.end?.turn : positionOf(input);
      const left = nextPosition === undefined ? STEPS : Math.min(nextPosition - run.position(), STEPS);
      if (input !== undefined && left <= 0) {
        if (input.atMs > untilMs) return;
        await this.#performInput();
        continue;
      }
      const nextAtMs = kernel.nextAtMs;
      const { lastsMs } = run;
      const horizonMs = Math.min(delivery.horizonMs, requests.horizonMs, lastsMs + 1);
      if (nextAtMs > untilMs && horizonMs > untilMs) {
        // An input at the same position is due now, although the recorded run's clock was still at its last step.
        kernel.advanceTo(Math.min(untilMs, input?.atMs ?? Infinity, run.end?.atMs ?? Infinity));
        return;
      }
      if (nextAtMs < horizonMs) {
        // As in `playLockstep`: no step goes past the effect of an attempt that these steps make.
        kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs, untilMs + 1), left);
        if (run.hasBarrier() && !this.#hasAllAnswers()) break;
        await runBarriers(run);
        if (run.pause !== undefined) await run.pause();
        else if (rounds++ % 64 === 0) await nextTurn();
        continue;
      }
      if (nextAtMs > lastsMs) break;
      let isAnswered = false;
      while (attempts.first !== undefined && attempts.first.effectAtMs <= horizonMs) {
        applyRecordedAttempt(run, attempts.shift());
        isAnswered = true;
      }
      while (answers.first !== undefined && answers.first.effectAtMs <= horizonMs) {
        applyRecordedAnswer(run, answers.shift());
        isAnswered = true;
      }
      if (!isAnswered) break;
    }
    // Answers that took effect after the world's end.
    while (attempts.first !== undefined) applyRecordedAttempt(run, attempts.shift());
    while (answers.first !== undefined) applyRecordedAnswer(run, answers.shift());
  }

  /**
   * Whether all attempts in flight have a recorded answer. A barrier that comes after attempts without one is left for
   * the live loop: they are sent before it, as in the recorded run.
   */
  #hasAllAnswers(): boolean {
    const { delivery, requests } = this.#run;
    return this.#attempts.has(delivery.inFlight) && this.#answers.has(requests.inFlight);
  }
}

/** A recorded effect from outside the kernel. */
interface OutsideEffect {
  readonly position: number;
  readonly atMs: SimTime;
  apply(): void | Promise<void>;
}

function applyRecordedAttempt({ delivery }: ReexecutedRun, attempt: ReexecutedAttempt | undefined): void {
  if (attempt !== undefined && !delivery.applyRecordedAttempt(attempt))
    throw recordingDiffers("an attempt is recorded that its world does not make");
}

function applyRecordedAnswer({ requests }: ReexecutedRun, recorded: RecordedAnswer | undefined): void {
  if (recorded !== undefined && !requests.applyRecordedAnswer(recorded.name, recorded.answer))
    throw recordingDiffers(`the answer to '${recorded.name}' is recorded, and its world does not make this request`);
}

function positionOf({ step }: { readonly step?: number | null }): number {
  if (step === null || step === undefined) throw recordingDiffers("an effect is recorded without its position");
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
  /** Whether at least this number of items is left. */
  has(count: number): boolean;
}

function peekable<T>(items: Iterable<T>): Peekable<T> {
  const iterator = items[Symbol.iterator]();
  const read: T[] = [];
  const readTo = (count: number): void => {
    while (read.length < count) {
      const next = iterator.next();
      if (next.done === true) return;
      read.push(next.value);
    }
  };
  readTo(1);
  return {
    get first() {
      return read[0];
    },
    shift() {
      const value = read.shift();
      readTo(1);
      return value;
    },
    has(count) {
      readTo(count);
      return read.length >= count;
    },
  };
}

/** A warning: why the receiver may have counted more attempts than the result. @param repeats - see `isRepeat` */
export function resumedText(repeats: number): string {
  if (repeats === 0) return "the run was interrupted and resumed; no attempt was in flight then";
  const attempts = repeats === 1 ? "1 attempt that was" : `${repeats} attempts that were`;
  return `the run was interrupted and resumed; ${attempts} in flight then may have reached the receiver twice`;
}
