/*
 * Lockstep (conservative synchronization): an answer takes effect at its attempt's virtual time + lookahead, whenever
 * it arrives. The kernel runs up to the horizon, the effect of the earliest unanswered attempt, and waits there for its
 * answer. So virtual time does not depend on wall time, and the same seed gives the same run.
 */
import { allAnswered, runBarriers, type Simulation, STEPS_BETWEEN_CHECKS, TimeSlice } from "./simulation.js";
import type { StepGate } from "./step-gate.js";

/** Plays the world to its end in lockstep with the answers, or until the run is over. */
export async function playLockstep(simulation: Simulation, lookaheadMs: number): Promise<void> {
  const { kernel, outstanding } = simulation;
  const slice = new TimeSlice(simulation);
  const window = new LookaheadWindow(simulation);
  // A resumed run may begin at a barrier.
  await runBarriers(simulation, () => allAnswered(simulation));
  while (!simulation.isOver()) {
    const nextAtMs = kernel.nextAtMs;
    const { gate } = simulation;
    const isGated =
      gate !== undefined && (gate.isHeld || (nextAtMs > gate.untilMs && gate.untilMs < simulation.lastsMs));
    if (isGated) {
      await waitAtGate(simulation, gate);
      slice.restart();
      continue;
    }
    const lastsMs = Math.min(simulation.lastsMs, gate?.untilMs ?? Infinity);
    const isAtEnd = nextAtMs > lastsMs;
    if (window.isOpen && (isAtEnd || nextAtMs >= window.endsAtMs)) {
      await window.close();
      slice.restart();
      continue;
    }
    if (isAtEnd) return;
    const horizonMs = Math.min(outstanding.horizonMs, window.endsAtMs);
    if (nextAtMs >= horizonMs) {
      simulation.dispatch();
      await outstanding.progress();
      slice.restart();
      continue;
    }
    // The attempts of these steps take effect at least one lookahead later, so no step goes past an effect.
    kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs, lastsMs + 1), STEPS_BETWEEN_CHECKS);
    window.openIfAttempted();
    await runBarriers(simulation, () => (window.isOpen ? window.close() : allAnswered(simulation)));
    // Does not yield while a window is open, so that API requests come when it closes, at an instant that does not
    // depend on the receiver's speed.
    if (!window.isOpen) await slice.yieldIfUsedUp();
  }
}

/** All that is due up to the gate has happened: awaits the answers, and then the next advance. */
async function waitAtGate(simulation: Simulation, gate: StepGate): Promise<void> {
  const { kernel } = simulation;
  await allAnswered(simulation);
  if (simulation.isOver()) return;
  if (!gate.isHeld && gate.untilMs >= 0) kernel.advanceTo(gate.untilMs);
  await gate.wait();
  // A hand may have added a barrier meanwhile.
  await runBarriers(simulation, () => allAnswered(simulation));
}

/**
 * The time from an attempt to the effect of its answer, in runs that wait for API clients (`waitUntilApiIdle`). Before
 * the clock passes its end, all attempts in it are answered and the clients have reacted.
 */
class LookaheadWindow {
  readonly #simulation: Simulation;
  #endsAtMs = Infinity;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  /** Infinity: no window is open. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  get isOpen(): boolean {
    return this.#endsAtMs !== Infinity;
  }

  /** Opens a window if an attempt was made. Call it before the loop yields. */
  openIfAttempted(): void {
    const simulation = this.#simulation;
    if (simulation.waitUntilApiIdle !== undefined && !this.isOpen) this.#endsAtMs = simulation.outstanding.horizonMs;
  }

  /** Waits for the answers and for the API clients, which may cause further attempts. */
  async close(): Promise<void> {
    const { outstanding } = this.#simulation;
    do {
      await allAnswered(this.#simulation);
      await this.#simulation.waitUntilApiIdle?.();
    } while (outstanding.inFlight > 0 && !this.#simulation.isOver());
    this.#endsAtMs = Infinity;
  }
}
