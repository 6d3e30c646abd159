import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { Delivery } from "../delivery/index.js";
import type { Kernel, SimTime } from "../sim/index.js";

/** How virtual and wall time are joined: DESIGN.md's three clocks (docs/architecture.md, "Time"). */
export type Pace =
  /** The clock passes an attempt's lookahead only when the attempt was answered. Deterministic. */
  | { readonly kind: "lockstep"; readonly lookaheadMs: number }
  /** The wall clock leads: `speed` virtual milliseconds pass in each wall millisecond. Open model. */
  | { readonly kind: "paced"; readonly speed: number }
  /** As fast as the receiver answers on all its connections. Closed model. */
  | { readonly kind: "max"; readonly connections: number };

/** What a loop drives, and what it asks between two steps. */
export interface Driven {
  readonly kernel: Kernel;
  readonly delivery: Delivery;
  readonly lastsMs: SimTime;
  /** Monotonic wall milliseconds. */
  wall(): number;
  /** True when the run is to end now: stopped by hand, or given up. */
  isOver(): boolean;
  /** Something that must happen between two steps, outside virtual time; undefined mostly. */
  takeBarrier(): (() => Promise<void>) | undefined;
  /** Called when the loop is about to wait or has worked for a while. */
  idle(): void;
}

/** How long a loop works before it lets sockets and signals have a turn. */
const SLICE_MS = 10;

/** Plays the world to its end, or until the run is over. In-flight attempts are left to `Delivery.drain`. */
export async function drive(driven: Driven, pace: Pace): Promise<void> {
  switch (pace.kind) {
    case "lockstep":
      return driveLockstep(driven, pace.lookaheadMs);
    case "paced":
      return drivePaced(driven, pace.speed);
    case "max":
      return driveMax(driven, pace.connections);
  }
}

/** Steps between two looks at the clock, the signals and the sockets: looking costs about as much as a step. */
const STEPS = 64;

async function driveLockstep(driven: Driven, lookaheadMs: number): Promise<void> {
  const { kernel, delivery, lastsMs } = driven;
  const slice = new Slice(driven);
  while (!driven.isOver()) {
    const nextAtMs = kernel.nextAtMs;
    if (nextAtMs > lastsMs) return;
    const horizonMs = delivery.horizonMs;
    if (nextAtMs >= horizonMs) {
      driven.idle();
      await delivery.progress();
      slice.begin();
      continue;
    }
    // What is attempted from here on takes effect a lookahead later at the earliest: up to there nothing can be missed.
    kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs, lastsMs + 1), STEPS);
    await passBarriers(driven);
    await slice.turn();
  }
}

/** Does what must happen between two steps, when no attempt is out that was due before. */
async function passBarriers(driven: Driven): Promise<void> {
  for (let barrier = driven.takeBarrier(); barrier !== undefined; barrier = driven.takeBarrier()) {
    while (driven.delivery.inFlight > 0 && !driven.isOver()) {
      driven.idle();
      await driven.delivery.progress();
    }
    await barrier();
  }
}

async function drivePaced(driven: Driven, speed: number): Promise<void> {
  const { kernel, lastsMs } = driven;
  const startedAt = driven.wall();
  const slice = new Slice(driven);
  while (!driven.isOver()) {
    const nextAtMs = kernel.nextAtMs;
    const waitMs = startedAt + Math.min(nextAtMs, lastsMs) / speed - driven.wall();
    if (waitMs > 0) {
      driven.idle();
      // Short naps keep Ctrl-C and the receiver's answers prompt; an answer takes effect when it comes.
      if (waitMs < 1) await nextTurn();
      else await sleep(Math.min(waitMs, 50));
      slice.begin();
      continue;
    }
    if (nextAtMs > lastsMs) return;
    const reachedMs = Math.floor((driven.wall() - startedAt) * speed);
    kernel.run(Math.min(reachedMs, lastsMs) + 1, STEPS);
    // The wall clock does not wait: attempts that are out may meet what the barrier changes.
    for (let barrier = driven.takeBarrier(); barrier !== undefined; barrier = driven.takeBarrier()) await barrier();
    await slice.turn();
  }
}

async function driveMax(driven: Driven, connections: number): Promise<void> {
  const { kernel, delivery, lastsMs } = driven;
  const slice = new Slice(driven);
  while (!driven.isOver()) {
    if (kernel.nextAtMs > lastsMs) return;
    // One attempt waits for each that is out, so that a connection never idles while the world catches up.
    if (delivery.inFlight >= 2 * connections) {
      driven.idle();
      await delivery.progress();
      slice.begin();
      continue;
    }
    kernel.run(lastsMs + 1, 1);
    await passBarriers(driven);
    await slice.turn();
  }
}

/** Keeps a loop from starving sockets and signals. */
class Slice {
  readonly #driven: Driven;
  #endsAt = 0;

  constructor(driven: Driven) {
    this.#driven = driven;
    this.begin();
  }

  begin(): void {
    this.#endsAt = this.#driven.wall() + SLICE_MS;
  }

  /** Lets the others have their turn when the slice is over; resolves at once otherwise. */
  async turn(): Promise<void> {
    if (this.#driven.wall() < this.#endsAt) return;
    this.#driven.idle();
    await nextTurn();
    this.begin();
  }
}
