import { basename } from "node:path";
import { version } from "../../../base/index.js";
import { relationsOf, rightBehaviour, seenFailure, shownAnswer } from "../../../exact/index.js";
import type { FailureCondition } from "../../../expect/index.js";
import { countOf, formatCount } from "../../../report/index.js";
import {
  type ExactRequest,
  type SeenFailure,
  writeExact,
  writeScenarioBug,
  writtenTree,
} from "../../../scenario/index.js";

/** The size of an input. */
export interface InputCounts {
  readonly events: number;
  readonly people: number;
  readonly handsets: number;
}

/** What is known of a failure when its bug file is written. */
export interface FoundBug {
  readonly condition: FailureCondition;
  /** The answer of the failing request, if there is one. */
  readonly answer?:
    { readonly status: number | null; readonly error: string | null; readonly body: string } | undefined;
  /** Type of the failing event, where no request says it. */
  readonly type?: string | undefined;
  /** What was seen, a clause; for a failure that is not about one answer. */
  readonly seen?: string | undefined;
  readonly before: InputCounts;
  readonly isOneMinimal: boolean;
  readonly failed: number;
  readonly of: number;
  readonly seed?: number | undefined;
  /** What the receiver had for an answer. */
  readonly timeoutMs: number;
  /** When it was seen, milliseconds since 1970. */
  readonly atMs: number;
  /** The file to write: its name is in the command of the story. */
  readonly file: string;
}

/** A bug file of exact requests. @param failing - the request at which it fails, from 1; undefined: at none by itself */
export function exactBugText(requests: readonly ExactRequest[], failing: number | undefined, bug: FoundBug): string {
  const right = rightBehaviour(bug.condition, bug.timeoutMs);
  const title = titleOf(bug, failing === undefined ? undefined : requests[failing - 1]?.type);
  const { ofRequest, ofPlay } = right;
  return writeExact({
    about: title,
    story: storyOf(bug, {
      title,
      what:
        requests.length === 1
          ? "this one request is all that it takes"
          : `these ${requests.length} requests are all that it takes`,
      proof: requests.length === 1 ? "" : "Without one of them it does not fail.",
      relations: relationsOf(requests),
      right: right.words,
    }),
    seed: bug.seed,
    requests,
    expect:
      ofPlay ?? (ofRequest === undefined ? right.bounds : [{ request: failing ?? requests.length, ...ofRequest }]),
    checks: ofPlay === undefined ? right.checks : [],
    seen: seenOf(bug, failing),
    versions: versions(),
  });
}

/** A bug file that is a scenario. */
export function scenarioBugText(text: string, bug: FoundBug): string {
  const right = rightBehaviour(bug.condition, bug.timeoutMs);
  const title = titleOf(bug, bug.type);
  const tree = writtenTree(text) ?? {};
  const own = Array.isArray(tree["expect"]) ? tree["expect"].map(String) : [];
  return writeScenarioBug(tree, {
    about: title,
    story: storyOf(bug, {
      title,
      what: "this scenario is all that it takes",
      proof: "Without a part of it, it does not fail.",
      relations: [],
      right: right.words,
    }),
    expect: right.bounds.filter((bound) => !own.includes(bound)),
    checks: right.checks,
    seen: seenOf(bug, undefined),
    versions: versions(),
  });
}

function titleOf({ condition, answer }: FoundBug, type: string | undefined): string {
  const [term] = condition.terms;
  const event = type === undefined || type === "" ? "An event" : type;
  if (answer !== undefined && answer.status === null) return `${event} gets no answer (${answer.error ?? "unknown"})`;
  if (term?.kind === "status" && answer !== undefined) return `${event} is answered ${answer.status ?? ""}`;
  if (term?.kind === "hears-twice") return "A person is answered twice about one event";
  if (term?.kind === "no-reply") return `${event} is not replied to`;
  if (term?.kind === "reply") return `${event} gets a wrong reply`;
  if (term?.kind === "check") return `${term.check.text} fails`;
  if (term?.kind === "reconcile") return `${term.file} lacks an accepted event, or has it twice`;
  return `Failure: ${condition.text}`;
}

function storyOf(
  { before, isOneMinimal, failed, of, answer, seen, file, condition }: FoundBug,
  {
    title,
    what,
    proof: proven,
    relations,
    right,
  }: {
    readonly title: string;
    readonly what: string;
    /** That nothing can go. */
    readonly proof: string;
    readonly relations: readonly string[];
    readonly right: string;
  },
): string {
  const size = `${countOf(before.events, "event")} of ${countOf(before.people, "person", "people")} and ${countOf(before.handsets, "handset")}`;
  const proof = isOneMinimal ? proven : "The search ended before its time, so a smaller one may exist.";
  const runs =
    failed === of
      ? `It failed in each of ${of} runs.`
      : `It failed in ${failed} of ${of} runs: it does not always fail.`;
  const came =
    answer === undefined
      ? (seen ?? "")
      : answer.status === null
        ? `No answer: ${answer.error ?? "unknown"}.`
        : `The answer was ${shownAnswer(answer.status, answer.body)}.`;
  return [
    `${title}.`,
    "",
    [`Of ${size}, ${what}.`, proof, runs].filter((sentence) => sentence !== "").join(" "),
    ...(relations.length === 0 ? [] : ["", relations.join(" ")]),
    "",
    `Found with: ${condition.text}. ${came === "" ? "" : `${came.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^.!?]$/u, "$&.")} `}Right is ${right}.`,
    "",
    `  handset run ${basename(file)} -r URL    exit code 1 while the bug is there, 0 when it is not`,
  ]
    .map(withoutControls)
    .join("\n");
}

/** Line ends and other control characters would end the comment. */
function withoutControls(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\uFEFF]/gu, " ");
}

function seenOf({ condition, answer, failed, of, atMs, seen }: FoundBug, failing: number | undefined): SeenFailure {
  return seenFailure({
    condition: condition.text,
    request: failing,
    answer,
    text: answer === undefined ? seen : undefined,
    at: new Date(atMs).toISOString(),
    runs: `${formatCount(failed)} of ${formatCount(of)}`,
  });
}

function versions(): Readonly<Record<string, string>> {
  return { handset: version, node: process.version };
}
