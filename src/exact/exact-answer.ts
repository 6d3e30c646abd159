import type { ExactRequest } from "../scenario/index.js";
import { formField, readReply } from "../wire/index.js";
import type { PlayedAnswer } from "./play-requests.js";

/** What came back for one exact request. */
export interface ExactAnswer extends PlayedAnswer {
  /** Counted from 1. */
  readonly request: number;
  /** The message that an accepted answer asks for. */
  readonly reply?: { readonly text: string; readonly to: readonly string[] };
}

/** An answer with the reply in it. @param number - of the request, from 1 */
export function exactAnswer(request: ExactRequest, number: number, answer: PlayedAnswer): ExactAnswer {
  const { status, body } = answer;
  const isAccepted = status !== null && status >= 200 && status < 300;
  const reading = isAccepted ? readReply(body, { replyToSender: true }) : undefined;
  if (reading?.kind !== "reply") return { request: number, ...answer };
  const { urns, contacts, text } = reading.reply;
  const named = [...urns.map((urn) => urn.replace(/^tel:/, "")), ...contacts];
  const phone = formField(request.body, "phone");
  return { request: number, ...answer, reply: { text, to: named.length > 0 || phone === undefined ? named : [phone] } };
}

const words: Readonly<Record<string, string>> = {
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed",
  EPIPE: "connection closed",
  "no-answer": "connection closed",
  "incomplete-answer": "connection closed in the middle",
};

/** Why no answer came, in words. */
export function errorText(error: string | null): string {
  return error === null ? "unknown" : (words[error] ?? error);
}
