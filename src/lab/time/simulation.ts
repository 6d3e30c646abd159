import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { OutstandingRequests } from "./outstanding-requests.js";
import type { StepGate } from "./step-gate.js";

/** The world that a time loop steps, and the actions between two steps. */
export interface Simulation {
  readonly kernel: Kernel;
  readonly outstanding: OutstandingRequests;
  /** Infinity: the world has no end. A drain that finds nothing waiting moves it to now: read it at each step. */
  readonly lastsMs: SimTime;
  /**
   * True between the end of the traffic and the end of the drain: `max` then waits for all answers before each step.
   */
  readonly isDraining?: boolean;
  /** Monotonic wall milliseconds. */
  wall(): number;
  /** Whether the loop must return now: stopped by hand, or given up. */
  isOver(): boolean;
  /** Removes and returns the first action that must run between two steps, in wall time. */
  dequeueBarrier(): (() => Promise<void>) | undefined;
  hasBarrier(): boolean;
  /** Sends the attempts that were made. The loop calls it before it waits, and after each time slice. */
  dispatch(): void;
  /** Lockstep: resolves when API clients have reacted to the answers of a window, or the run is over. */
  waitUntilApiIdle?(): Promise<void>;
  /** Lockstep: time passes only as far as its caller lets it. Absent: to the end. */
  readonly gate?: StepGate | undefined;
}

/** How long a loop works before sockets and signals get a turn: wall milliseconds. */
const SLICE_MS = 10;

/** Kernel steps between two checks of clock, signals and sockets: one check costs about as much as one step. */
export const STEPS_BETWEEN_CHECKS = 64;

/** Keeps a loop from starving sockets and signals. */
export class TimeSlice {
  readonly #simulation: Simulation;
  readonly #ms: number;
  #endsAt = 0;

  constructor(simulation: Simulation, ms: number = SLICE_MS) {
    this.#simulation = simulation;
    this.#ms = ms;
    this.restart();
  }

  restart(): void {
    this.#endsAt = this.#simulation.wall() + this.#ms;
  }

  get isUsedUp(): boolean {
    return this.#simulation.wall() >= this.#endsAt;
  }

  /** Dispatches attempts and yields to the event loop if the slice is used up; resolves at once otherwise. */
  async yieldIfUsedUp(): Promise<void> {
    if (!this.isUsedUp) return;
    this.#simulation.dispatch();
    await nextTurn();
    this.restart();
  }
}

/** Waits until every attempt in flight has been answered, or the run is over. */
export async function allAnswered(simulation: Simulation): Promise<void> {
  while (simulation.outstanding.inFlight > 0 && !simulation.isOver()) {
    simulation.dispatch();
    await simulation.outstanding.progress();
  }
}

/**
 * Runs the waiting barriers in order.
 *
 * @param prepare - awaited before each barrier: sends or awaits earlier attempts
 */
export async function runBarriers(
  simulation: Pick<Simulation, "dequeueBarrier">,
  prepare?: () => Promise<void> | void,
): Promise<void> {
  for (let run = simulation.dequeueBarrier(); run !== undefined; run = simulation.dequeueBarrier()) {
    await prepare?.();
    await run();
  }
}
