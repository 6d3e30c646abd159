import { LabError } from "../../base/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import { Nap } from "./nap.js";

/** Where a live clock stands. */
export interface ClockStatus {
  /** Virtual time. */
  readonly nowMs: SimTime;
  readonly isPaused: boolean;
  /** Virtual milliseconds in each of the wall's while it runs. */
  readonly speed: number;
}

/** The highest speed that `setSpeed` takes. */
const fastest = 10_000;

/** The longest step, in virtual milliseconds: ten years. */
const LONGEST_STEP_MS = 3650 * 86_400_000;

/** Changes of the clock that the kernel has not caught up with; of more, the oldest are forgotten. */
const MOST_STRETCHES = 1000;

/** From `wallMs` on, when virtual time was at `atMs`, `speed` virtual milliseconds pass in each of the wall's; 0: none. */
interface Stretch {
  readonly wallMs: number;
  /** May lie between two whole milliseconds, so that a change of speed is no jump. */
  readonly atMs: number;
  readonly speed: number;
}

/** Something that has come from outside. */
interface Arrival {
  readonly wallMs: number;
  /** The kernel's step after which it came: until the next one, what happens is its doing. */
  readonly fired: number;
  /** Nothing else waited for that instant, so what happens at it later follows from this; undefined: something did. */
  readonly atMs: SimTime | undefined;
}

/** An instant that somebody has stepped to. */
interface Stop {
  readonly atMs: SimTime;
  readonly reached: (atMs: SimTime) => void;
}

/**
 * The clock of a paced run: joins virtual and wall time, and can be paused, stepped and made faster or slower while it
 * runs. Virtual time never goes back, and is continuous over every change but a step, which leaps to its end.
 *
 * The kernel follows the clock: the loop (`drivePaced`) fires what has come due. So `kernel.now` may lag behind.
 *
 * With a lead the world is so much ahead of what leaves it: an event is made, and due so many wall milliseconds later,
 * whatever becomes of the clock meanwhile. So there is time for all that must be done before it is sent.
 */
export class LiveClock {
  readonly #kernel: Kernel;
  readonly #wall: () => number;
  /** Wall milliseconds from where virtual time has come to an instant to where what happens at it is due. */
  readonly leadMs: number;
  readonly #lastsMs: SimTime;
  readonly #startsAt: () => SimTime;
  readonly #nap = new Nap();
  /** Oldest first; the last one is in force. Those that the kernel has passed are dropped. */
  readonly #stretches: Stretch[];
  readonly #stops: Stop[] = [];
  /** The latest one. */
  #arrival: Arrival | undefined;
  #speed: number;
  #isPaused: boolean;
  #isRunning = false;

  /**
   * @param options - `wall`: monotonic milliseconds; `speed` > 0; `leadMs` >= 0, default 0; `lastsMs`: where virtual time
   *   ends, default never; `isPaused`: it begins paused; `startsAt`: virtual time when the clock starts, where that is later
   *   than the kernel's now
   */
  constructor(options: {
    readonly kernel: Kernel;
    readonly wall: () => number;
    readonly speed: number;
    readonly leadMs?: number;
    readonly lastsMs?: SimTime;
    readonly isPaused?: boolean;
    readonly startsAt?: (() => SimTime) | undefined;
  }) {
    this.#kernel = options.kernel;
    this.#wall = options.wall;
    this.leadMs = options.leadMs ?? 0;
    this.#lastsMs = options.lastsMs ?? Infinity;
    this.#startsAt = options.startsAt ?? (() => options.kernel.now);
    this.#speed = options.speed;
    this.#isPaused = options.isPaused ?? false;
    this.#stretches = [{ wallMs: options.wall(), atMs: options.kernel.now, speed: 0 }];
  }

