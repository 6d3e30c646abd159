import { createHash, type Hash } from "node:crypto";
import type { EventRow } from "../../gateway/index.js";

/** Between the time and the body, and after the body: U+001F and U+001E. */
const UNIT = "\u001f";
const RECORD = "\u001e";
/** Characters that one call hashes: a call for each event would cost more than the hashing. */
const PIECE_CHARACTERS = 1 << 16;

/** The parts of an event that enter the digest. */
export type DigestedEvent = Pick<EventRow, "atMs" | "channel" | "number" | "body">;

/**
 * SHA-256 over a run's events in the order (virtual time, channel, number), each as time, U+001F, body, U+001E in
 * UTF-8, the time in decimal milliseconds. The order in which events of one instant are added makes no difference.
 *
 * Add events in the order of time; within one instant in any order.
 */
export class Digest {
  readonly #hash: Hash = createHash("sha256");
  /** Reused array: its first `#count` entries are the events of the current instant, the others are stale. */
  readonly #instant: DigestedEvent[] = [];
  #count = 0;
  #last: DigestedEvent | undefined;
  #isInOrder = true;
  #atMs = -Infinity;
  #text = "";
  /** The separator before the next event, concatenated together with its time. */
  #before = "";
  #hex: string | undefined;

  /** @throws RangeError when the event is older than the one before it, or the digest is complete */
  add(event: DigestedEvent): void {
    if (this.#hex !== undefined) throw new RangeError("the digest is complete: add events before hex()");
    if (event.atMs !== this.#atMs) {
      if (!(event.atMs > this.#atMs)) throw new RangeError(`event at ${event.atMs} after one at ${this.#atMs}`);
      this.#closeInstant();
      this.#atMs = event.atMs;
    } else if (this.#last !== undefined && compare(event, this.#last) < 0) this.#isInOrder = false;
    this.#last = event;
    this.#instant[this.#count++] = event;
  }

  /** The digest of all events, as 64 lower-case hexadecimal digits. Completes it: no event can be added afterwards. */
  hex(): string {
    if (this.#hex === undefined) {
      this.#closeInstant();
      this.#hex = this.#hash.update(this.#text + this.#before).digest("hex");
    }
    return this.#hex;
  }

  #closeInstant(): void {
    const events = this.#instant;
    if (!this.#isInOrder) this.#sortInstant();
    const time = `${this.#atMs}${UNIT}`;
    for (let index = 0; index < this.#count; index++) {
      const { body } = events[index] as DigestedEvent;
      this.#text += this.#before + time + body;
      this.#before = RECORD;
    }
    this.#count = 0;
    this.#last = undefined;
    if (this.#text.length < PIECE_CHARACTERS) return;
    this.#hash.update(this.#text);
    this.#text = "";
  }

  #sortInstant(): void {
    const events = this.#instant;
    events.length = this.#count;
    // Mostly there are two: reversing them is cheaper than sorting.
    if (events.length === 2) events.reverse();
    else events.sort(compare);
    this.#isInOrder = true;
  }
}

/** The order within an instant. */
function compare(a: DigestedEvent, b: DigestedEvent): number {
  return a.channel - b.channel || a.number - b.number;
}

/** The digest of recorded events, which are read in order. */
export function digestOfRecording(recording: { eventRows(): Iterable<DigestedEvent> }): string {
  const digest = new Digest();
  for (const event of recording.eventRows()) digest.add(event);
  return digest.hex();
}
