import type { Kernel, SimTime } from "../sim/index.js";
import type { Recording } from "../store/index.js";

/** Key of the fact of a recording that has the time. */
const REACHED = "reachedMs";

/** Virtual time that a served lab had reached when it last recorded it; 0: it never did. */
export function readReachedTime(recording: Pick<Recording, "kept">): SimTime {
  return Number(recording.kept(REACHED) ?? 0);
}

/** How often a served lab records the time that it has reached: wall milliseconds. */
const REACHED_EVERY_MS = 1000;

/**
 * Records each second the virtual time that a served lab has reached. Where nothing happens, no other row has it, and a
 * restart would set the clock back.
 */
export class ReachedTime {
  readonly #recording: Recording;
  readonly #kernel: Kernel;
  readonly #nowMs: () => SimTime;
  #timer: NodeJS.Timeout | undefined;
  #lastMs = -1;

  /** @param nowMs - virtual time now */
  constructor(recording: Recording, { kernel, nowMs }: { readonly kernel: Kernel; readonly nowMs: () => SimTime }) {
    this.#recording = recording;
    this.#kernel = kernel;
    this.#nowMs = nowMs;
  }

  /** @param guard - calls what may fail from a timer */
  start(guard: (act: () => void) => void): void {
    guard(() => this.record());
    this.#timer = setInterval(() => guard(() => this.record()), REACHED_EVERY_MS);
    this.#timer.unref();
  }

  /** Records it now. */
  record(): void {
    // Up to here everything has happened: the clock is ahead of the kernel while due timers wait.
    const reachedMs = Math.max(this.#kernel.now, Math.min(this.#nowMs(), this.#kernel.nextAtMs - 1));
    if (reachedMs === this.#lastMs) return;
    this.#recording.keep(REACHED, String(reachedMs));
    this.#lastMs = reachedMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
