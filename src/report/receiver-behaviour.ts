import {
  Doubles,
  type EventName,
  type Outages,
  type PersonOrder,
  type Repeats,
  type ReplyOutcomes,
  type TroubleEffects,
} from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";

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

/** Finds doubles in a recording: messages that answer one event, or a copy of it, for the second time. */
export class DoubleFinder {
  /** Unbounded, because all copies are added before the first message, and none may be dropped. */
  readonly doubles: Doubles;
  readonly #copiedMessageIds = new Set<number>();
  /** By contact: id of the message that is the person's last text. */
  readonly #lastTexts = new Map<number, number>();

  /**
   * @param onDouble - called for each double with the event that was acted on twice, or the id of the message that is
   *   the person's last text
   */
  constructor(onDouble?: (about: EventName | number | undefined) => void) {
    this.doubles = new Doubles({
      copiesMax: Infinity,
      ...(onDouble && { onDouble: (event, contact) => onDouble(event ?? this.#lastTexts.get(contact)) }),
    });
  }

  /**
   * @param subject - id of the message that the copied event is about; null when the event is about a call, or about
   * neither
   */
  addCopy(event: EventName, original: number, subject: number | null): void {
    this.doubles.recordCopy(event, original);
    if (subject !== null) this.#copiedMessageIds.add(subject);
  }

  /** Reads the texts of people and the messages of the receiver. Call it after all copies were added. */
  addMessages(recording: RecordingReader): Doubles {
    for (const { id, direction, contact, origin, replyTo, text, createdAtMs: atMs } of recording.messages()) {
      if (direction === "I") {
        this.#lastTexts.set(contact, id);
        this.doubles.recordText(contact, { isCopy: this.#copiedMessageIds.has(id), atMs });
      } else if (replyTo !== null) {
        this.doubles.recordReply({ channel: replyTo.channel, number: replyTo.event }, { contact });
      } else if (origin === "api") this.doubles.recordMessage({ contact, text, atMs });
    }
    return this.doubles;
  }
}
