import type { Kernel, SimTime } from "../../sim/index.js";
import type { CarrierSettings } from "../cast/cast.js";
import type { ChangingValues } from "../changing-values.js";
import { type Holding, scheduleExpiry, takeOut } from "./holding.js";
import type { Outgoing } from "./subscriber.js";

interface WaitingMessage {
  readonly outgoing: Outgoing;
  readonly sentAtMs: SimTime;
  held: Holding | undefined;
}

/** The messages that wait for people whose phones are off. */
export class WaitingForPeople<T extends WaitingMessage> {
  readonly #kernel: Kernel;
  readonly #settings: ChangingValues<CarrierSettings>;
  readonly #onExpired: (message: T) => void;
  readonly #byPerson = new Map<number, T[]>();

  /** @param options - `onExpired`: called for each message that has waited too long */
  constructor(options: {
    readonly kernel: Kernel;
    readonly settings: ChangingValues<CarrierSettings>;
    readonly onExpired: (message: T) => void;
  }) {
    this.#kernel = options.kernel;
    this.#settings = options.settings;
    this.#onExpired = options.onExpired;
  }

  /** Keeps a message until `release`, or until it expires. */
  hold(message: T): void {
    const { person } = message.outgoing;
    message.held = { sinceMs: this.#kernel.now, why: "recipient-off", before: message.held };
    const waiting = this.#byPerson.get(person);
    if (waiting === undefined) this.#byPerson.set(person, [message]);
    else waiting.push(message);
    const expiresAtMs = message.sentAtMs + this.#settings.current.expiresAfterMs;
    scheduleExpiry(this.#kernel, expiresAtMs, () => {
      const queue = this.#byPerson.get(person);
      if (queue === undefined || !takeOut(queue, message)) return;
      if (queue.length === 0) this.#byPerson.delete(person);
      this.#onExpired(message);
    });
  }

  /** Ends the wait for a person whose phone is on again. @returns the messages in order of arrival */
  release(person: number): readonly T[] {
    const waiting = this.#byPerson.get(person);
    if (waiting === undefined) return [];
    this.#byPerson.delete(person);
    for (const message of waiting) {
      if (message.held !== undefined) message.held = { ...message.held, untilMs: this.#kernel.now };
    }
    return waiting;
  }
}
