/** A text and how long it took to have its effect. */
export interface RoundTrip {
  readonly channel: number;
  /** Of the text's event. */
  readonly number: number;
  /** In the unit of the instants that were given. */
  readonly ms: number;
}

/** So many texts wait at once: the latest ones. A power of two. */
const MOST = 262_144;
/** A text that had no effect for so long will have none: an hour. */
const MAX_AGE_MS = 3_600_000;

const NONE = -1;
/** In place of a contact: the text does not wait any more. */
const NOBODY = 0;

/**
 * Matches incoming texts with what the receiver does about them: a reply to a text ends that text's trip, any other
 * message to the person (by the API) ends the trip of their oldest text that waits. An effect ends one trip, so that a
 * receiver's next answer is not taken for the last one's. People are told apart by the rows of their contacts.
 *
 * Instants are milliseconds of one clock that does not go back. The latest 262,144 texts wait, for an hour. One that makes
 * room for others is forgotten, which is counted.
 *
 * Each event of a load test comes by here, and most receivers answer none: so texts are put down one after the other, in
 * columns of numbers, and nobody looks for one before the first effect.
 */
export class RoundTrips {
  readonly #channel = new Uint32Array(MOST);
  readonly #number = new Uint32Array(MOST);
  readonly #contact = new Uint32Array(MOST);
  readonly #at = new Float64Array(MOST);
  /** Where to look for those that wait; undefined: there was no effect yet. */
  #finder: Finder | undefined;
  /** Which text is the oldest that may wait, counted from 0. Its place is what is left when that is divided by `MOST`. */
  #oldest = 0;
  #texts = 0;
  #forgotten = 0;
  #matched = 0;

  /** Incoming texts so far. */
  get texts(): number {
    return this.#texts;
  }

  /** Those that had an effect. */
  get matched(): number {
    return this.#matched;
  }

  /** Those that were given up to make room, of which nobody knows what became. */
  get forgotten(): number {
    return this.#forgotten;
  }

  /** Those that have had no effect so far. */
  get waiting(): number {
    return this.#texts - this.#matched - this.#forgotten;
  }

  /** An event tells the receiver of a text from a person. */
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

  /** A reply to an event sends a message to a person; undefined where that is no trip of theirs. */
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
   * A message is sent to a person that is no reply; undefined where no text of theirs waits. A text whose instant is still
   * to come is not known to the receiver, so the message is not about it.
   */
  message(contact: number, at: number): RoundTrip | undefined {
    const { byContact } = this.#find();
    let place = byContact.first(placeOf(contact));
    while (place !== NONE && !(this.#contact[place] === contact && (this.#at[place] ?? at) <= at)) {
      place = byContact.after(place);
    }
    return place === NONE ? undefined : this.#match(place, at);
  }

  /** Those that wait have waited since this instant: what was before is not the receiver's doing. */
  restartClock(at: number): void {
    for (let text = this.#oldest; text < this.#texts; text++) this.#at[placeOf(text)] = at;
  }

  /** Gives up what is too old, and what stands where the next one goes. */
  #makeRoom(at: number): void {
    for (; this.#oldest < this.#texts; this.#oldest++) {
      const place = placeOf(this.#oldest);
      if (this.#contact[place] === NOBODY) continue;
      const isFull = this.#texts - this.#oldest === MOST;
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
    this.#contact[place] = NOBODY;
  }

  #find(): Finder {
    if (this.#finder !== undefined) return this.#finder;
    const finder = { byContact: new Chains(), byEvent: new Chains() };
    for (let text = this.#oldest; text < this.#texts; text++) {
      const place = placeOf(text);
      if (this.#contact[place] !== NOBODY) this.#list(place, finder);
    }
    return (this.#finder = finder);
  }

  #list(place: number, { byContact, byEvent }: Finder): void {
    byContact.append(place, placeOf(this.#contact[place] ?? 0));
    byEvent.append(place, hashOf(this.#channel[place] ?? 0, this.#number[place] ?? 0));
  }
}

/** Those that wait, by what an effect names. */
interface Finder {
  /** In one chain those of contacts whose rows have the same remainder. */
  readonly byContact: Chains;
  /** In one chain those of events with the same hash. */
  readonly byEvent: Chains;
}

/**
 * Places in chains, in the order in which they came, each of which can leave its chain. What is needed together lies
 * together: mostly none of it is in the processor's cache.
 */
class Chains {
  /** Of each chain the first place, and the last one. */
  readonly #ends = new Int32Array(2 * MOST).fill(NONE);
  /** Of each place the one before it, and the one after it. */
  readonly #links = new Int32Array(2 * MOST);

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

/** Numbers of a channel follow one another, and so do channels: a multiplication scatters them. */
function hashOf(channel: number, number: number): number {
  return (Math.imul(channel, 0x9e3779b1) + number) & (MOST - 1);
}

/** What is left of a whole number: the place of a text, the chain of a contact. */
function placeOf(whole: number): number {
  return whole & (MOST - 1);
}
