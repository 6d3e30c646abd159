import { LabError } from "../../base/index.js";
import type { Kernel, SimTime } from "../../sim/index.js";
import { InterruptibleSleep } from "./interruptible-sleep.js";

/** What a live clock shows. */
export interface ClockStatus {
  /** Virtual time. */
  readonly nowMs: SimTime;
  readonly isPaused: boolean;
  /** Virtual milliseconds in each wall millisecond while it runs. */
  readonly speed: number;
}

/** The highest speed of `setSpeed`. */
const SPEED_MAX = 10_000;

/** The longest step, in virtual milliseconds: ten years. */
const STEP_MS_MAX = 3650 * 86_400_000;

/** Most segments that the kernel has not passed; beyond it the oldest are dropped. */
const SEGMENTS_MAX = 1000;

/**
 * One linear piece of the map from wall to virtual time: at `wallMs` it was `atMs`, and from there `speed` virtual
 * milliseconds pass in each wall millisecond; speed 0: the clock is stopped.
 */
interface PacedSegment {
  readonly wallMs: number;
  /** May be a fraction, so that a change of speed does not jump. */
  readonly atMs: number;
  readonly speed: number;
}

/** An input from outside the kernel: an answer, an API request, a hand. */
interface ExternalInput {
  readonly wallMs: number;
  /** The kernel's step count when it came: until the next step, everything is an effect of the input. */
  readonly fired: number;
  /**
   * The input's instant, if no other timer was due then: everything at that instant is an effect of the input. Else
   * undefined.
   */
  readonly atMs: SimTime | undefined;
}

/** The end of a requested clock step. */
interface StepTarget {
  readonly atMs: SimTime;
  readonly reached: (atMs: SimTime) => void;
}

/**
 * The clock of a paced run: joins virtual and wall time, and can be paused, stepped and set to another speed while it
 * runs. Virtual time never goes back. It is continuous over every change except a step, which jumps to its target.
 *
 * The kernel follows the clock: the loop (`playPaced`) runs what has come due. So `kernel.now` may lag behind `nowMs`.
 *
 * With `playAheadMs` the world plays ahead of its output: an event is made, and is due `playAheadMs` wall milliseconds
 * later, even if the clock changes meanwhile. That leaves time to commit it and hand it to the sender.
 */
export class LiveClock {
  readonly #kernel: Kernel;
  readonly #wall: () => number;
  /** Wall milliseconds from the time at which the clock shows an instant to the due time of that instant's events. */
  readonly playAheadMs: number;
  readonly #lastsMs: SimTime;
  readonly #startsAt: () => SimTime;
  readonly #sleep = new InterruptibleSleep();
  /** Oldest first; the last one is in force. Segments that the kernel has passed are dropped. */
  readonly #segments: PacedSegment[];
  readonly #stepTargets: StepTarget[] = [];
  /** The latest input; undefined: none has come since `start`. */
  #lastInput: ExternalInput | undefined;
  #speed: number;
  #isPaused: boolean;
  #isRunning = false;

  /**
   * @param options - `wall`: monotonic milliseconds; `speed` > 0; `playAheadMs` >= 0, default 0; `lastsMs`: the end of
   *   virtual time, default never; `isPaused`: it starts paused; `startsAt`: virtual time when the clock starts, if
   *   that is later than `kernel.now`
   */
  constructor(options: {
    readonly kernel: Kernel;
    readonly wall: () => number;
    readonly speed: number;
    readonly playAheadMs?: number;
    readonly lastsMs?: SimTime;
    readonly isPaused?: boolean;
    readonly startsAt?: (() => SimTime) | undefined;
  }) {
    this.#kernel = options.kernel;
    this.#wall = options.wall;
    this.playAheadMs = options.playAheadMs ?? 0;
    this.#lastsMs = options.lastsMs ?? Infinity;
    this.#startsAt = options.startsAt ?? (() => options.kernel.now);
    this.#speed = options.speed;
    this.#isPaused = options.isPaused ?? false;
    this.#segments = [{ wallMs: options.wall(), atMs: options.kernel.now, speed: 0 }];
  }

