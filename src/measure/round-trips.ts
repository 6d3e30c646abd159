/** An incoming text that waits for what the receiver does about it. */
interface Waiting {
  readonly person: string;
  readonly channel: number;
  readonly number: number;
  readonly at: number;
  /** Among those of the same person, by age. */
  before: Waiting | undefined;
  after: Waiting | undefined;
  /** Among all, by age. */
  older: Waiting | undefined;
  newer: Waiting | undefined;
}

/** A text and how long it took to have its effect. */
export interface RoundTrip {
  readonly channel: number;
  /** Of the text's event. */
  readonly number: number;
  /** In the unit of the instants that were given. */
  readonly ms: number;
}

/** Texts that wait at once. */
const MAX_WAITING = 100_000;
/** A text that had no effect for so long will have none: an hour. */
const MAX_AGE_MS = 3_600_000;

/**
 * Matches incoming texts with what the receiver does about them: a reply to a text ends that text's trip, any other
 * message to the person (by the API) ends the trip of their oldest text that waits. An effect ends one trip, so that a
 * receiver's next answer is not taken for the last one's.
 *
 * Instants are milliseconds of one clock that does not go back. At most 100,000 texts wait, for an hour; what is forgotten
 * beyond that is counted. One takes some 200 bytes.
 */
export class RoundTrips {
  /** By event: channel × 2^32 + number. */
  readonly #byEvent = new Map<number, Waiting>();
  /** The oldest and the newest text of each person. */
  readonly #firstOf = new Map<string, Waiting>();
  readonly #lastOf = new Map<string, Waiting>();
  #oldest: Waiting | undefined;
  #newest: Waiting | undefined;
  #texts = 0;
  #matched = 0;

  /** Incoming texts so far. */
  get texts(): number {
    return this.#texts;
  }

  /** Those that had an effect. */
  get matched(): number {
    return this.#matched;
  }

  /** An event tells the receiver of a text from a person. */
  text(text: {
    readonly person: string;
    readonly channel: number;
    readonly number: number;
    readonly at: number;
  }): void {
    this.#texts++;
    const { person } = text;
    const before = this.#lastOf.get(person);
    const older = this.#newest;
    const { channel, number, at } = text;
    const waiting: Waiting = { person, channel, number, at, before, after: undefined, older, newer: undefined };
    if (older === undefined) this.#oldest = waiting;
    else older.newer = waiting;
    this.#newest = waiting;
    if (before === undefined) this.#firstOf.set(person, waiting);
    else before.after = waiting;
    this.#lastOf.set(person, waiting);
    this.#byEvent.set(keyOf(text), waiting);
    while (this.#oldest !== undefined && this.#isTooMuch(this.#oldest, text.at)) this.#end(this.#oldest);
  }

  /** A reply to an event sends a message to a person; undefined where that is no trip of theirs. */
  reply(
    event: { readonly channel: number; readonly number: number },
    person: string,
    at: number,
  ): RoundTrip | undefined {
    const waiting = this.#byEvent.get(keyOf(event));
    return waiting?.person === person ? this.#match(waiting, at) : undefined;
  }

  /** A message is sent to a person that is no reply; undefined where no text of theirs waits. */
  message(person: string, at: number): RoundTrip | undefined {
    const waiting = this.#firstOf.get(person);
    return waiting === undefined ? undefined : this.#match(waiting, at);
  }

  #match(waiting: Waiting, at: number): RoundTrip {
    this.#matched++;
    this.#end(waiting);
    return { channel: waiting.channel, number: waiting.number, ms: at - waiting.at };
  }

  #isTooMuch({ at }: Waiting, now: number): boolean {
    return this.#byEvent.size > MAX_WAITING || now - at > MAX_AGE_MS;
  }

  #end(waiting: Waiting): void {
    const { person, before, after, older, newer } = waiting;
    this.#byEvent.delete(keyOf(waiting));
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (before !== undefined) before.after = after;
    else if (after !== undefined) this.#firstOf.set(person, after);
    else this.#firstOf.delete(person);
    if (after !== undefined) after.before = before;
    else if (before !== undefined) this.#lastOf.set(person, before);
    else this.#lastOf.delete(person);
  }
}

function keyOf({ channel, number }: { readonly channel: number; readonly number: number }): number {
  return channel * 0x1_0000_0000 + number;
}
