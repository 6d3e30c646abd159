import type { OnProgress } from "../../../base/index.js";
import type { OtherFigures, RecordingReader } from "../../../store/index.js";
import { eventKey } from "../../../measure/index.js";
import { formField, parseTimestamp } from "../../../wire/index.js";
import { Dictionary } from "./dictionary.js";
import { bareForm } from "./recorded-phones.js";

/** Events between two reports of progress. */
const PROGRESS_EVENTS = 1000;

/** An event that was sent without a recording. */
export interface SentEvent {
  readonly type: string;
  readonly body: string;
  /** Number of the message or call; null: it has neither. */
  readonly subject: number | null;
  /** The place, from 0, of the event of which this is a copy; null: it is no copy. */
  readonly copyOf: number | null;
  /** When its requests were sent, milliseconds since 1970; its virtual time is that of the first. */
  readonly sentMs: readonly number[];
  readonly isAccepted: boolean;
}

/**
 * The events of a recording, with the properties that matching needs. An event is identified by its index from 0, in
 * the order (virtual time, channel, number).
 *
 * Each property is an array of its own: a million objects would take twice the memory, and a third of the time would
 * be garbage collection.
 */
export class SentEvents {
  readonly phones: Dictionary = new Dictionary();
  readonly texts: Dictionary = new Dictionary();
  readonly #typeNames = new Dictionary();
  readonly #channels: Int32Array;
  readonly #numbers: Int32Array;
  readonly #originals: Int32Array;
  readonly #subjects: Float64Array;
  readonly #types: Int32Array;
  readonly #phones: Int32Array;
  readonly #texts: Int32Array;
  readonly #virtualMs: Float64Array;
  readonly #ownMs: Float64Array;
  readonly #firstSentMs: Float64Array;
  readonly #lastSentMs: Float64Array;
  readonly #accepted: Uint8Array;
  readonly #posts: Int32Array;
  readonly #postsByHand = new Map<number, number>();
  /** Events by channel and number, which both count from 1. */
  readonly #byChannel: number[][] = [];
  #count = 0;

  private constructor(capacity: number) {
    this.#channels = new Int32Array(capacity);
    this.#numbers = new Int32Array(capacity);
    this.#originals = new Int32Array(capacity);
    this.#subjects = new Float64Array(capacity);
    this.#types = new Int32Array(capacity);
    this.#phones = new Int32Array(capacity);
    this.#texts = new Int32Array(capacity);
    this.#virtualMs = new Float64Array(capacity);
    this.#ownMs = new Float64Array(capacity);
    this.#firstSentMs = new Float64Array(capacity).fill(NaN);
    this.#lastSentMs = new Float64Array(capacity).fill(NaN);
    this.#accepted = new Uint8Array(capacity);
    this.#posts = new Int32Array(capacity);
  }

  /** Reads a recording, which a run may still write: events that are added during the reading are left out. */
  static read(recording: RecordingReader, onProgress?: OnProgress): SentEvents {
    const total = recording.lastRowOf("event");
    const events = new SentEvents(total);
    events.#readEvents(recording, { total, onProgress });
    events.#readAttempts(recording, onProgress);
    return events;
  }

  /** Events that were sent without a recording; their keys are `1/1`, `1/2`… in their order. */
  static of(sent: readonly SentEvent[]): SentEvents {
    const events = new SentEvents(sent.length);
    for (const [place, { type, body, subject, copyOf, sentMs, isAccepted }] of sent.entries()) {
      const original = copyOf === null ? place : copyOf;
      const atMs = sentMs[0] ?? NaN;
      const event = events.#add({ channel: 1, number: place + 1, type, body, subject, original, atMs });
      events.#accepted[event] = isAccepted ? 1 : 0;
      events.#posts[event] = sentMs.length;
      for (const ms of sentMs) events.#addSentMs(event, ms);
    }
    return events;
  }

  get count(): number {
    return this.#count;
  }

  /** The types that the recording has. */
  get types(): readonly string[] {
    return this.#typeNames.words;
  }

  /** The event's id as in the header `X-Handset-Event`: `3/17`. */
  key(event: number): string {
    return `${this.#channels[event]}/${this.#numbers[event]}`;
  }

