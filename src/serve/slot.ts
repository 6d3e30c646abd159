import { setImmediate as nextTurn } from "node:timers/promises";
import type { ClockStatus } from "../lab/index.js";
import type { ServedLab } from "../control/index.js";
import type { Recording } from "../store/index.js";

/** When a lab stops, it waits this long for answers of attempts in flight. Wall milliseconds. */
const STOP_TIMEOUT_MS = 2000;

/**
 * Makes a lab that continues a recording.
 *
 * @param fromMs - virtual time of the recording's last change
 * @param startsAt - virtual time when the lab's clock starts; absent: `fromMs`
 */
export type MakeServedLab = (recording: Recording, fromMs: number, startsAt?: () => number) => ServedLab;

/** The start of the next lab. */
interface NextLab {
  readonly recording: Recording;
  readonly fromMs: number;
  readonly startsAt?: (() => number) | undefined;
  readonly isPaused: boolean;
  readonly speed: number;
}

/**
 * Owns and plays the lab of a server. Restoring a snapshot replaces the lab with one that has the snapshot's account
 * and freshly started handsets. Virtual time continues, so clients that ask for changes since an instant miss none.
 */
export class Slot {
  readonly #makeLab: MakeServedLab;
  readonly #onFailure: (error: unknown) => void;
  #current: ServedLab;
  #playing: Promise<void>;
  #replacing: Promise<void> | undefined;

  /** @param options - `onFailure`: called when a lab ends with an error, such as a full disk */
  constructor(options: {
    readonly makeLab: MakeServedLab;
    readonly recording: Recording;
    readonly fromMs: number;
    readonly startsAt?: (() => number) | undefined;
    readonly onFailure: (error: unknown) => void;
  }) {
    this.#makeLab = options.makeLab;
    this.#onFailure = options.onFailure;
    this.#current = options.makeLab(options.recording, options.fromMs, options.startsAt);
    this.#playing = this.#play();
  }

  get current(): ServedLab {
    return this.#current;
  }

  /**
   * Waits until no replacement is under way. Use the lab in the same turn of the event loop: it may be replaced later.
   */
  async settled(): Promise<ServedLab> {
    while (this.#replacing !== undefined) await this.#replacing;
    return this.#current;
  }

  /** Stops the lab and plays another one over this recording. Virtual time continues. */
  replaceLab(recording: () => Recording): Promise<void> {
    const stoppedAt = performance.now();
    return this.#replace(({ nowMs, isPaused, speed }) => ({
      recording: recording(),
      fromMs: nowMs,
      // Counts the wall time of the replacement, so that virtual time does not lag behind the wall clock.
      startsAt: () => nowMs + (isPaused ? 0 : Math.floor((performance.now() - stoppedAt) * speed)),
      isPaused,
      speed,
    }));
  }

  /** Stops the lab and plays another one from the start of a new recording. Its clock is paused. */
  beginLab(
    begin: () => { readonly recording: Recording; readonly startsAt?: (() => number) | undefined },
    { speed }: { readonly speed?: number },
  ): Promise<void> {
    return this.#replace((old) => ({ ...begin(), fromMs: 0, isPaused: true, speed: speed ?? old.speed }));
  }

  async #replace(next: (old: ClockStatus) => NextLab): Promise<void> {
    while (this.#replacing !== undefined) await this.#replacing.catch(() => undefined);
    this.#replacing = this.#stopAndPlay(next).finally(() => {
      this.#replacing = undefined;
    });
    await this.#replacing;
  }

  async #stopAndPlay(next: (old: ClockStatus) => NextLab): Promise<void> {
    // Requests of this turn of the event loop still finish on the old lab.
    await nextTurn();
    const { lab } = this.#current;
    const old = { ...(lab.clock?.status ?? { isPaused: false, speed: 1 }), nowMs: lab.nowMs };
    await this.#stop();
    let made: NextLab;
    try {
      made = next(old);
      this.#current = this.#makeLab(made.recording, made.fromMs, made.startsAt);
    } catch (error) {
      // Without a lab the server cannot continue.
      this.#onFailure(error);
      throw error;
    }
    const { clock } = this.#current.lab;
    clock?.setSpeed(made.speed);
    if (made.isPaused) clock?.pause();
    else clock?.resume();
    this.#playing = this.#play();
  }

  /** Stops the lab, and completes and closes its recording. May be called twice. */
  async close(): Promise<void> {
    while (this.#replacing !== undefined) await this.#replacing.catch(() => undefined);
    await this.#stop();
  }

  async #stop(): Promise<void> {
    const { lab, recording } = this.#current;
    lab.stop();
    const timeout = setTimeout(() => lab.abortAttempts(), STOP_TIMEOUT_MS);
    await this.#playing;
    clearTimeout(timeout);
    lab.abortAttempts();
    recording.close();
  }

  async #play(): Promise<void> {
    try {
      await this.#current.lab.play();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
