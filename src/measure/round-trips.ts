/** A text and how long it took to have its effect. */
export interface RoundTrip {
  readonly channel: number;
  /** Of the text's event. */
  readonly number: number;
  /** In the unit of the instants that were given. */
  readonly ms: number;
}

/** Texts that wait at once. */
const MAX_WAITING = 262_144;
/** A text that had no effect for so long will have none: an hour. */
const MAX_AGE_MS = 3_600_000;

const NONE = -1;

/**
 * Matches incoming texts with what the receiver does about them: a reply to a text ends that text's trip, any other
 * message to the person (by the API) ends the trip of their oldest text that waits. An effect ends one trip, so that a
 * receiver's next answer is not taken for the last one's. People are told apart by the rows of their contacts.
 *
 * Instants are milliseconds of one clock that does not go back. The latest 262,144 texts wait, for an hour. One that makes
 * room for others is forgotten, which is counted.
 *
 * Most receivers answer no text at all, and then each event of a load test comes and goes here: so what waits is in columns
 * of numbers, 60 bytes each, and nothing is left to the garbage collector.
 */
export class RoundTrips {
  readonly #channel = new Uint32Array(MAX_WAITING);
  readonly #number = new Uint32Array(MAX_WAITING);
  readonly #contact = new Uint32Array(MAX_WAITING);
  readonly #at = new Float64Array(MAX_WAITING);
  /** All, in one chain. */
  readonly #byAge = new Chains(1);
  /** Those of contacts whose rows have the same remainder. */
  readonly #byContact = new Chains(MAX_WAITING);
  /** Those of events with the same hash. */
  readonly #byEvent = new Chains(MAX_WAITING);
  /** Places that were taken at some time; those of them that are free again. */
  #places = 0;
  readonly #free: number[] = [];
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
    this.#texts++;
    for (
      let oldest = this.#oldest;
      oldest !== NONE && at - (this.#at[oldest] ?? at) > MAX_AGE_MS;
      oldest = this.#oldest
    ) {
      this.#end(oldest);
    }
    if (this.#isFull) {
      this.#forgotten++;
      this.#end(this.#oldest);
    }
    const place = this.#free.pop() ?? this.#places++;
    this.#channel[place] = channel;
    this.#number[place] = number;
    this.#contact[place] = contact;
    this.#at[place] = at;
    this.#byAge.append(place, 0);
    this.#byContact.append(place, remainderOf(contact));
    this.#byEvent.append(place, hashOf(channel, number));
  }

  /** A reply to an event sends a message to a person; undefined where that is no trip of theirs. */
  reply(
    { channel, number }: { readonly channel: number; readonly number: number },
    contact: number,
    at: number,
  ): RoundTrip | undefined {
    let place = this.#byEvent.first(hashOf(channel, number));
    while (place !== NONE && !(this.#channel[place] === channel && this.#number[place] === number)) {
      place = this.#byEvent.after(place);
    }
    return place !== NONE && this.#contact[place] === contact ? this.#match(place, at) : undefined;
  }

  /**
   * A message is sent to a person that is no reply; undefined where no text of theirs waits. A text whose instant is still
   * to come is not known to the receiver, so the message is not about it.
   */
  message(contact: number, at: number): RoundTrip | undefined {
    let place = this.#byContact.first(remainderOf(contact));
    while (place !== NONE && !(this.#contact[place] === contact && (this.#at[place] ?? at) <= at)) {
      place = this.#byContact.after(place);
    }
    return place === NONE ? undefined : this.#match(place, at);
  }

  /** Those that wait have waited since this instant: what was before is not the receiver's doing. */
  goOn(at: number): void {
    for (let place = this.#oldest; place !== NONE; place = this.#byAge.after(place)) this.#at[place] = at;
  }

  get #oldest(): number {
    return this.#byAge.first(0);
  }

  get #isFull(): boolean {
    return this.#free.length === 0 && this.#places === MAX_WAITING;
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
    this.#byAge.remove(place, 0);
    this.#byContact.remove(place, remainderOf(this.#contact[place] ?? 0));
    this.#byEvent.remove(place, hashOf(this.#channel[place] ?? 0, this.#number[place] ?? 0));
    this.#free.push(place);
  }
}

/** Places in chains, in the order in which they came, each of which can leave its chain. */
class Chains {
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #before = new Int32Array(MAX_WAITING);
  readonly #after = new Int32Array(MAX_WAITING);

  constructor(count: number) {
    this.#first = new Int32Array(count).fill(NONE);
    this.#last = new Int32Array(count).fill(NONE);
  }

  first(chain: number): number {
    return this.#first[chain] ?? NONE;
  }

  after(place: number): number {
    return this.#after[place] ?? NONE;
  }

  append(place: number, chain: number): void {
    const last = this.#last[chain] ?? NONE;
    this.#before[place] = last;
    this.#after[place] = NONE;
    this.#last[chain] = place;
    if (last === NONE) this.#first[chain] = place;
    else this.#after[last] = place;
  }

  remove(place: number, chain: number): void {
    const before = this.#before[place] ?? NONE;
    const after = this.#after[place] ?? NONE;
    if (before === NONE) this.#first[chain] = after;
    else this.#after[before] = after;
    if (after === NONE) this.#last[chain] = before;
    else this.#before[after] = before;
  }
}

/** Numbers of a channel follow one another, and so do channels: a multiplication scatters them. */
function hashOf(channel: number, number: number): number {
  return (Math.imul(channel, 0x9e3779b1) + number) & (MAX_WAITING - 1);
}

/** Rows follow one another. */
function remainderOf(contact: number): number {
  return contact & (MAX_WAITING - 1);
}
