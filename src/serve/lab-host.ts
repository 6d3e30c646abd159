import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiContext } from "../api/index.js";
import type { Lab } from "../lab/index.js";
import type { AccountLists, EventLog, Recording } from "../store/index.js";

/** A lab that the APIs work on, with the recording that it writes. */
export interface ServedLab {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly log: EventLog;
  readonly context: ApiContext;
}

/** How long a lab that stops waits for the answers of attempts in flight. Wall milliseconds. */
const STOP_TIMEOUT_MS = 2000;

/**
 * Makes a lab that continues a recording.
 *
 * @param fromMs - virtual time of the recording's last change
 * @param startsAt - virtual time when the lab's clock starts; absent: `fromMs`
 */
export type MakeServedLab = (recording: Recording, fromMs: number, startsAt?: () => number) => ServedLab;

/**
 * Plays the lab of a server. Restoring a snapshot replaces the lab: the new one starts its handsets again and has the
 * snapshot's account. Virtual time continues, so clients that ask for changes since an instant miss none.
 */
export class LabHost {
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

  /** The lab once no replacement is under way. Use it in the same turn of the event loop: it may be replaced later. */
  async settled(): Promise<ServedLab> {
    while (this.#replacing !== undefined) await this.#replacing;
    return this.#current;
  }

  /** The API context of the settled lab. */
  context(): ApiContext | Promise<ApiContext> {
    return this.#replacing === undefined ? this.#current.context : this.settled().then(({ context }) => context);
  }

  /** Stops the lab and plays another one over this recording. */
  async replaceLab(recording: () => Recording): Promise<void> {
    while (this.#replacing !== undefined) await this.#replacing.catch(() => undefined);
    this.#replacing = this.#replaceLab(recording).finally(() => {
      this.#replacing = undefined;
    });
    await this.#replacing;
  }

  async #replaceLab(recording: () => Recording): Promise<void> {
    // Requests that got their context in this turn of the event loop still finish on the old lab.
    await nextTurn();
    const { nowMs } = this.#current.lab;
    const { isPaused, speed } = this.#current.lab.clock?.status ?? { isPaused: false, speed: 1 };
    const stoppedAt = performance.now();
    // Counts the wall time of the replacement, so that virtual time does not lag behind the wall clock.
    const startsAt = (): number => nowMs + (isPaused ? 0 : Math.floor((performance.now() - stoppedAt) * speed));
    await this.#stop();
    try {
      this.#current = this.#makeLab(recording(), nowMs, startsAt);
    } catch (error) {
      // The old lab is closed and there is no new one: the server cannot continue.
      this.#onFailure(error);
      throw error;
    }
    this.#current.lab.clock?.setSpeed(speed);
    if (isPaused) this.#current.lab.clock?.pause();
    else this.#current.lab.clock?.resume();
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
