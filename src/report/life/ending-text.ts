import type { RecordedAttempt } from "../../store/index.js";
import { troubleOfCode } from "../../measure/index.js";
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

/** What trouble on the way did to the attempt. */
const troubles: Readonly<Record<string, string>> = {
  "answers-lost": "the receiver got the request, and trouble on the way lost its answer",
  "requests-lost": "trouble on the way lost the request",
  refused: "trouble on the way refused the connection",
  cut: "trouble on the way cut the connection",
};

/** Why an attempt has no complete answer, with its code: `the connection was refused (ECONNREFUSED)`. */
export function noAnswerText({ error, outcome }: Pick<RecordedAttempt, "error" | "outcome">): string {
  const code = error ?? outcome;
  const trouble = troubleOfCode(error);
  if (trouble !== undefined) return troubles[trouble] ?? `trouble on the way: ${trouble}`;
  const meaning = meanings[code] ?? (code.startsWith("HPE_") ? "the answer was not valid HTTP" : undefined);
  return meaning === undefined ? plain(code) : `${meaning} (${plain(code)})`;
}

/** How an attempt ended, after "it": `was answered 503`, `had no answer: the connection was refused (ECONNREFUSED)`. */
export function endingText(attempt: Pick<RecordedAttempt, "status" | "error" | "outcome">): string {
  return attempt.status === null ? `had no answer: ${noAnswerText(attempt)}` : `was answered ${attempt.status}`;
}
