import { CAPACITY, Chains, hashOf, NONE, wrapped } from "./chains.js";

/** A text, and the time until the receiver acted on it. */
export interface RoundTrip {
  readonly channel: number;
  /** Number of the text's event. */
  readonly number: number;
  /** From the text's instant to the effect's. */
  readonly ms: number;
}

/** Texts without effect are dropped after an hour. */
const MAX_AGE_MS = 3_600_000;

/** The contact of a slot whose text no longer waits. */
const NO_CONTACT = 0;

/**
 * Matches incoming texts with the receiver's effects. A reply to a text ends that text's trip. Any other message to the
 * person (by the API) ends the trip of their oldest waiting text. One effect ends one trip. A person is identified by
 * the row of their contact.
 *
 * Instants are milliseconds of one monotonic clock. At most 262,144 texts wait, for an hour at most. When the ring is
 * full, the oldest is evicted and counted as forgotten.
 *
 * Every event of a load test passes here, and most receivers never reply. Texts are therefore stored in a ring buffer
 * of typed arrays, and the index (`WaitingIndex`) is built at the first effect only.
 */
export class RoundTrips {
  readonly #channel = new Uint32Array(CAPACITY);
  readonly #number = new Uint32Array(CAPACITY);
  readonly #contact = new Uint32Array(CAPACITY);
  readonly #at = new Float64Array(CAPACITY);
  /** Index of the waiting texts; undefined before the first effect. */
  #index: WaitingIndex | undefined;
  /**
   * Sequence number, from 0, of the oldest text that may wait. Its slot in the ring is that number modulo `CAPACITY`.
   */
  #oldest = 0;
  #texts = 0;
  #forgotten = 0;
  #matched = 0;

  /** Incoming texts so far. */
  get texts(): number {
    return this.#texts;
  }

  /** Texts that had an effect. */
  get matched(): number {
    return this.#matched;
  }

  /** Texts that were evicted to make room; their outcome is unknown. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Texts without effect so far. */
  get waiting(): number {
    return this.#texts - this.#matched - this.#forgotten;
  }

  /** Records that an event reports a person's text to the receiver. */
  recordText(text: {
    readonly contact: number;
    readonly channel: number;
    readonly number: number;
    readonly at: number;
  }): void {
    const { contact, channel, number, at } = text;
    this.#makeRoom(at);
    const slot = wrapped(this.#texts++);
    this.#channel[slot] = channel;
    this.#number[slot] = number;
    this.#contact[slot] = contact;
    this.#at[slot] = at;
    if (this.#index !== undefined) this.#addToIndex(slot, this.#index);
  }

  /** Matches a reply to an event; undefined when the event is not a waiting text of that person. */
  matchReply(
    { channel, number }: { readonly channel: number; readonly number: number },
    contact: number,
    at: number,
  ): RoundTrip | undefined {
    const { byEvent } = this.#ensureIndex();
    let slot = byEvent.first(hashOf(channel, number));
    while (slot !== NONE && !(this.#channel[slot] === channel && this.#number[slot] === number)) {
      slot = byEvent.after(slot);
    }
    return slot !== NONE && this.#contact[slot] === contact ? this.#endTrip(slot, at) : undefined;
  }

  /**
   * Matches a message that is not a reply; undefined when no text of the person waits. A text with a later instant is
   * not known to the receiver yet, so the message cannot be about it.
   */
  matchMessage(contact: number, at: number): RoundTrip | undefined {
    const { byContact } = this.#ensureIndex();
    let slot = byContact.first(wrapped(contact));
    while (slot !== NONE && !(this.#contact[slot] === contact && (this.#at[slot] ?? at) <= at)) {
      slot = byContact.after(slot);
    }
    return slot === NONE ? undefined : this.#endTrip(slot, at);
  }

  /** Restarts the clock of all waiting texts, because the time before `at` is not the receiver's. */
  restartClock(at: number): void {
    for (let text = this.#oldest; text < this.#texts; text++) this.#at[wrapped(text)] = at;
  }

  /** Drops texts that are too old, and evicts the oldest one when the ring is full. */
  #makeRoom(at: number): void {
    for (; this.#oldest < this.#texts; this.#oldest++) {
      const slot = wrapped(this.#oldest);
      if (this.#contact[slot] === NO_CONTACT) continue;
      const isFull = this.#texts - this.#oldest === CAPACITY;
      const isOld = at - (this.#at[slot] ?? at) > MAX_AGE_MS;
      if (!isFull && !isOld) return;
      if (!isOld) this.#forgotten++;
      this.#removeWaiting(slot);
    }
  }

  #endTrip(slot: number, at: number): RoundTrip {
    this.#matched++;
    const trip = {
      channel: this.#channel[slot] ?? 0,
      number: this.#number[slot] ?? 0,
      ms: at - (this.#at[slot] ?? at),
    };
    this.#removeWaiting(slot);
    return trip;
  }

  #removeWaiting(slot: number): void {
    this.#index?.byContact.remove(slot, wrapped(this.#contact[slot] ?? 0));
    this.#index?.byEvent.remove(slot, hashOf(this.#channel[slot] ?? 0, this.#number[slot] ?? 0));
    this.#contact[slot] = NO_CONTACT;
  }

  #ensureIndex(): WaitingIndex {
    if (this.#index !== undefined) return this.#index;
    const index = { byContact: new Chains(), byEvent: new Chains() };
    for (let text = this.#oldest; text < this.#texts; text++) {
      const slot = wrapped(text);
      if (this.#contact[slot] !== NO_CONTACT) this.#addToIndex(slot, index);
    }
    return (this.#index = index);
  }

  #addToIndex(slot: number, { byContact, byEvent }: WaitingIndex): void {
    byContact.append(slot, wrapped(this.#contact[slot] ?? 0));
    byEvent.append(slot, hashOf(this.#channel[slot] ?? 0, this.#number[slot] ?? 0));
  }
}

/** Hash index of the waiting texts. */
interface WaitingIndex {
  /** Chained by the contact's row modulo the capacity. */
  readonly byContact: Chains;
  /** Chained by the hash of channel and number. */
  readonly byEvent: Chains;
}
