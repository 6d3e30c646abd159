import { Doubles, type PersonOrder, type Repeats } from "../measure/index.js";
import type { RecordingReader } from "../store/index.js";

/** What a receiver does beside answering: whom it tells twice, what it takes out of order, what it may have met twice. */
export interface ReceiverBehaviour {
  readonly doubles: Pick<Doubles, "count">;
  readonly order: Pick<PersonOrder, "retried" | "raced">;
  readonly repeats: Pick<Repeats, "resent" | "resumed">;
}

/** Events that are copies, as they are read. */
export class DoubleFinder {
  readonly doubles: Doubles = new Doubles();
  readonly #copiedMessageIds = new Set<number>();

  /** @param subject - id of the message that the event is about */
  addCopy(
    event: { readonly channel: number; readonly number: number },
    original: number,
    subject: number | null,
  ): void {
    this.doubles.copied(event, original);
    if (subject !== null) this.#copiedMessageIds.add(subject);
  }

  /** Reads the messages of a recording: those of people, and those of the receiver to them. */
  addMessages(recording: RecordingReader): Doubles {
    for (const { id, direction, contact, origin, replyTo, text, createdAtMs: atMs } of recording.messages()) {
      if (direction === "I") this.doubles.text(contact, { isCopy: this.#copiedMessageIds.has(id), atMs });
      else if (replyTo !== null) {
        this.doubles.reply({ channel: replyTo.channel, number: replyTo.event }, { contact, text, atMs });
      } else if (origin === "api") this.doubles.message({ contact, text, atMs });
    }
    return this.doubles;
  }
}
