import { version } from "../../base/index.js";
import { relationsOf, rightBehaviour, seenFailure, shownAnswer } from "../../exact/index.js";
import type { FailureCondition } from "../../expect/index.js";
import { countOf } from "../../report/index.js";
import { writeExact } from "../../scenario/index.js";
import { onOneLine } from "../../wire/index.js";
import type { AnsweredRequest } from "./chain-requests.js";

/** Requests up to which the story says how they belong together. */
const RELATIONS_MAX = 50;

/** Writes the bug file of a chain's requests. @param failing - the place of the request that shows it, from 0 */
export function writeChainBug(
  answered: readonly AnsweredRequest[],
  bug: {
    readonly condition: FailureCondition;
    readonly failing: number | undefined;
    readonly timeoutMs: number;
    /** When it was seen, as a timestamp. */
    readonly at: string;
    readonly about: string;
    /** Whether the requests are all that the lab sent before, too. */
    readonly isAll: boolean;
    readonly file: string;
  },
): string {
  const { condition, failing, timeoutMs, at, about, isAll, file } = bug;
  const requests = answered.map(({ request }) => request);
  const relations = requests.length > RELATIONS_MAX ? [] : relationsOf(requests);
  const right = rightBehaviour(condition, timeoutMs);
  const last = failing ?? answered.length - 1;
  const { status = null, error = null, body = "" } = (failing === undefined ? undefined : answered[failing]) ?? {};
  const came =
    failing === undefined
      ? "The recorded answers do not show it."
      : `Request ${failing + 1} was answered ${status === null ? `not at all: ${error ?? "unknown"}` : shownAnswer(status, body)}.`;
  return writeExact({
    about: `${about}: ${condition.text}`,
    story: [
      `${about}: ${condition.text}.`,
      "",
      whatTheyAre(requests.length, isAll),
      ...(relations.length === 0 ? [] : ["", relations.join(" ")]),
      "",
      `${came} Right is ${right.words}.`,
      "",
      `  handset run ${file} -r URL    exit code 1 while the bug is there, 0 when it is not`,
    ]
      .map((line) => (line.startsWith("  ") ? line : onOneLine(line)))
      .join("\n"),
    requests,
    expect: right.ofRequest === undefined ? right.bounds : [{ request: last + 1, ...right.ofRequest }],
    checks: right.checks,
    seen: seenFailure({
      condition: condition.text,
      request: failing === undefined ? undefined : failing + 1,
      answer: failing === undefined ? undefined : { status, error, body },
      at,
      runs: failing === undefined ? undefined : "1 of 1",
    }),
    versions: { handset: version, node: process.version },
  });
}

function whatTheyAre(count: number, isAll: boolean): string {
  return isAll
    ? `The ${countOf(count, "request")} up to this event, of all people and handsets, as a lab recorded them. Nothing was left out to make them fewer.`
    : `The ${countOf(count, "request")} of this event and of what belongs to it, as a lab recorded them. They were not played alone: a receiver that fails only after other requests does not fail here.`;
}
