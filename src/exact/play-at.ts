import { isAway } from "../expect/index.js";
import { askChecks } from "../lab/index.js";
import type { ExpectationResult } from "../measure/index.js";
import type { ExactInput } from "../scenario/index.js";
import { errorText, exactAnswer, type ExactAnswer } from "./exact-answer.js";
import { heardTwice, judgeAnswer, judgeNeverTwice } from "./judge-exact.js";
import { type AnsweredRequest, LogJudge } from "./log-judge.js";
import { playRequests } from "./play-requests.js";

/** What became of a bug file of exact requests. */
export interface ExactOutcome {
  /** In the order of the requests; fewer where it was stopped. */
  readonly answers: readonly ExactAnswer[];
  /** The expectations of the file, then its checks. */
  readonly expectations: readonly ExpectationResult[];
  readonly receiver: string;
  /** How often it was played: the outcome is that of the last play. */
  readonly plays: number;
  /** How often it must be played before a bug that is there has most probably been seen. */
  readonly wanted: number;
  /** 0: all is right, the bug is not there; 1: it is; 3: the receiver cannot be reached, or it was stopped. */
  readonly exitCode: 0 | 1 | 3;
  /** Why the exit code is 3. */
  readonly problem?: string;
}

/** Plays of a flaky bug at most. */
const PLAYS_MAX = 30;

/** Plays of requests at the same moment: which of them is first is chance. */
const PLAYS_AT_ONCE = 5;

/**
 * How often an input is played until a bug that is there has most probably been seen: in 99 % of such series for a bug that
 * was not seen in each run.
 */
export function playsFor({ requests, seen }: Pick<ExactInput, "requests" | "seen">): number {
  const [, failed = "1", of = "1"] = /^(\d+) of (\d+)$/.exec(seen?.runs ?? "") ?? [];
  const share = Math.min(1, Math.max(0.01, Number(failed) / Math.max(1, Number(of))));
  const byShare = share === 1 ? 1 : Math.ceil(Math.log(0.01) / Math.log(1 - share));
  const atOnce = requests.some((request) => request.with !== undefined) ? PLAYS_AT_ONCE : 1;
  return Math.min(PLAYS_MAX, Math.max(byShare, atOnce));
}

/** Plays a bug file of exact requests at a receiver that listens, and judges the answers. */
export async function playExactAt(
  input: ExactInput,
  options: {
    readonly url: string;
    readonly isAllowed: (url: string) => boolean;
    readonly signal?: AbortSignal | undefined;
    /** Called for each answer, in the order of the requests. */
    readonly onAnswer?: (answer: ExactAnswer) => void;
  },
): Promise<ExactOutcome> {
  const { url, isAllowed, signal, onAnswer } = options;
  const answers: ExactAnswer[] = [];
  const answered: AnsweredRequest[] = [];
  const left = await rowsBefore(input, url);
  if (left !== "") return unjudged(input, url, left);
  await playRequests(input.requests, {
    url,
    timeoutMs: input.timeoutMs,
    isAllowed,
    signal,
    onAnswer(index, played) {
      const request = input.requests[index];
      if (request === undefined) return true;
      const answer = exactAnswer(request, index + 1, played);
      answers.push(answer);
      answered.push({ request, answer: played, sentMs: Date.now() - played.tookMs });
      onAnswer?.(answer);
      return true;
    },
  });
  const problem = problemOf(input, answers, signal);
  const checked = await askChecks(input.checks, {
    receiver: url,
    recording: null,
    isAllowed,
    signal,
    isAsked: problem === undefined,
  });
  const expectations = [
    ...input.expect.map((one) => judgeAnswer(one, answers[one.request - 1])),
    ...(input.neverTwice ? [judgeNeverTwice(heardTwice(input.requests, answers))] : []),
    ...(problem === undefined ? await judgeLogs(input, answered, url) : []),
    ...checked,
  ];
  const isRight = expectations.every(({ held }) => held);
  return {
    answers,
    expectations,
    receiver: url,
    plays: 1,
    wanted: playsFor(input),
    exitCode: problem !== undefined ? 3 : isRight ? 0 : 1,
    ...(problem !== undefined && { problem }),
  };
}

/** What the receiver's logs have before the first request, a clause; empty: nothing. */
async function rowsBefore({ logs }: ExactInput, url: string): Promise<string> {
  for (const log of logs) {
    const left = await new LogJudge(log).rowsBefore(url);
    if (left !== "") return `${left}: start it with an empty one, so that rows of earlier plays are not counted`;
  }
  return "";
}

async function judgeLogs(
  { logs }: ExactInput,
  answered: readonly AnsweredRequest[],
  url: string,
): Promise<ExpectationResult[]> {
  const results: ExpectationResult[] = [];
  for (const { text, ...log } of logs) {
    const found = await new LogJudge(log).difference(answered, url);
    results.push({ text, held: found === undefined, seen: found?.text ?? "it has each accepted event once" });
  }
  return results;
}

function unjudged(input: ExactInput, receiver: string, problem: string): ExactOutcome {
  return { answers: [], expectations: [], receiver, plays: 0, wanted: playsFor(input), exitCode: 3, problem };
}

/** Why the receiver was not judged: it was away from the first request on, or the play was stopped. */
function problemOf(
  { requests }: ExactInput,
  answers: readonly ExactAnswer[],
  signal?: AbortSignal,
): string | undefined {
  if (signal?.aborted === true || answers.length < requests.length) return "stopped by hand";
  // A receiver that goes away later has ended by what it got: that is judged.
  const [away] = answers.slice(0, 1).filter(({ error }) => isAway(error));
  return away === undefined ? undefined : `the receiver cannot be reached: ${errorText(away.error)}`;
}
