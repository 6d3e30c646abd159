/** A text and how long it took to have its effect. */
export interface RoundTrip {
  readonly channel: number;
  /** Of the text's event. */
  readonly number: number;
  /** In the unit of the instants that were given. */
  readonly ms: number;
}

/** Somebody whose texts wait: where the oldest and the newest of them are. */
interface Person {
  readonly phone: string;
  first: number;
  last: number;
}

/** Texts that wait at once. */
const MAX_WAITING = 262_144;
/** A text that had no effect for so long will have none: an hour. */
const MAX_AGE_MS = 3_600_000;

const NONE = -1;

/**
 * Matches incoming texts with what the receiver does about them: a reply to a text ends that text's trip, any other
 * message to the person (by the API) ends the trip of their oldest text that waits. An effect ends one trip, so that a
 * receiver's next answer is not taken for the last one's.
 *
 * Instants are milliseconds of one clock that does not go back. The latest 262,144 texts wait, for an hour. One that makes
 * room for others is forgotten, which is counted.
 *
 * Most receivers answer no text at all, and then each event of a load test comes and goes here: so what waits is in columns
 * of numbers, 40 bytes each, and nothing is left to the garbage collector.
 */
export class RoundTrips {
  readonly #channel = new Uint32Array(MAX_WAITING);
  readonly #number = new Uint32Array(MAX_WAITING);
  readonly #at = new Float64Array(MAX_WAITING);
  readonly #person: Person[] = [];
  /** Where the texts are found by their event: chains of those with the same hash. */
  readonly #bucket = new Int32Array(MAX_WAITING).fill(NONE);
  readonly #nextInBucket = new Int32Array(MAX_WAITING);
  readonly #byAge = new Chain();
  readonly #ofPerson = new Chain();
  readonly #people = new Map<string, Person>();
  #oldest = NONE;
  #newest = NONE;
  /** Places that were taken and are free again. */
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
    readonly person: string;
    readonly channel: number;
    readonly number: number;
    readonly at: number;
  }): void {
    const { channel, number, at } = text;
    this.#texts++;
    while (this.#oldest !== NONE && at - (this.#at[this.#oldest] ?? at) > MAX_AGE_MS) this.#end(this.#oldest);
    if (this.#isFull) {
      this.#forgotten++;
      this.#end(this.#oldest);
    }
    const place = this.#free.pop() ?? this.#person.length;
    this.#channel[place] = channel;
    this.#number[place] = number;
    this.#at[place] = at;
    const person = this.#people.get(text.person) ?? this.#meet(text.person);
    this.#person[place] = person;
    const hash = hashOf(channel, number);
    this.#nextInBucket[place] = this.#bucket[hash] ?? NONE;
    this.#bucket[hash] = place;
    this.#byAge.append(place, this.#newest);
    if (this.#oldest === NONE) this.#oldest = place;
    this.#newest = place;
    this.#ofPerson.append(place, person.last);
    if (person.last === NONE) person.first = place;
    person.last = place;
  }

  #meet(phone: string): Person {
    const person: Person = { phone, first: NONE, last: NONE };
    this.#people.set(phone, person);
    return person;
  }

  /** A reply to an event sends a message to a person; undefined where that is no trip of theirs. */
  reply(
    event: { readonly channel: number; readonly number: number },
    person: string,
    at: number,
  ): RoundTrip | undefined {
    let place = this.#bucket[hashOf(event.channel, event.number)] ?? NONE;
    while (place !== NONE && !(this.#channel[place] === event.channel && this.#number[place] === event.number)) {
      place = this.#nextInBucket[place] ?? NONE;
    }
    return place !== NONE && this.#person[place]?.phone === person ? this.#match(place, at) : undefined;
  }

  /**
   * A message is sent to a person that is no reply; undefined where no text of theirs waits. A text whose instant is still
   * to come is not known to the receiver, so the message is not about it.
   */
  message(person: string, at: number): RoundTrip | undefined {
    let place = this.#people.get(person)?.first ?? NONE;
    while (place !== NONE && (this.#at[place] ?? at) > at) place = this.#ofPerson.after(place);
    return place === NONE ? undefined : this.#match(place, at);
  }

  /** Those that wait have waited since this instant: what was before is not the receiver's doing. */
  goOn(at: number): void {
    for (let place = this.#oldest; place !== NONE; place = this.#byAge.after(place)) this.#at[place] = at;
  }

  get #isFull(): boolean {
    return this.#free.length === 0 && this.#person.length === MAX_WAITING;
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
    const person = this.#person[place] as Person;
    const { before: older, after: newer } = this.#byAge.remove(place);
    if (older === NONE) this.#oldest = newer;
    if (newer === NONE) this.#newest = older;
    const { before, after } = this.#ofPerson.remove(place);
    if (before === NONE) person.first = after;
    if (after === NONE) person.last = before;
    if (person.first === NONE) this.#people.delete(person.phone);
    this.#leaveBucket(place);
    this.#free.push(place);
  }

  #leaveBucket(place: number): void {
    const hash = hashOf(this.#channel[place] ?? 0, this.#number[place] ?? 0);
    const next = this.#nextInBucket[place] ?? NONE;
    let at = this.#bucket[hash] ?? NONE;
    if (at === place) {
      this.#bucket[hash] = next;
      return;
    }
    while (this.#nextInBucket[at] !== place) at = this.#nextInBucket[at] ?? NONE;
    this.#nextInBucket[at] = next;
  }
}

/** Places in an order of their own, each of which can leave it. */
class Chain {
  readonly #before = new Int32Array(MAX_WAITING);
  readonly #after = new Int32Array(MAX_WAITING);

  append(place: number, last: number): void {
    this.#before[place] = last;
    this.#after[place] = NONE;
    if (last !== NONE) this.#after[last] = place;
  }

  after(place: number): number {
    return this.#after[place] ?? NONE;
  }

  /** @returns its neighbours */
  remove(place: number): { readonly before: number; readonly after: number } {
    const [before, after] = [this.#before[place] ?? NONE, this.#after[place] ?? NONE];
    if (before !== NONE) this.#after[before] = after;
    if (after !== NONE) this.#before[after] = before;
    return { before, after };
  }
}

/** Numbers of a channel follow one another, and so do channels: a multiplication scatters them. */
function hashOf(channel: number, number: number): number {
  return (Math.imul(channel, 0x9e3779b1) + number) & (MAX_WAITING - 1);
}
