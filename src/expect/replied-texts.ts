import { type EventName, eventKey } from "../measure/index.js";
import { parseForm } from "../wire/index.js";

/** A text that is queued for a phone to send: `replyTo` is the event to which the receiver replied by it. */
export interface QueuedReply {
  readonly id: number;
  readonly replyTo: { readonly channel: number; readonly event: number } | null;
}

/**
 * Which text of a person each reply answers, by the id of its message. Kept only where an expectation has `answers`: it
 * holds the words of each mo_sms.
 */
export class RepliedTexts {
  readonly #texts = new Map<number, string>();
  readonly #repliedTo = new Map<number, string>();

  recordEvent({ channel, number, type, body }: EventName & { readonly type: string; readonly body: string }): void {
    if (type !== "mo_sms") return;
    const [, text = ""] = parseForm(body).find(([name]) => name === "text") ?? [];
    this.#texts.set(eventKey({ channel, number }), text);
  }

  recordQueued({ id, replyTo }: QueuedReply): void {
    if (replyTo === null) return;
    const text = this.#texts.get(eventKey({ channel: replyTo.channel, number: replyTo.event }));
    if (text !== undefined) this.#repliedTo.set(id, text);
  }

  /** The text to which a message is the reply; undefined: it is none, or of an event that is no text. */
  textOf(message: number): string | undefined {
    return this.#repliedTo.get(message);
  }
}
