/** A text, and the time until the receiver acted on it. */
export interface RoundTrip {
  readonly channel: number;
  /** Number of the text's event. */
  readonly number: number;
  /** Difference of the given instants. */
  readonly ms: number;
}

/** Capacity: the latest texts that wait. A power of two. */
const CAPACITY = 262_144;
/** Texts without effect are dropped after an hour. */
const MAX_AGE_MS = 3_600_000;

const NONE = -1;
/** In place of a contact: the text no longer waits. */
const NO_CONTACT = 0;

/**
 * Matches incoming texts with what the receiver does about them: a reply to a text ends that text's trip, any other
 * message to the person (by the API) ends the trip of their oldest text that waits. An effect ends one trip, so that a
 * receiver's next answer is not taken for the last one's. People are told apart by the rows of their contacts.
 *
 * Instants are milliseconds of one clock that does not go back. The latest 262,144 texts wait, for an hour. One that
 * makes
 * room for others is forgotten, which is counted.
 *
 * Every event of a load test passes here, and most receivers never reply. Texts are therefore stored in a ring buffer
 * of
 * typed arrays, and the index (`Finder`) is built at the first effect only.
 */
export class RoundTrips {
  readonly #channel = new Uint32Array(CAPACITY);
  readonly #number = new Uint32Array(CAPACITY);
  readonly #contact = new Uint32Array(CAPACITY);
  readonly #at = new Float64Array(CAPACITY);
  /** Index of the waiting texts; undefined before the first effect. */
  #finder: Finder | undefined;
  /**
   * Sequence number, from 0, of the oldest text that may wait. Its place in the ring is that number modulo `CAPACITY`.
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
  text(text: {
    readonly contact: number;
    readonly channel: number;
    readonly number: number;
    readonly at: number;
  }): void {
    const { contact, channel, number, at } = text;
    this.#makeRoom(at);
    const place = placeOf(this.#texts++);
    this.#channel[place] = channel;
    this.#number[place] = number;
    this.#contact[place] = contact;
    this.#at[place] = at;
    if (this.#finder !== undefined) this.#list(place, this.#finder);
  }

  /** Matches a reply to an event; undefined when the event is not a waiting text of that person. */
  reply(
    { channel, number }: { readonly channel: number; readonly number: number },
    contact: number,
    at: number,
  ): RoundTrip | undefined {
    const { byEvent } = this.#find();
    let place = byEvent.first(hashOf(channel, number));
    while (place !== NONE && !(this.#channel[place] === channel && this.#number[place] === number)) {
      place = byEvent.after(place);
    }
    return place !== NONE && this.#contact[place] === contact ? this.#match(place, at) : undefined;
  }

  /**
   * Matches a message that is not a reply; undefined when no text of the person waits. A text with a later instant is
   * not
   * known to the receiver yet, so the message cannot be about it.
   */
  message(contact: number, at: number): RoundTrip | undefined {
    const { byContact } = this.#find();
    let place = byContact.first(placeOf(contact));
    while (place !== NONE && !(this.#contact[place] === contact && (this.#at[place] ?? at) <= at)) {
      place = byContact.after(place);
    }
    return place === NONE ? undefined : this.#match(place, at);
  }

  /** Restarts the clock of all waiting texts, because the time before `at` is not the receiver's. */
  restartClock(at: number): void {
    for (let text = this.#oldest; text < this.#texts; text++) this.#at[placeOf(text)] = at;
  }

  /** Drops texts that are too old, and evicts the oldest one when the ring is full. */
  #makeRoom(at: number): void {
    for (; this.#oldest < this.#texts; this.#oldest++) {
      const place = placeOf(this.#oldest);
      if (this.#contact[place] === NO_CONTACT) continue;
      const isFull = this.#texts - this.#oldest === CAPACITY;
      const isOld = at - (this.#at[place] ?? at) > MAX_AGE_MS;
      if (!isFull && !isOld) return;
      if (!isOld) this.#forgotten++;
      this.#end(place);
    }
  }

  #match(place: number, at: number): RoundTrip {
    this.#matched++;
    const trip = {
      channel: this.#channel[place] ?? 0,
      number: this.#number[place] ?? 0,
      ms: at - (this.#at[place] ?? at),
    };
    this.#end(place);
    return trip;
  }

  #end(place: number): void {
    this.#finder?.byContact.remove(place, placeOf(this.#contact[place] ?? 0));
    this.#finder?.byEvent.remove(place, hashOf(this.#channel[place] ?? 0, this.#number[place] ?? 0));
    this.#contact[place] = NO_CONTACT;
  }

  #find(): Finder {
    if (this.#finder !== undefined) return this.#finder;
    const finder = { byContact: new Chains(), byEvent: new Chains() };
    for (let text = this.#oldest; text < this.#texts; text++) {
      const place = placeOf(text);
      if (this.#contact[place] !== NO_CONTACT) this.#list(place, finder);
    }
    return (this.#finder = finder);
  }

  #list(place: number, { byContact, byEvent }: Finder): void {
    byContact.append(place, placeOf(this.#contact[place] ?? 0));
    byEvent.append(place, hashOf(this.#channel[place] ?? 0, this.#number[place] ?? 0));
  }
}

/** Hash index of the waiting texts. */
interface Finder {
  /** Chained by the contact's row modulo the capacity. */
  readonly byContact: Chains;
  /** Chained by the hash of channel and number. */
  readonly byEvent: Chains;
}

/**
 * Hash chains as doubly linked lists in typed arrays, in insertion order. Fields that are read together are adjacent,
 * because most accesses miss the processor's cache.
 */
class Chains {
  /** First and last place of each chain. */
  readonly #ends = new Int32Array(2 * CAPACITY).fill(NONE);
  /** Predecessor and successor of each place. */
  readonly #links = new Int32Array(2 * CAPACITY);

  first(chain: number): number {
    return this.#ends[2 * chain] ?? NONE;
  }

  after(place: number): number {
    return this.#links[2 * place + 1] ?? NONE;
  }

  append(place: number, chain: number): void {
    const last = this.#ends[2 * chain + 1] ?? NONE;
    this.#links[2 * place] = last;
    this.#links[2 * place + 1] = NONE;
    this.#ends[2 * chain + 1] = place;
    if (last === NONE) this.#ends[2 * chain] = place;
    else this.#links[2 * last + 1] = place;
  }

  remove(place: number, chain: number): void {
    const before = this.#links[2 * place] ?? NONE;
    const after = this.#links[2 * place + 1] ?? NONE;
    if (before === NONE) this.#ends[2 * chain] = after;
    else this.#links[2 * before + 1] = after;
    if (after === NONE) this.#ends[2 * chain + 1] = before;
    else this.#links[2 * after] = before;
  }
}

/** Multiplicative hash, which scatters consecutive channels and numbers. */
function hashOf(channel: number, number: number): number {
  return (Math.imul(channel, 0x9e3779b1) + number) & (CAPACITY - 1);
}

/** A whole number modulo the capacity: the place of a text, the chain of a contact. */
function placeOf(whole: number): number {
  return whole & (CAPACITY - 1);
}