  /** Its `eventKey`. */
  nameKey(event: number): number {
    return eventKey({ channel: this.#channels[event] ?? 0, number: this.#numbers[event] ?? 0 });
  }

  /** The event with an id such as `3/17`. */
  withKey(key: string): number | undefined {
    const slash = key.indexOf("/");
    return slash === -1 ? undefined : this.#at(Number(key.slice(0, slash)), Number(key.slice(slash + 1)));
  }

  type(event: number): string {
    return this.#typeNames.word(this.#types[event]) ?? "";
  }

  /** The number of its type among `types`. */
  typeIndex(event: number): number {
    return this.#types[event] ?? -1;
  }

  phone(event: number): string | undefined {
    return this.phones.word(this.#phones[event]);
  }

  /** The number of its phone in `phones`; -1 when it has none. */
  phoneIndex(event: number): number {
    return this.#phones[event] ?? -1;
  }

  text(event: number): string | undefined {
    return this.texts.word(this.#texts[event]);
  }

  /** The number of its text in `texts`; -1 when it has none. */
  textIndex(event: number): number {
    return this.#texts[event] ?? -1;
  }

  /** Number of the message or call; NaN when the event has neither. */
  subject(event: number): number {
    return this.#subjects[event] ?? NaN;
  }

  /** The original of a copy; the event itself if it is no copy. */
  original(event: number): number {
    return this.#originals[event] ?? event;
  }

  /** Virtual time, milliseconds since 1970. */
  virtualMs(event: number): number {
    return this.#virtualMs[event] ?? NaN;
  }

  /** The event's own time, milliseconds since 1970; NaN when it has none. */
  ownMs(event: number): number {
    return this.#ownMs[event] ?? NaN;
  }

  /** When its first request was sent by the wall clock, milliseconds since 1970; NaN: never. */
  firstSentMs(event: number): number {
    return this.#firstSentMs[event] ?? NaN;
  }

  /** When its last request was sent by the wall clock, milliseconds since 1970; NaN: never. */
  lastSentMs(event: number): number {
    return this.#lastSentMs[event] ?? NaN;
  }

  isAccepted(event: number): boolean {
    return this.#accepted[event] === 1;
  }

  /** Whether any request of the event was written to the receiver. */
  isSent(event: number): boolean {
    return this.posts(event) > 0;
  }

  /** Number of requests that the receiver may have processed. */
  posts(event: number): number {
    return this.#posts[event] ?? 0;
  }

  /** Number of its requests that somebody sent again by hand. */
  postsByHand(event: number): number {
    return this.#postsByHand.get(event) ?? 0;
  }

  /** The events of some types, in their order. */
  ofTypes(types: ReadonlySet<string>): number[] {
    const isWanted = this.types.map((type) => types.has(type));
    const events: number[] = [];
    for (let event = 0; event < this.count; event++) if (isWanted[this.typeIndex(event)] === true) events.push(event);
    return events;
  }

  #at(channel: number, number: number): number | undefined {
    return this.#byChannel[channel]?.[number];
  }

  #readEvents(
    recording: RecordingReader,
    { total, onProgress }: { readonly total: number; readonly onProgress: OnProgress | undefined },
  ): void {
    const { startsAtMs } = recording.meta();
    for (const { row, channel, number, atMs, type, body, subject, copy } of recording.eventRows()) {
      if (row > total) continue;
      const original = copy === null ? undefined : this.#at(channel, copy.of);
      this.#add({ channel, number, type, body, subject, original, atMs: startsAtMs + atMs });
      if (this.#count % PROGRESS_EVENTS === 0) onProgress?.({ operation: "reading events", done: this.#count, total });
    }
  }

  /** @param added - `original`: of a copy; `atMs`: its virtual time, since 1970. @returns the event */
  #add({
    channel,
    number,
    type,
    body,
    subject,
    original,
    atMs,
  }: {
    readonly channel: number;
    readonly number: number;
    readonly type: string;
    readonly body: string;
    readonly subject: number | null;
    readonly original: number | undefined;
    readonly atMs: number;
  }): number {
    const phone = formField(body, "phone");
    const time = formField(body, "time") ?? formField(body, "occurred_on");
    const event = this.#count++;
    this.#channels[event] = channel;
    this.#numbers[event] = number;
    this.#originals[event] = original ?? event;
    this.#subjects[event] = subject ?? NaN;
    this.#types[event] = this.#typeNames.add(type);
    this.#phones[event] = this.phones.add(phone === undefined ? undefined : bareForm(phone));
    this.#texts[event] = this.texts.add(formField(body, "text"));
    this.#virtualMs[event] = atMs;
    this.#ownMs[event] = (time === undefined ? undefined : parseTimestamp(time)) ?? NaN;
    (this.#byChannel[channel] ??= [])[number] = event;
    return event;
  }

  #readAttempts(recording: RecordingReader, onProgress: OnProgress | undefined): void {
    const { startedWallMs } = recording.meta();
    const byHand = recording.triesByHand();
    const total = recording.lastRowOf("attempt");
    for (const page of recording.attemptFigures()) {
      onProgress?.({ operation: "reading attempts", done: page[0]?.[0] ?? 0, total });
      for (const [, channel, number, , sentWallMs, , , , rest] of page) {
        const event = this.#at(channel, number);
        if (event === undefined) continue;
        const [outcome, status, , tryNumber] =
          rest === null ? (["accepted", 200, null, 1] as const) : (JSON.parse(rest) as OtherFigures);
        if (outcome === "accepted") this.#accepted[event] = 1;
        if (status === null && sentWallMs === null) continue;
        this.#posts[event] = this.posts(event) + 1;
        if (byHand.size > 0 && byHand.has(`${this.key(event)} ${tryNumber}`)) {
          this.#postsByHand.set(event, this.postsByHand(event) + 1);
        }
        if (sentWallMs !== null) this.#addSentMs(event, startedWallMs + sentWallMs);
      }
    }
  }

  #addSentMs(event: number, sentMs: number): void {
    if (!(this.firstSentMs(event) <= sentMs)) this.#firstSentMs[event] = sentMs;
    if (!(this.lastSentMs(event) >= sentMs)) this.#lastSentMs[event] = sentMs;
  }
}
