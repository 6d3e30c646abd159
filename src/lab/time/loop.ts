import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kernel, SimTime } from "../../sim/index.js";
import type { Outward } from "./outward.js";

/** What a loop drives, and what it asks between two steps. */
export interface Driven {
  readonly kernel: Kernel;
  readonly delivery: Outward;
  /** Infinity: the world has no end. A drain that finds nothing waiting brings it nearer, so it is read at each turn. */
  readonly lastsMs: SimTime;
  /** The traffic is over and what waits comes to its end: a run as fast as possible waits for answers then. */
  readonly isDraining?: boolean;
  /** Monotonic wall milliseconds. */
  wall(): number;
  /** True when the run is to end now: stopped by hand, or given up. */
  isOver(): boolean;
  /** Something that must happen between two steps, outside virtual time; undefined mostly. */
  takeBarrier(): (() => Promise<void>) | undefined;
  /** Whether there is one. */
  hasBarrier(): boolean;
  /** Called when the loop is about to wait or has worked for a while. */
  idle(): void;
  /**
   * Lockstep: called when all attempts of a window have been answered, before the clock passes on to what the answers
   * lead to. It resolves when whoever was called by them has nothing more to say, or when the run is over.
   */
  settle?(): Promise<void>;
}

/** How long a loop works before it lets sockets and signals have a turn. */
const SLICE_MS = 10;

/** Steps between two looks at the clock, the signals and the sockets: looking costs about as much as a step. */
export const STEPS = 64;

/** Keeps a loop from starving sockets and signals. */
export class Slice {
  readonly #driven: Driven;
  readonly #ms: number;
  #endsAt = 0;

  constructor(driven: Driven, ms: number = SLICE_MS) {
    this.#driven = driven;
    this.#ms = ms;
    this.begin();
  }

  begin(): void {
    this.#endsAt = this.#driven.wall() + this.#ms;
  }

  /** Whether the others are to have their turn. */
  get isOver(): boolean {
    return this.#driven.wall() >= this.#endsAt;
  }

  /** Lets the others have their turn when the slice is over; resolves at once otherwise. */
  async turn(): Promise<void> {
    if (this.#driven.wall() < this.#endsAt) return;
    this.#driven.idle();
    await nextTurn();
    this.begin();
  }
}

/** Waits until every attempt that is out has been answered, or the run is over. */
export async function allAnswered(driven: Driven): Promise<void> {
  while (driven.delivery.inFlight > 0 && !driven.isOver()) {
    driven.idle();
    await driven.delivery.progress();
  }
}
