import { CAPACITY, Chains, hashOf, NONE, wrapped } from "./chains.js";
import type { EventName } from "./event-name.js";

/**
 * The people who got a message by the replies to an event. Holds the latest 262,144 pairs of event and person. A ring
 * buffer of typed arrays takes 7 MiB; a map takes 66 bytes a pair, 17 MiB.
 */
export class AnsweredEvents {
  readonly #channel = new Uint32Array(CAPACITY);
  readonly #number = new Uint32Array(CAPACITY);
  readonly #contact = new Uint32Array(CAPACITY);
  readonly #byEvent = new Chains();
  /** Pairs so far. The slot of a pair in the ring is its sequence number modulo `CAPACITY`. */
  #pairs = 0;

  /** The rows of the contacts who got a message by the replies to an event. */
  contactsOf({ channel, number }: EventName): Set<number> {
    const contacts = new Set<number>();
    let slot = this.#byEvent.first(hashOf(channel, number));
    for (; slot !== NONE; slot = this.#byEvent.after(slot)) {
      if (this.#channel[slot] === channel && this.#number[slot] === number) contacts.add(this.#contact[slot] ?? 0);
    }
    return contacts;
  }

  /** Adds a new pair. The caller checks that it is new. */
  add({ channel, number }: EventName, contact: number): void {
    const slot = wrapped(this.#pairs);
    if (this.#pairs >= CAPACITY) {
      this.#byEvent.remove(slot, hashOf(this.#channel[slot] ?? 0, this.#number[slot] ?? 0));
    }
    this.#pairs++;
    this.#channel[slot] = channel;
    this.#number[slot] = number;
    this.#contact[slot] = contact;
    this.#byEvent.append(slot, hashOf(channel, number));
  }
}
