import { AnsweredEvents } from "./answered-events.js";
import { type EventName, eventKey } from "./event-name.js";

/** A message from the receiver to a person. */
export interface SentText {
  /** Row of the contact. */
  readonly contact: number;
  readonly text: string;
  /** When it was created: virtual milliseconds. */
  readonly atMs: number;
}

/** Bounds of memory, in copies and people; the oldest entry is evicted first. */
const MOST_COPIES = 262_144;
const MOST_PEOPLE = 65_536;

/** Equal API messages this close together are doubles even without a repeated text between them. */
const TWICE_WITHIN_MS = 10_000;

/** API messages to a person since their latest text. */
interface TextsSent {
  readonly atMsByText: Map<string, number>;
  /** When their latest text was last sent to the receiver again; -Infinity: never. */
  repeatedAtMs: number;
}

/**
 * Counts doubles: second messages to a person about one event.
 *
 * A reply to an event is a double if a reply to an event of the same family (the original and its copies) has already
 * sent that person any message: a reply sends one text to each of its recipients. Replies to different events are never
 * doubles.
 *
 * A message by the REST API names no event. It is a double when the person was sent the same text since their latest
 * incoming text, in two cases: that incoming text was repeated after it, or less than ten seconds have passed.
 */
export class Doubles {
  /** First number of the family, by the name of each copy. */
  readonly #originals = new Map<number, number>();
  readonly #copiesMax: number;
  /** The contacts that a family's replies have sent a message to, by its original. Allocated with the first reply. */
  #answered: AnsweredEvents | undefined;
  /** By contact: 1 for those who have written. */
  #hasWritten = new Uint8Array(1024);
  readonly #textsSent = new Map<number, TextsSent>();
  readonly #onDouble: ((event: EventName | undefined, contact: number) => void) | undefined;
  #count = 0;

  /**
   * @param options - `copiesMax`: copies whose original is remembered, at most; `onDouble`: called for each double with
   *   the event whose reply it is (undefined: a message by the REST API) and the person's contact
   */
  constructor({
    copiesMax = MOST_COPIES,
    onDouble,
  }: {
    readonly copiesMax?: number;
    readonly onDouble?: (event: EventName | undefined, contact: number) => void;
  } = {}) {
    this.#copiesMax = copiesMax;
    this.#onDouble = onDouble;
  }

  get count(): number {
    return this.#count;
  }

  /** Records that an event is a copy of an earlier one of its channel. */
  recordCopy(event: EventName, original: number): void {
    if (this.#originals.size >= this.#copiesMax) this.#originals.delete(first(this.#originals));
    this.#originals.set(eventKey(event), original);
  }

  /** The original of a copy; an event that is no copy itself. */
  originalOf(event: EventName): EventName {
    const original = this.#originals.size === 0 ? undefined : this.#originals.get(eventKey(event));
    return original === undefined ? event : { channel: event.channel, number: original };
  }

  /**
   * Records that a person's text is sent to the receiver. @param isCopy - the receiver was sent the same text before
   */
  recordText(contact: number, { isCopy, atMs }: { readonly isCopy: boolean; readonly atMs: number }): void {
    if (isCopy) return this.recordRepeat(contact, atMs);
    if (contact >= this.#hasWritten.length) {
      const longer = new Uint8Array(2 * contact);
      longer.set(this.#hasWritten);
      this.#hasWritten = longer;
    }
    this.#hasWritten[contact] = 1;
    if (this.#textsSent.size > 0) this.#textsSent.delete(contact);
  }

  /** Records that a person's latest text is sent to the receiver again. */
  recordRepeat(contact: number, atMs: number): void {
    const told = this.#textsSent.get(contact);
    if (told !== undefined) told.repeatedAtMs = atMs;
  }

  /** Records a message that the reply to an event sends. */
  recordReply(name: EventName, { contact }: Pick<SentText, "contact">): void {
    const answered = (this.#answered ??= new AnsweredEvents());
    const original = this.originalOf(name);
    if (!answered.contactsOf(original).has(contact)) return answered.add(original, contact);
    this.#count++;
    this.#onDouble?.(name, contact);
  }

  /** Records a message that a request of the REST API sends. */
  recordMessage({ contact, text, atMs }: SentText): void {
    if (this.#hasWritten[contact] !== 1) return;
    let told = this.#textsSent.get(contact);
    if (told === undefined) {
      if (this.#textsSent.size >= MOST_PEOPLE) this.#textsSent.delete(first(this.#textsSent));
      this.#textsSent.set(contact, (told = { atMsByText: new Map(), repeatedAtMs: -Infinity }));
    }
    const beforeMs = told.atMsByText.get(text);
    if (beforeMs !== undefined && (told.repeatedAtMs >= beforeMs || atMs - beforeMs < TWICE_WITHIN_MS)) {
      this.#count++;
      this.#onDouble?.(undefined, contact);
    }
    told.atMsByText.set(text, atMs);
  }
}

/** The oldest key of a map. */
function first(map: ReadonlyMap<number, unknown>): number {
  for (const key of map.keys()) return key;
  return -1;
}
