import { readReply, type ReplyReading } from "../../wire/index.js";

/** Reads replies. It caches the last reading, because successive equal short answers can share one byte array. */
export class ReplyReader {
  readonly #replyToSender: boolean;
  #lastBody: Uint8Array | undefined;
  #lastReading: ReplyReading = { kind: "none" };

  /** @param options - see `ServicePreset` */
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