  get status(): ClockStatus {
    return { nowMs: this.nowMs, isPaused: this.#isPaused, speed: this.#speed };
  }

  /** Virtual time, in whole milliseconds: what was due up to here is to have happened. */
  get nowMs(): SimTime {
    return Math.min(Math.floor(this.#atMs), this.#lastsMs);
  }

  /** Stops virtual time where it is. What comes from outside still takes effect, at this instant. */
  pause(): void {
    this.#change(() => (this.#isPaused = true));
  }

  /** Lets virtual time go on; a step that is under way ends where it is. */
  resume(): void {
    this.#change(() => (this.#isPaused = false));
  }

  /**
   * From now on so many virtual milliseconds pass in each of the wall's; a paused clock stays paused.
   *
   * @throws LabError when the speed is not above 0 and at most 10,000
   */
  setSpeed(speed: number): void {
    if (!(speed > 0 && speed <= fastest)) {
      throw new LabError("bad-options", `the speed must be above 0 and at most ${fastest}, got ${speed}`);
    }
    this.#change(() => (this.#speed = speed));
  }

  /**
   * Brings a paused clock further by just so much virtual time, as fast as it goes. Steps asked for meanwhile follow.
   *
   * @param ms - whole virtual milliseconds, 0 to ten years
   * @returns the instant at which it ended: earlier where the run ends or somebody lets the clock run. By then the
   *   attempts made on the way have been answered and the answers are in effect, unless the receiver keeps silent
   * @throws LabError when the clock is not paused, or for other spans
   */
  async step(ms: number): Promise<SimTime> {
    if (!this.#isPaused) {
      throw new LabError("bad-options", "the clock runs: only a paused one can be stepped", { hint: "pause it first" });
    }
    if (!(Number.isSafeInteger(ms) && ms >= 0 && ms <= LONGEST_STEP_MS)) {
      throw new LabError("bad-options", `a step must be 0..${LONGEST_STEP_MS} whole milliseconds, got ${ms}`);
    }
    const fromMs = this.#stops.at(-1)?.atMs ?? this.nowMs;
    if (!this.#isRunning) return fromMs;
    return new Promise((reached) => {
      this.#stops.push({ atMs: Math.min(fromMs + ms, this.#lastsMs), reached });
      this.wake();
    });
  }

  /** Sets virtual time forward to an instant; an earlier one changes nothing. The kernel follows as fast as it can. */
  leapTo(atMs: SimTime): void {
    if (atMs <= this.#atMs) return;
    this.#stretch(atMs, this.#last.speed);
    this.wake();
  }

  /**
   * Has something from outside (a request, a hand) take effect: the kernel is brought up to now, and what is scheduled by
   * it is looked at at once.
   */
  enter<T>(act: () => T): T {
    this.catchUp();
    try {
      return act();
    } finally {
      this.wake();
    }
  }

  /** Brings the kernel up to now, but not past a timer that waits: for an answer or an input that takes effect next. */
  catchUp(): void {
    if (this.stopMs !== undefined) return;
    const kernel = this.#kernel;
    const { nowMs } = this;
    const { nextAtMs } = kernel;
    kernel.advanceTo(Math.min(nextAtMs, nowMs));
    const atMs = kernel.now === nowMs && nextAtMs > nowMs ? nowMs : undefined;
    this.#arrival = { wallMs: this.#wall(), fired: kernel.fired, atMs };
  }

  /** Whether what came from outside last leads to something at the very instant at which it came. */
  get isFollowedUp(): boolean {
    return this.#arrival?.atMs === this.#kernel.nextAtMs;
  }

  /** By how many wall milliseconds what is due next is overdue; 0 where it is not. */
  get behindMs(): number {
    const { nextAtMs } = this.#kernel;
    return nextAtMs === Infinity ? 0 : Math.max(0, -this.waitMs(nextAtMs) - this.leadMs);
  }

  /** Wakes the loop: something may be due now that was not before. */
  wake(): void {
    this.#nap.wake();
  }

  /**
   * When what happens at the kernel's now is due on the wall's clock, a lead later than virtual time was there: to be asked
   * while it happens, as only then it is known what it follows from. What comes from outside is due when it comes, a step's
   * events when they happen.
   */
  dueWallMs(atMs: SimTime): number {
    if (this.stopMs !== undefined) return this.#wall();
    const arrival = this.#arrival;
    if (arrival !== undefined && (arrival.fired === this.#kernel.fired || arrival.atMs === atMs)) return arrival.wallMs;
    return this.#cameWallMs(atMs) + this.leadMs;
  }

  /** When virtual time came to an instant. */
  #cameWallMs(atMs: SimTime): number {
    const stretches = this.#stretches;
    // The kernel's now never goes back, so a stretch that it has passed is not asked for again.
    while (stretches[1] !== undefined && stretches[1].atMs < atMs) stretches.shift();
    const [first, next] = stretches as [Stretch, Stretch?];
    if (first.speed > 0) return first.wallMs + (atMs - first.atMs) / first.speed;
    return atMs <= first.atMs ? first.wallMs : (next?.wallMs ?? this.#wall());
  }

  // What follows is the loop's.

  /** Virtual time begins to pass. */
  begin(): void {
    this.#isRunning = true;
    this.#arrival = undefined;
    const speed = this.#isPaused ? 0 : this.#speed;
    this.#stretches.splice(0, Infinity, { wallMs: this.#wall(), atMs: this.#kernel.now, speed });
    this.leapTo(this.#startsAt());
  }

  /** The run is over: virtual time stands still for good, steps end where they are. */
  end(): void {
    this.#change(() => (this.#isRunning = false));
  }

  /** Where the step under way is to end; undefined: nobody steps. */
  get stopMs(): SimTime | undefined {
    return this.#stops[0]?.atMs;
  }

  /** The kernel stands at the stop, and all that was due has happened. */
  stopReached(): void {
    this.#stretch(this.#atMs, 0);
    this.#stops.shift()?.reached(this.#kernel.now);
  }

  /** Wall milliseconds until an instant has come; Infinity where it does not come by itself. */
  waitMs(atMs: SimTime): number {
    const { wallMs, atMs: fromMs, speed } = this.#last;
    if (atMs <= fromMs) return 0;
    return speed === 0 ? Infinity : wallMs + (atMs - fromMs) / speed - this.#wall();
  }

  /** Resolves when the wall's clock has come so far. */
  async until(wallMs: number): Promise<void> {
    // A timer may fire a fraction of a millisecond too early.
    for (let leftMs = wallMs - this.#wall(); leftMs > 0; leftMs = wallMs - this.#wall()) await new Nap().sleep(leftMs);
  }

  /** Sleeps so many wall milliseconds, or until it is woken. @returns whether it was woken */
  sleep(ms: number): Promise<boolean> {
    return this.#nap.sleep(ms);
  }

  get #last(): Stretch {
    return this.#stretches.at(-1) as Stretch; // there is always one
  }

  /** Virtual time, not rounded. During a step the kernel leads. */
  get #atMs(): number {
    const { wallMs, atMs, speed } = this.#last;
    if (this.stopMs !== undefined) return Math.max(atMs, this.#kernel.now);
    return speed === 0 ? atMs : atMs + (this.#wall() - wallMs) * speed;
  }

  /** Changes how virtual time passes from here on. */
  #change(change: () => void): void {
    const atMs = this.#atMs;
    change();
    const isGoing = this.#isRunning && !this.#isPaused;
    // A paused clock that is paused again, or gets another speed, stands as it stood, and goes on with its step.
    if (this.#isRunning && this.#isPaused && this.#last.speed === 0) return;
    for (const stop of this.#stops.splice(0)) stop.reached(Math.floor(atMs));
    this.#stretch(atMs, isGoing ? this.#speed : 0);
    this.wake();
  }

  #stretch(atMs: number, speed: number): void {
    this.#stretches.push({ wallMs: this.#wall(), atMs, speed });
    if (this.#stretches.length > MOST_STRETCHES) this.#stretches.shift();
  }
}
