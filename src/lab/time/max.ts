/*
 * Max (closed model): an answer takes effect at the kernel's now, as soon as it comes. The kernel runs until enough
 * attempts are in flight to keep all connections busy; virtual time waits for their answers. It finds the receiver's
 * ceiling; wall time has no schedule, so there is no lateness.
 */
import { allAnswered, runBarriers, type Simulation, TimeSlice } from "./simulation.js";

/** Attempts that are made in excess of the connections' capacity. */
const AHEAD = 1024;

/**
 * The kernel continues when attempts in flight fall to this share of the maximum. With 0.5, cores idled 5% of the time.
 */
const REFILL_SHARE = 0.8;

/** How long the kernel runs before the loop handles answers: wall milliseconds. */
const SLICE_MS = 0.5;

/** Kernel steps between two checks of how many attempts are in flight. */
const STEPS = 16;

/** Plays the world to its end as fast as the receiver answers, or until the run is over. */
export async function playMax(simulation: Simulation, connections: number): Promise<void> {
  const { kernel, outstanding } = simulation;
  const slice = new TimeSlice(simulation, SLICE_MS);
  // Back-pressure with hysteresis: each connection has a next attempt ready, and a fifth of all attempts is answered
  // before the kernel continues. Otherwise the threads would wake each other for every answer.
  const inFlightMax = 2 * connections + AHEAD;
  while (!simulation.isOver()) {
    const { lastsMs, isDraining = false } = simulation;
    if (kernel.nextAtMs > lastsMs) return;
    // In a drain virtual time waits for every answer. Otherwise the drain would end before the first answer.
    if (outstanding.inFlight >= inFlightMax || (isDraining && outstanding.inFlight > 0)) {
      const refillAt = isDraining ? 0 : REFILL_SHARE * inFlightMax;
      while (outstanding.inFlight > refillAt && !simulation.isOver()) {
        // In each iteration, because `dispatch` may hold attempts back while others wait for a connection.
        simulation.dispatch();
        await outstanding.progress();
      }
      slice.restart();
      continue;
    }
    kernel.run(lastsMs + 1, isDraining ? 1 : STEPS);
    if (simulation.hasBarrier()) await runBarriers(simulation, () => allAnswered(simulation));
    if (slice.isUsedUp) await slice.yieldIfUsedUp();
  }
}
