import { Closers, LabError } from "../../base/index.js";
import { isAway } from "../../expect/index.js";
import { allowedHosts } from "../../http/index.js";
import { askChecks, refuseUrl } from "../../lab/index.js";
import type { ExpectationResult } from "../../measure/index.js";
import { startReceiver } from "../../receiver/index.js";
import type { ExactInput } from "../../scenario/index.js";
import { receiverOf } from "../delivery-targets.js";
import { withFreePort } from "../free-port.js";
import type { RunOptions } from "../run-options.js";
import { startReceiverCommand } from "../start-receiver.js";
import { errorText, exactAnswer, type ExactAnswer } from "./exact-answer.js";
import { heardTwice, judgeAnswer, judgeNeverTwice } from "./judge-exact.js";
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

/** How a bug file is played. */
type PlayExactOptions = Pick<RunOptions, "receiver" | "command" | "waitMs" | "allowHosts" | "signal">;

/** Plays of a flaky bug at most. */
const PLAYS_MAX = 30;

/** Plays of requests at the same moment: which of them is first is chance. */
const PLAYS_AT_ONCE = 5;

/**
 * Plays a bug file of exact requests at a receiver, and judges the answers. A bug that was not seen in each run, or that
 * needs requests at the same moment, is played until it is seen, or until it would have been seen in 99 % of such series;
 * but only where a command starts the receiver for each play.
 *
 * @throws LabError for options and environments that do not allow it
 */
export async function playExact(input: ExactInput, options: PlayExactOptions = {}): Promise<ExactOutcome> {
  const wanted = options.command === undefined || options.command.length === 0 ? 1 : playsFor(input);
  for (let plays = 1; ; plays++) {
    const outcome = await playOnce(input, options);
    if (plays >= wanted || outcome.exitCode !== 0) return { ...outcome, plays, wanted: playsFor(input) };
  }
}

/** How often an input is played until a bug that is there has most probably been seen. */
function playsFor({ requests, seen }: ExactInput): number {
  const [, failed = "1", of = "1"] = /^(\d+) of (\d+)$/.exec(seen?.runs ?? "") ?? [];
  const share = Math.min(1, Math.max(0.01, Number(failed) / Math.max(1, Number(of))));
  const byShare = share === 1 ? 1 : Math.ceil(Math.log(0.01) / Math.log(1 - share));
  const atOnce = requests.some((request) => request.with !== undefined) ? PLAYS_AT_ONCE : 1;
  return Math.min(PLAYS_MAX, Math.max(byShare, atOnce));
}

async function playOnce(
  input: ExactInput,
  givenOptions: PlayExactOptions,
): Promise<Omit<ExactOutcome, "plays" | "wanted">> {
  const isAllowed = allowedHosts(givenOptions.allowHosts ?? []);
  const closers = new Closers();
  try {
    const { receiver = input.receiver } = givenOptions;
    const options = await withFreePort({ ...givenOptions, ...(receiver !== undefined && { receiver }) });
    const given = receiverOf({}, options);
    const bundled = given === "bundled" ? await startReceiver() : undefined;
    if (bundled !== undefined) closers.push(() => bundled.close());
    const url = bundled?.url ?? given;
    if (url === "none")
      throw new LabError("bad-options", "a bug file needs a receiver", { hint: "name it with -r URL" });
    if (!URL.canParse(url) || !isAllowed(url)) refuseUrl(url);
    await startReceiverCommand(url, options, closers);
    const { signal, timeoutMs } = { ...options, ...input };
    const answers: ExactAnswer[] = [];
    await playRequests(input.requests, {
      url,
      timeoutMs,
      isAllowed,
      signal,
      onAnswer(index, answer) {
        const request = input.requests[index];
        if (request !== undefined) answers.push(exactAnswer(request, index + 1, answer));
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
      ...checked,
    ];
    const isRight = expectations.every(({ held }) => held);
    return {
      answers,
      expectations,
      receiver: url,
      exitCode: problem !== undefined ? 3 : isRight ? 0 : 1,
      ...(problem !== undefined && { problem }),
    };
  } finally {
    await closers.close();
  }
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
