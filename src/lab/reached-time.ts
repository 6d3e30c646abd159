import type { Kernel, SimTime } from "../sim/index.js";
import type { Recording } from "../store/index.js";
import { type CommittedPosition, recordPosition, recordPositionWithCommits } from "./resume/committed-position.js";
import type { RunPosition } from "./resume/run-position.js";

/** How often a served lab records the time that it has reached: wall milliseconds. */
const REACHED_EVERY_MS = 1000;

/**
 * Records the position and the virtual time of a served lab, with each commit and each second. While nothing happens,
 * there are no commits, and a restart would set the clock back.
 */
export class ReachedTime {
  readonly #recording: Recording;
  readonly #kernel: Kernel;
  readonly #position: RunPosition;
  readonly #nowMs: () => SimTime;
  #timer: NodeJS.Timeout | undefined;
  #lastMs = -1;

  /** @param options - `nowMs`: virtual time now */
  constructor(
    recording: Recording,
    options: { readonly kernel: Kernel; readonly position: RunPosition; readonly nowMs: () => SimTime },
  ) {
    this.#recording = recording;
    this.#kernel = options.kernel;
    this.#position = options.position;
    this.#nowMs = options.nowMs;
  }

  /** @param guard - runs a callback of a timer, and handles its errors */
  start(guard: (act: () => void) => void): void {
    guard(() => this.record());
    this.#timer = setInterval(() => guard(() => this.record()), REACHED_EVERY_MS);
    this.#timer.unref();
  }

  /** Records position and time now, unless they equal the last recorded ones. */
  record(): void {
    const reached = this.#reached;
    if (reached.atMs === this.#lastMs) return;
    this.#lastMs = reached.atMs;
    recordPosition(this.#recording, reached);
  }

  /** Records the position with each commit from now on. */
  recordWithCommits(): void {
    recordPositionWithCommits(this.#recording, () => this.#reached);
  }

  /** Records that the lab is closed. Call it when all of its rows are committed. */
  recordClosed(): void {
    recordPosition(this.#recording, { ...this.#reached, isClosed: true });
  }

  /** Time up to which everything has happened. While due timers wait, the clock shows a later time. */
  get #reached(): CommittedPosition {
    const { now, nextAtMs } = this.#kernel;
    return { turn: this.#position.value, atMs: Math.max(now, Math.min(this.#nowMs(), nextAtMs - 1)) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
