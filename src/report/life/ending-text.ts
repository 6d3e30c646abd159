import type { RecordedAttempt } from "../../store/index.js";
import { plain } from "../terminal-text.js";

/** What the codes of attempts without a complete answer mean (docs/delivery.md#the-http-client). */
const meanings: Readonly<Record<string, string>> = {
  timeout: "the receiver did not answer in time",
  ETIMEDOUT: "the receiver did not answer in time",
  ECONNREFUSED: "the connection was refused",
  ENOTFOUND: "the receiver's name is unknown",
  EHOSTUNREACH: "there is no route to the receiver",
  ECONNRESET: "the receiver reset the connection",
  EPIPE: "the receiver closed the connection while the request was written",
  "no-answer": "the receiver closed the connection without an answer",
  "incomplete-answer": "the receiver closed the connection in the middle of its answer",
  "body-too-large": "the answer was too large",
};

/** Why an attempt has no complete answer, with its code: `the connection was refused (ECONNREFUSED)`. */
export function noAnswerText({ error, outcome }: Pick<RecordedAttempt, "error" | "outcome">): string {
  const code = error ?? outcome;
  const meaning = meanings[code] ?? (code.startsWith("HPE_") ? "the answer was not valid HTTP" : undefined);
  return meaning === undefined ? plain(code) : `${meaning} (${plain(code)})`;
}

/** How an attempt ended, after "it": `was answered 503`, `had no answer: the connection was refused (ECONNREFUSED)`. */
export function endingText(attempt: Pick<RecordedAttempt, "status" | "error" | "outcome">): string {
  return attempt.status === null ? `had no answer: ${noAnswerText(attempt)}` : `was answered ${attempt.status}`;
}
