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
  /** 0: all is right, the bug is not there; 1: it is; 3: the receiver cannot be reached, or it was stopped. */
  readonly exitCode: 0 | 1 | 3;
  /** Why the exit code is 3. */
  readonly problem?: string;
}

/**
 * Plays a bug file of exact requests at a receiver, and judges the answers.
 *
 * @throws LabError for options and environments that do not allow it
 */
export async function playExact(
  input: ExactInput,
  givenOptions: Pick<RunOptions, "receiver" | "command" | "waitMs" | "allowHosts" | "signal"> = {},
): Promise<ExactOutcome> {
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

/** Why the receiver was not judged: it was away for a request, or the play was stopped. */
function problemOf(
  { requests }: ExactInput,
  answers: readonly ExactAnswer[],
  signal?: AbortSignal,
): string | undefined {
  if (signal?.aborted === true || answers.length < requests.length) return "stopped by hand";
  const [away] = answers.filter(({ error }) => isAway(error));
  return away === undefined ? undefined : `the receiver cannot be reached: ${errorText(away.error)}`;
}
