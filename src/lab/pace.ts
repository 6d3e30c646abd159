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
      return driveLockstep(driven);
    case "paced":
      return drivePaced(driven, pace.speed);
    case "max":
      return driveMax(driven, pace.connections);
  }
}

async function driveLockstep(driven: Driven): Promise<void> {
  const { kernel, delivery, lastsMs } = driven;
  const slice = new Slice(driven);
  while (!driven.isOver()) {
    const nextAtMs = kernel.nextAtMs;
    if (nextAtMs > lastsMs) return;
    if (nextAtMs >= delivery.horizonMs) {
      driven.idle();
      await delivery.progress();
      slice.begin();
      continue;
    }
    kernel.step();
    const barrier = driven.takeBarrier();
    if (barrier !== undefined) {
      await allAnswered(driven);
      await barrier();
    }
    const pause = slice.turn();
    if (pause !== undefined) await pause;
  }
}

/** Waits until no attempt is out: what comes next must not touch an attempt that was due before. */
async function allAnswered(driven: Driven): Promise<void> {
  while (driven.delivery.inFlight > 0 && !driven.isOver()) {
    driven.idle();
    await driven.delivery.progress();
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
    kernel.step();
    const barrier = driven.takeBarrier();
    if (barrier !== undefined) await barrier();
    const pause = slice.turn();
    if (pause !== undefined) await pause;
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
    kernel.step();
    const barrier = driven.takeBarrier();
    if (barrier !== undefined) {
      await allAnswered(driven);
      await barrier();
    }
    const pause = slice.turn();
    if (pause !== undefined) await pause;
  }
}

/** Keeps a loop from starving sockets and signals. Looking at the clock costs, so it looks once in 64 steps. */
class Slice {
  readonly #driven: Driven;
  #endsAt = 0;
  #steps = 0;

  constructor(driven: Driven) {
    this.#driven = driven;
    this.begin();
  }

  begin(): void {
    this.#endsAt = this.#driven.wall() + SLICE_MS;
  }

  /** Undefined mostly, so that a step does not cost a turn of the promise queue. */
  turn(): Promise<void> | undefined {
    if ((++this.#steps & 63) !== 0 || this.#driven.wall() < this.#endsAt) return undefined;
    this.#driven.idle();
    return nextTurn(undefined).then(() => this.begin());
  }
}
