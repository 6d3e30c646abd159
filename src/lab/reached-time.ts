import type { Kernel, SimTime } from "../sim/index.js";
import type { Recording } from "../store/index.js";
import {
  type CommittedPosition,
  readCommittedPosition,
  recordPosition,
  recordPositionWithCommits,
} from "./resume/committed-position.js";
import type { RunPosition } from "./resume/run-position.js";

/** Key of the fact of a recording that has the time. */
const REACHED = "reachedMs";

/** Virtual time that a served lab had reached when it last recorded it; 0: it never did. */
export function readReachedTime(recording: Pick<Recording, "kept">): SimTime {
  return Math.max(Number(recording.kept(REACHED) ?? 0), readCommittedPosition(recording)?.atMs ?? 0);
}

/** How often a served lab records the time that it has reached: wall milliseconds. */
const REACHED_EVERY_MS = 1000;

/**
 * Records each second the virtual time and the position that a served lab has reached. Where nothing happens, no other row has it, and a
 * restart would set the clock back.
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

  /** @param guard - calls what may fail from a timer */
  start(guard: (act: () => void) => void): void {
    guard(() => this.record());
    this.#timer = setInterval(() => guard(() => this.record()), REACHED_EVERY_MS);
    this.#timer.unref();
  }

  /** Records it now. */
  record(): void {
    const { atMs } = this.#reached;
    if (atMs === this.#lastMs) return;
    this.#recording.keep(REACHED, String(atMs));
    this.#lastMs = atMs;
    recordPosition(this.#recording, this.#reached);
  }

  /** Records the position with each commit from now on. */
  recordWithCommits(): void {
    recordPositionWithCommits(this.#recording, () => this.#reached);
  }

  /** Records that the lab is closed. Call it when all of its rows are committed. */
  recordClosed(): void {
    this.record();
    recordPosition(this.#recording, { ...this.#reached, isClosed: true });
  }

  /** Up to here everything has happened: the clock is ahead of the kernel while due timers wait. */
  get #reached(): CommittedPosition {
    const { now, nextAtMs } = this.#kernel;
    return { turn: this.#position.value, atMs: Math.max(now, Math.min(this.#nowMs(), nextAtMs - 1)) };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
