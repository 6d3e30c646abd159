import { setImmediate as nextTurn } from "node:timers/promises";
import type { ApiContext } from "../api/index.js";
import type { Lab } from "../lab/index.js";
import type { AccountLists, EventLog, Recording } from "../store/index.js";

/** A lab that is served, with the recording that it writes. */
export interface Tenant {
  readonly lab: Lab;
  readonly recording: Recording;
  readonly lists: AccountLists;
  readonly log: EventLog;
  readonly desk: ApiContext;
}

/** How long a lab that stops waits for answers to what it has sent. Wall milliseconds. */
const PATIENCE_MS = 2000;

/**
 * Makes a lab over a recording, going on at a virtual instant.
 *
 * @param startsAt - virtual time when its clock starts; absent: `fromMs`
 */
export type MoveIn = (recording: Recording, fromMs: number, startsAt?: () => number) => Tenant;

/**
 * Where a served lab lives. Going back to a snapshot means that another lab moves in: phones wake up anew, the account
 * is what it was, and virtual time goes on, so that clients which ask what is new miss nothing.
 */
export class House {
  readonly #moveIn: MoveIn;
  readonly #failed: (error: unknown) => void;
  #tenant: Tenant;
  #playing: Promise<void>;
  #moving: Promise<void> | undefined;

  /** @param failed - told when a lab ends by an error: a full disk, above all */
  constructor(options: {
    readonly moveIn: MoveIn;
    readonly recording: Recording;
    readonly fromMs: number;
    readonly startsAt?: (() => number) | undefined;
    readonly failed: (error: unknown) => void;
  }) {
    this.#moveIn = options.moveIn;
    this.#failed = options.failed;
    this.#tenant = options.moveIn(options.recording, options.fromMs, options.startsAt);
    this.#playing = this.#play();
  }

  get tenant(): Tenant {
    return this.#tenant;
  }

  /** Who lives here: waits while one moves in. What is done with it must be done in the same turn. */
  async present(): Promise<Tenant> {
    while (this.#moving !== undefined) await this.#moving;
    return this.#tenant;
  }

  /** The desk of who lives here, as of `present`. */
  desk(): ApiContext | Promise<ApiContext> {
    return this.#moving === undefined ? this.#tenant.desk : this.present().then(({ desk }) => desk);
  }

  /** Another recording takes the place of the one that was there. */
  async replace(recording: () => Recording): Promise<void> {
    while (this.#moving !== undefined) await this.#moving.catch(() => undefined);
    this.#moving = this.#replace(recording).finally(() => {
      this.#moving = undefined;
    });
    await this.#moving;
  }

  async #replace(recording: () => Recording): Promise<void> {
    // Whoever has come to the desk in this turn is served first.
    await nextTurn();
    const { nowMs } = this.#tenant.lab;
    const { isPaused, speed } = this.#tenant.lab.clock?.status ?? { isPaused: false, speed: 1 };
    const leftAt = performance.now();
    // Otherwise virtual time would lag behind the wall clock by the time that this takes.
    const startsAt = (): number => nowMs + (isPaused ? 0 : Math.floor((performance.now() - leftAt) * speed));
    await this.#leave();
    try {
      this.#tenant = this.#moveIn(recording(), nowMs, startsAt);
    } catch (error) {
      // Nobody lives here any more.
      this.#failed(error);
      throw error;
    }
    this.#tenant.lab.clock?.setSpeed(speed);
    if (isPaused) this.#tenant.lab.clock?.pause();
    else this.#tenant.lab.clock?.resume();
    this.#playing = this.#play();
  }

  /** The lab stops, and its recording is complete and closed. May be called twice. */
  async leave(): Promise<void> {
    while (this.#moving !== undefined) await this.#moving.catch(() => undefined);
    await this.#leave();
  }

  async #leave(): Promise<void> {
    const { lab, recording } = this.#tenant;
    lab.stop();
    const patience = setTimeout(() => lab.abortAttempts(), PATIENCE_MS);
    await this.#playing;
    clearTimeout(patience);
    lab.abortAttempts();
    recording.close();
  }

  async #play(): Promise<void> {
    try {
      await this.#tenant.lab.play();
    } catch (error) {
      this.#failed(error);
    }
  }
}
