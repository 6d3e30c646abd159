import { isAway, namesOfEvent, patternMatcher } from "../expect/index.js";
import type { ExpectationResult } from "../measure/index.js";
import type { ExactExpectation, ExactRequest } from "../scenario/index.js";
import { statusIn } from "../wire/index.js";
import { errorText, type ExactAnswer } from "./exact-answer.js";

/** Characters of an answer that a verdict shows. */
const SHOWN = 200;

/** Holds one expectation against the answer of its request; undefined: the request was not sent. */
export function judgeAnswer(expectation: ExactExpectation, answer: ExactAnswer | undefined): ExpectationResult {
  const { text } = expectation;
  if (answer === undefined) return { text, held: false, seen: `request ${expectation.request} was not sent` };
  const faults = faultsOf(expectation, answer);
  const seen = `request ${answer.request}: ${answerText(answer)}`;
  return { text, held: faults.length === 0, seen: faults.length === 0 ? seen : `${seen}; ${faults.join("; ")}` };
}

function faultsOf(expected: ExactExpectation, { status, tookMs, reply, error, body }: ExactAnswer): string[] {
  const faults: string[] = [];
  if (expected.status !== undefined && (status === null || !statusIn(expected.status, status)))
    faults.push("wrong status");
  if (expected.answersWithinMs !== undefined && (error !== null || tookMs > expected.answersWithinMs))
    faults.push("too late");
  if (expected.replies === true && reply === undefined) faults.push("it asks for no message");
  if (expected.replies === false && reply !== undefined) faults.push("it asks for a message");
  if (expected.reply !== undefined && !(reply && patternMatcher(expected.reply, "contained")(reply.text))) {
    faults.push("the reply does not match");
  }
  // An answer that is no reply is held against the pattern as a whole, as `--while "reply /…/"` does.
  if (expected.notReply !== undefined && patternMatcher(expected.notReply, "contained")(reply?.text ?? body)) {
    faults.push("the reply matches");
  }
  return faults;
}

/** An answer on one line: `500 TypeError: …`, `no answer: timeout after 5 s`. */
export function answerText({ status, error, body: answer, tookMs }: ExactAnswer): string {
  if (status === null) {
    const after = isAway(error) ? "" : ` after ${Math.round(tookMs)} ms`;
    return `no answer: ${errorText(error)}${after}`;
  }
  const body = answer.replaceAll(/\s+/g, " ").trim();
  return body === ""
    ? String(status)
    : `${status} ${body.length > SHOWN ? `${body.slice(0, SHOWN).replace(/\p{Surrogate}$/u, "")}…` : body}`;
}

/** Two answers that tell one person twice about one event. */
export interface HeardTwice {
  readonly person: string;
  readonly first: ExactAnswer;
  readonly second: ExactAnswer;
}

/** The people who are answered twice about one event, each with the two answers. */
export function heardTwice(requests: readonly ExactRequest[], answers: readonly ExactAnswer[]): HeardTwice[] {
  const told = new Map<string, ExactAnswer>();
  const twice: HeardTwice[] = [];
  for (const answer of answers) {
    const request = requests[answer.request - 1];
    if (request === undefined || answer.reply === undefined) continue;
    for (const person of answer.reply.to) {
      const keys = namesOfEvent(request.type, request.body).map((name) => JSON.stringify([name, person]));
      const first = keys.map((key) => told.get(key)).find((one) => one !== undefined);
      if (first !== undefined) twice.push({ person, first, second: answer });
      else for (const key of keys) told.set(key, answer);
    }
  }
  return twice;
}

/** The verdict on `never-twice`. */
export function judgeNeverTwice(twice: readonly HeardTwice[]): ExpectationResult {
  const [one] = twice;
  if (one === undefined) return { text: "never-twice", held: true, seen: "nobody was answered twice about one event" };
  const { person, first, second } = one;
  return {
    text: "never-twice",
    held: false,
    seen: `${person} got “${first.reply?.text ?? ""}” for request ${first.request}, and “${second.reply?.text ?? ""}” for request ${second.request}, the same event`,
  };
}
