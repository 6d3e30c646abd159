import type { LiveClock } from "./clock.js";
import { allAnswered, type Driven, Slice, STEPS } from "./loop.js";
import { drivePaced } from "./paced.js";

/** How virtual and wall time are joined: the three clocks of docs/architecture.md#time. */
export type Pace =
  /** The clock passes an attempt's lookahead only when the attempt was answered. Deterministic. */
  | { readonly kind: "lockstep"; readonly lookaheadMs: number }
  /** The wall clock leads: `speed` virtual milliseconds pass in each wall millisecond. Open model. */
  | { readonly kind: "paced"; readonly speed: number }
  /** As fast as the receiver answers on all its connections. Closed model. */
  | { readonly kind: "max"; readonly connections: number };

/** `max`: attempts that are made ahead of what the connections take. */
const AHEAD = 1024;

/** `max`: the share of them at which more are made. With half of them the cores idled between two bursts, a twentieth of the time. */
const REFILLED = 0.8;

/** `max`: answers are looked at so often, in wall milliseconds. */
const MAX_SLICE_MS = 0.5;

/** `max`: steps between two looks at how many attempts are out. */
const MAX_STEPS = 16;

/**
 * Plays the world to its end, or until the run is over. In-flight attempts are left to `Delivery.drain`.
 *
 * @param clock - what a paced run goes by; the others have none
 */
export async function drive(driven: Driven, pace: Pace, clock: LiveClock | undefined): Promise<void> {
  if (clock !== undefined) return drivePaced(driven, clock);
  if (pace.kind === "lockstep") return driveLockstep(driven, pace.lookaheadMs);
  if (pace.kind === "max") return driveMax(driven, pace.connections);
  throw new Error("a paced run needs a clock");
}

async function driveLockstep(driven: Driven, lookaheadMs: number): Promise<void> {
  const { kernel, delivery } = driven;
  const slice = new Slice(driven);
  const window = new Window(driven);
  while (!driven.isOver()) {
    const nextAtMs = kernel.nextAtMs;
    const { lastsMs } = driven;
    const isAtEnd = nextAtMs > lastsMs;
    if (window.isOpen && (isAtEnd || nextAtMs >= window.endsAtMs)) {
      await window.close();
      slice.begin();
      continue;
    }
    if (isAtEnd) return;
    const horizonMs = Math.min(delivery.horizonMs, window.endsAtMs);
    if (nextAtMs >= horizonMs) {
      driven.idle();
      await delivery.progress();
      slice.begin();
      continue;
    }
    // What is attempted from here on takes effect a lookahead later at the earliest: up to there nothing can be missed.
    kernel.run(Math.min(horizonMs, nextAtMs + lookaheadMs, lastsMs + 1), STEPS);
    window.look();
    await passBarriers(driven, window);
    // While a window is open nobody else has a turn: what the receiver does then, it does when the window is closed, at
    // an instant that does not depend on how fast it is.
    if (!window.isOpen) await slice.turn();
  }
}

/**
 * Where the run is to settle: the time from an attempt to where its answer takes effect. All that is attempted in it
 * is answered, and what the receiver then does by itself is awaited, before the clock passes its end.
 */
class Window {
  readonly #driven: Driven;
  #endsAtMs = Infinity;

  constructor(driven: Driven) {
    this.#driven = driven;
  }

  /** Infinity while nothing has been attempted since the last window, and where the run does not settle at all. */
  get endsAtMs(): number {
    return this.#endsAtMs;
  }

  get isOpen(): boolean {
    return this.#endsAtMs !== Infinity;
  }

  /** Opens a window where something has been attempted. To be called before sockets have had a turn. */
  look(): void {
    if (this.#driven.settle !== undefined && !this.isOpen) this.#endsAtMs = this.#driven.delivery.horizonMs;
  }

  async close(): Promise<void> {
    const { delivery } = this.#driven;
    do {
      await allAnswered(this.#driven);
      await this.#driven.settle?.();
    } while (delivery.inFlight > 0 && !this.#driven.isOver());
    this.#endsAtMs = Infinity;
  }
}

/** Does what must happen between two steps, when no attempt is out that was due before. */
async function passBarriers(driven: Driven, window?: Window): Promise<void> {
  for (let barrier = driven.takeBarrier(); barrier !== undefined; barrier = driven.takeBarrier()) {
    if (window?.isOpen === true) await window.close();
    else await allAnswered(driven);
    await barrier();
  }
}

async function driveMax(driven: Driven, connections: number): Promise<void> {
  const { kernel, delivery } = driven;
  const slice = new Slice(driven, MAX_SLICE_MS);
  // Attempts wait for each that is out, so that no connection idles while the world catches up. Then a fifth of them is let
  // go first: threads that wake each other for every answer would be busy with that.
  const most = 2 * connections + AHEAD;
  while (!driven.isOver()) {
    const { lastsMs, isDraining = false } = driven;
    if (kernel.nextAtMs > lastsMs) return;
    // A drain would be over before the first answer if virtual time did not wait for the answers.
    if (delivery.inFlight >= most || (isDraining && delivery.inFlight > 0)) {
      const left = isDraining ? 0 : REFILLED * most;
      while (delivery.inFlight > left && !driven.isOver()) {
        // Each time: some may not have been dispatched while others waited for a connection.
        driven.idle();
        await delivery.progress();
      }
      slice.begin();
      continue;
    }
    kernel.run(lastsMs + 1, isDraining ? 1 : MAX_STEPS);
    if (driven.hasBarrier()) await passBarriers(driven);
    if (slice.isOver) await slice.turn();
  }
}
