import type { LiveClock } from "./clock.js";
import { playLockstep } from "./lockstep.js";
import { playMax } from "./max.js";
import { playPaced } from "./paced.js";
import type { Simulation } from "./simulation.js";

/** How virtual and wall time are joined: one kind for each loop of this folder (docs/architecture.md#time). */
export type Pace =
  /** The clock passes an attempt's lookahead only when the attempt was answered. Deterministic. */
  | { readonly kind: "lockstep"; readonly lookaheadMs: number }
  /** The wall clock leads: `speed` virtual milliseconds pass in each wall millisecond. Open model. */
  | { readonly kind: "paced"; readonly speed: number }
  /** As fast as the receiver answers on all its connections. Closed model. */
  | { readonly kind: "max"; readonly connections: number };

/**
 * Plays the world to its end, or until the run is over. `Delivery.drain` awaits the attempts that are still in flight
 * then.
 *
 * @param clock - paced runs only
 */
export async function playToEnd(simulation: Simulation, pace: Pace, clock: LiveClock | undefined): Promise<void> {
  if (clock !== undefined) return playPaced(simulation, clock);
  if (pace.kind === "lockstep") return playLockstep(simulation, pace.lookaheadMs);
  if (pace.kind === "max") return playMax(simulation, pace.connections);
  throw new Error("a paced run needs a clock");
}