  get status(): ClockStatus {
    return { nowMs: this.nowMs, isPaused: this.#isPaused, speed: this.#speed };
  }

  /** Virtual time, in whole milliseconds. The kernel must run everything up to here. */
  get nowMs(): SimTime {
    return Math.min(Math.floor(this.#atMs), this.#lastsMs);
  }

  /** Stops virtual time. Inputs from outside still take effect, at this instant. */
  pause(): void {
    this.#changeRate(() => (this.#isPaused = true));
  }

  /** Lets virtual time pass again; a step under way ends at once. */
  resume(): void {
    this.#changeRate(() => (this.#isPaused = false));
  }

  /**
   * Sets the virtual milliseconds that pass in each wall millisecond; a paused clock stays paused.
   *
   * @throws LabError when the speed is not above 0 and at most 10,000
   */
  setSpeed(speed: number): void {
    if (!(speed > 0 && speed <= SPEED_MAX)) {
      throw new LabError("bad-options", `the speed must be above 0 and at most ${SPEED_MAX}, got ${speed}`);
    }
    this.#changeRate(() => (this.#speed = speed));
  }

  /**
   * Advances a paused clock by a span of virtual time, as fast as the kernel can. Further steps wait for their turn.
   *
   * @param ms - whole virtual milliseconds, 0 to ten years
   * @returns the instant at which it ended: earlier if the run ends or the clock is resumed. By then the answers to its
   *   attempts have taken effect, unless the receiver is silent
   * @throws LabError if the clock is not paused, or for other spans
   */
  async step(ms: number): Promise<SimTime> {
    if (!this.#isPaused) {
      throw new LabError("bad-options", "the clock runs: only a paused one can be stepped", { hint: "pause it first" });
    }
    if (!(Number.isSafeInteger(ms) && ms >= 0 && ms <= STEP_MS_MAX)) {
      throw new LabError("bad-options", `a step must be 0..${STEP_MS_MAX} whole milliseconds, got ${ms}`);
    }
    const fromMs = this.#stepTargets.at(-1)?.atMs ?? this.nowMs;
    if (!this.#isRunning) return fromMs;
    return new Promise((reached) => {
      this.#stepTargets.push({ atMs: Math.min(fromMs + ms, this.#lastsMs), reached });
      this.wake();
    });
  }

  /** Jumps forward to an instant; an earlier one changes nothing. The kernel follows as fast as it can. */
  leapTo(atMs: SimTime): void {
    if (atMs <= this.#atMs) return;
    this.#startSegment(atMs, this.#last.speed);
    this.wake();
  }

  /** Applies an external input: the kernel catches up first, and the loop wakes for the timers that the input sets. */
  applyInput<T>(act: () => T): T {
    this.catchUp();
    try {
      return act();
    } finally {
      this.wake();
    }
  }

  /** Advances the kernel to now, but not past a due timer. Call it before an answer or an input takes effect. */
  catchUp(): void {
    if (this.stepTargetMs !== undefined) return;
    const kernel = this.#kernel;
    const { nowMs } = this;
    const { nextAtMs } = kernel;
    kernel.advanceTo(Math.min(nextAtMs, nowMs));
    const atMs = kernel.now === nowMs && nextAtMs > nowMs ? nowMs : undefined;
    this.#lastInput = { wallMs: this.#wall(), fired: kernel.fired, atMs };
  }

  /** Whether the latest input has scheduled a timer at its own instant. */
  get hasEffectNow(): boolean {
    return this.#lastInput?.atMs === this.#kernel.nextAtMs;
  }

  /** Wall milliseconds by which the next timer is overdue; 0 when it is not. */
  get overdueMs(): number {
    const { nextAtMs } = this.#kernel;
    return nextAtMs === Infinity ? 0 : Math.max(0, -this.waitMs(nextAtMs) - this.playAheadMs);
  }

  /** Wakes the loop, to check again what is due. */
  wake(): void {
    this.#sleep.wake();
  }

  /**
   * The intended wall time of an event at the kernel's now. Effects of an input are due when the input came, events of
   * a clock step at once, all others `playAheadMs` after the clock showed their instant. Call it while the event
   * happens.
   */
  dueWallMs(atMs: SimTime): number {
    if (this.stepTargetMs !== undefined) return this.#wall();
    const arrival = this.#lastInput;
    if (arrival !== undefined && (arrival.fired === this.#kernel.fired || arrival.atMs === atMs)) return arrival.wallMs;
    return this.#reachedWallMs(atMs) + this.playAheadMs;
  }

  /** When the clock showed an instant. */
  #reachedWallMs(atMs: SimTime): number {
    const segments = this.#segments;
    // The kernel's now never goes back, so segments before it are not needed again.
    while (segments[1] !== undefined && segments[1].atMs < atMs) segments.shift();
    const [first, next] = segments as [PacedSegment, PacedSegment?];
    if (first.speed > 0) return first.wallMs + (atMs - first.atMs) / first.speed;
    return atMs <= first.atMs ? first.wallMs : (next?.wallMs ?? this.#wall());
  }

  // The methods below are for the time loop.

  /** Lets virtual time pass. */
  start(): void {
    this.#isRunning = true;
    this.#lastInput = undefined;
    const speed = this.#isPaused ? 0 : this.#speed;
    this.#segments.splice(0, Infinity, { wallMs: this.#wall(), atMs: this.#kernel.now, speed });
    this.leapTo(this.#startsAt());
  }

  /** The run is over: virtual time stops for good, and steps end where they are. */
  stop(): void {
    this.#changeRate(() => (this.#isRunning = false));
  }

  /** The target of the current step; undefined when there is none. */
  get stepTargetMs(): SimTime | undefined {
    return this.#stepTargets[0]?.atMs;
  }

  /** Call it when the kernel is at the target and has run everything that was due. */
  completeStep(): void {
    this.#startSegment(this.#atMs, 0);
    this.#stepTargets.shift()?.reached(this.#kernel.now);
  }

  /** Wall milliseconds until the clock shows an instant; Infinity while the clock is stopped. */
  waitMs(atMs: SimTime): number {
    const { wallMs, atMs: fromMs, speed } = this.#last;
    if (atMs <= fromMs) return 0;
    return speed === 0 ? Infinity : wallMs + (atMs - fromMs) / speed - this.#wall();
  }

  /** Resolves at a wall time. */
  async waitUntil(wallMs: number): Promise<void> {
    // A timer may fire a fraction of a millisecond early.
    for (let leftMs = wallMs - this.#wall(); leftMs > 0; leftMs = wallMs - this.#wall())
      await new InterruptibleSleep().sleep(leftMs);
  }

  /** Sleeps for wall milliseconds, or until `wake`. @returns whether it was woken */
  sleep(ms: number): Promise<boolean> {
    return this.#sleep.sleep(ms);
  }

  get #last(): PacedSegment {
    return this.#segments.at(-1) as PacedSegment; // there is always one
  }

  /** Virtual time, not rounded. During a step it follows the kernel. */
  get #atMs(): number {
    const { wallMs, atMs, speed } = this.#last;
    if (this.stepTargetMs !== undefined) return Math.max(atMs, this.#kernel.now);
    return speed === 0 ? atMs : atMs + (this.#wall() - wallMs) * speed;
  }

  /** Changes how fast virtual time passes. */
  #changeRate(change: () => void): void {
    const atMs = this.#atMs;
    change();
    const isMoving = this.#isRunning && !this.#isPaused;
    // A second pause, or another speed while paused, changes nothing now and does not end the current step.
    if (this.#isRunning && this.#isPaused && this.#last.speed === 0) return;
    for (const stop of this.#stepTargets.splice(0)) stop.reached(Math.floor(atMs));
    this.#startSegment(atMs, isMoving ? this.#speed : 0);
    this.wake();
  }

  #startSegment(atMs: number, speed: number): void {
    this.#segments.push({ wallMs: this.#wall(), atMs, speed });
    if (this.#segments.length > SEGMENTS_MAX) this.#segments.shift();
  }
}
