import {
  Doubles,
  eventKey,
  type EventName,
  type Outages,
  type PersonOrder,
  type Repeats,
  type ReplyOutcomes,
  type TroubleEffects,
} from "../measure/index.js";
import type { RecordedMessage, RecordingReader } from "../store/index.js";

/**
 * What a receiver does in addition to answering: repeated messages, ignored replies, events out of order, requests it may
 * get twice, times without any answer.
 */
export interface ReceiverBehaviour {
  readonly doubles: Pick<Doubles, "count">;
  readonly order: Pick<PersonOrder, "count" | "retried" | "raced" | "troubled">;
  readonly repeats: Pick<Repeats, "resent" | "resentByTrouble" | "resumed">;
  readonly replies: Pick<ReplyOutcomes, "valid" | "ignored">;
  readonly outages: Pick<Outages, "list" | "answers" | "breakingEvents">;
  /** What trouble on the way to it did, which is not its own doing. */
  readonly troubles: Pick<TroubleEffects, "copies" | "lost">;
}

/** An attempt of an event, for `DoubleFinder`. */
type RetriedAttempt = EventName & { readonly try: number; readonly dueAtMs: number };

/** Finds doubles in a recording: messages that answer one event, or a copy of it, for the second time. */
export class DoubleFinder {
  /** Unbounded, because all copies are added before the first message, and none may be dropped. */
  readonly doubles: Doubles;
  readonly #copiedMessageIds = new Set<number>();
  /** By contact: id of the message that is the person's last text. */
  readonly #lastTexts = new Map<number, number>();
  /** Attempts beyond the first of an event. */
  readonly #retries: { readonly event: number; readonly atMs: number }[] = [];
  /** The message that is being read. */
  #message: RecordedMessage | undefined;

  /**
   * @param onDouble - called for each double with the event that was acted on twice, or the id of the message that is
   *   the person's last text, and with the second message
   */
  constructor(onDouble?: (about: EventName | number | undefined, second: RecordedMessage) => void) {
    this.doubles = new Doubles({
      copiesMax: Infinity,
      ...(onDouble && {
        onDouble: (event, contact) => {
          if (this.#message !== undefined) onDouble(event ?? this.#lastTexts.get(contact), this.#message);
        },
      }),
    });
  }

  /** An attempt of an event; its first one is no repetition. */
  addAttempt({ channel, number, try: tryNumber, dueAtMs }: RetriedAttempt): void {
    if (tryNumber > 1) this.#retries.push({ event: eventKey({ channel, number }), atMs: dueAtMs });
  }

  /**
   * @param subject - id of the message that the copied event is about; null when the event is about a call, or about
   * neither
   */
  addCopy(event: EventName, original: number, subject: number | null): void {
    this.doubles.recordCopy(event, original);
    if (subject !== null) this.#copiedMessageIds.add(subject);
  }

  /** Reads the texts of people and the messages of the receiver. Call it after all copies and attempts were added. */
  addMessages(recording: RecordingReader): Doubles {
    const repeats = this.#repeatedTexts(recording);
    const contacts = new Map<number, number>();
    let next = 0;
    for (const message of recording.messages()) {
      const { id, direction, contact, origin, replyTo, text, createdAtMs: atMs } = message;
      for (let repeat = repeats[next]; repeat !== undefined && repeat.atMs <= atMs; repeat = repeats[++next]) {
        const writer = contacts.get(repeat.text);
        if (writer !== undefined) this.doubles.recordRepeat(writer, repeat.atMs);
      }
      this.#message = message;
      if (direction === "I") {
        if (repeats.length > 0) contacts.set(id, contact);
        this.#lastTexts.set(contact, id);
        this.doubles.recordText(contact, { isCopy: this.#copiedMessageIds.has(id), atMs });
      } else if (replyTo !== null) {
        this.doubles.recordReply({ channel: replyTo.channel, number: replyTo.event }, { contact });
      } else if (origin === "api") this.doubles.recordMessage({ contact, text, atMs });
    }
    return this.doubles;
  }

  /** The texts of which an attempt was repeated, by the ids of their messages, in order of time. */
  #repeatedTexts(recording: RecordingReader): { readonly text: number; readonly atMs: number }[] {
    if (this.#retries.length === 0) return [];
    const texts = new Map<number, number>();
    const events = new Set(this.#retries.map(({ event }) => event));
    for (const event of recording.eventRows({ types: ["mo_sms"], events }))
      if (event.subject !== null) texts.set(eventKey(event), event.subject);
    return this.#retries
      .flatMap(({ event, atMs }) => {
        const text = texts.get(event);
        return text === undefined ? [] : [{ text, atMs }];
      })
      .toSorted((a, b) => a.atMs - b.atMs);
  }
}
