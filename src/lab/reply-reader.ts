import { readReply, type ReplyReading } from "../wire/index.js";

/** Reads what answers ask for. Most receivers say the same again and again, and a sender gives that out as the same bytes. */
export class ReplyReader {
  readonly #replyToSender: boolean;
  #lastBody: Uint8Array | undefined;
  #lastReading: ReplyReading = { kind: "none" };

  /** @param options - as of the service's preset */
  constructor({ replyToSender }: { readonly replyToSender: boolean }) {
    this.#replyToSender = replyToSender;
  }

  read({ body, bodyBytes }: { readonly body: Uint8Array | null; readonly bodyBytes: number }): ReplyReading {
    if (body === null) return { kind: "none" };
    if (body !== this.#lastBody || bodyBytes !== body.length) {
      this.#lastReading = readReply(body, { replyToSender: this.#replyToSender, bodyBytes });
      this.#lastBody = bodyBytes === body.length ? body : undefined;
    }
    return this.#lastReading;
  }
}
