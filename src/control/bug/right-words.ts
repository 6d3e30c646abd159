import type { BugFile } from "../../console/index.js";
import { readableDuration } from "../../report/index.js";
import type { CheckSpec, ExactExpectation, ExactInput, Pattern, Scenario } from "../../scenario/index.js";
import type { StatusSet } from "../../wire/index.js";

type Right = BugFile["right"][number];

/** What a bug file of exact requests calls right, in the order in which a play judges it. */
export function rightOf({ expect, neverTwice, logs, checks }: ExactInput): Right[] {
  return [
    ...expect.map((one) => ({ text: one.text, words: wordsOf(one), request: one.request })),
    ...(neverTwice ? [{ text: "never-twice", words: "nobody is answered twice about one event", request: null }] : []),
    ...logs.map(({ text, file }) => ({ text, words: `${file} has each accepted event once`, request: null })),
    ...checks.map((check) => ({ text: check.text, words: checkWords(check), request: null })),
  ];
}

/** What a scenario calls right; the language of its bounds has no other words. */
export function rightOfScenario({ expect, checks = [] }: Scenario): Right[] {
  return [
    ...expect.map(({ text }) => ({ text, words: text, request: null })),
    ...checks.map(({ check }) => ({ text: check.text, words: checkWords(check), request: null })),
  ];
}

/** An expectation as clauses on one answer: `a status of 200 to 299, and a reply`. */
function wordsOf({ status, answersWithinMs, replies, reply, notReply }: ExactExpectation): string {
  const clauses = [
    status !== undefined && `a status of ${statusWords(status)}`,
    answersWithinMs !== undefined && `a whole answer within ${readableDuration(answersWithinMs)}`,
    replies === true && "a reply",
    replies === false && "no reply",
    reply !== undefined && `a reply that ${patternWords(reply)}`,
    // An answer that asks for no message is held against it as a whole.
    notReply !== undefined && `no answer that ${patternWords(notReply)}`,
  ];
  return clauses.filter((clause) => clause !== false).join(", and ");
}

function statusWords({ listed, from, below }: StatusSet): string {
  return [...listed.map(String), ...(below > from ? [`${from} to ${below - 1}`] : [])].join(" or ");
}

function patternWords(pattern: Pattern): string {
  return pattern.kind === "contains" ? `contains “${pattern.text}”` : `matches /${pattern.source}/${pattern.flags}`;
}

function checkWords({ ask, status, json, text }: CheckSpec): string {
  if (ask.kind === "command") return `the command \`${ask.command}\` ends with exit code 0`;
  return json === undefined
    ? `${ask.method} ${ask.url} is answered with a status of ${status === undefined ? "200 to 299" : statusWords(status)}`
    : text.replace(/^check /, "");
}
