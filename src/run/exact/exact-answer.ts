import type { HttpResult } from "../../http/index.js";
import { readReply } from "../../wire/index.js";

/** What came back for one exact request. */
export interface ExactAnswer {
  /** Counted from 1. */
  readonly request: number;
  /** Null: no whole answer came. */
  readonly status: number | null;
  /** Why no answer came: `timeout`, `closed`, `refused`, or the client's code. */
  readonly error: string | null;
  /** The body, at most 64 KiB. */
  readonly answer: string;
  /** Wall milliseconds. */
  readonly ms: number;
  /** The message that an accepted answer asks for. */
  readonly reply?: { readonly text: string; readonly to: readonly string[] };
}

const errorWords: Readonly<Record<string, string>> = {
  ETIMEDOUT: "timeout",
  ECONNREFUSED: "refused",
  ECONNRESET: "closed",
  EPIPE: "closed",
  "no-answer": "closed",
  "incomplete-answer": "closed",
};

/** The answer in a result of the HTTP client. @param phone - of the event: it gets a reply that names nobody */
export function exactAnswer(request: number, result: HttpResult, phone: string | undefined): ExactAnswer {
  const { status, error, durationMs, body } = result;
  const answer = body === null ? "" : new TextDecoder().decode(body);
  const isAccepted = status !== null && status >= 200 && status < 300;
  const reading = isAccepted
    ? readReply(answer, { replyToSender: true, bodyBytes: result.bodyBytes })
    : { kind: "none" as const };
  return {
    request,
    status,
    error: error === null ? null : (errorWords[error] ?? error),
    answer,
    ms: Math.round(durationMs * 10) / 10,
    ...(reading.kind === "reply" && { reply: { text: reading.reply.text, to: recipients(reading.reply, phone) } }),
  };
}

function recipients(
  { urns, contacts }: { readonly urns: readonly string[]; readonly contacts: readonly string[] },
  phone: string | undefined,
): readonly string[] {
  const named = [...urns.map((urn) => urn.replace(/^tel:/, "")), ...contacts];
  return named.length > 0 || phone === undefined ? named : [phone];
}
