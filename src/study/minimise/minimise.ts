/**
 * Minimises a failing input of exact requests: read the source, play it until it fails, search the smallest input at which the
 * same event fails in the same way, prove it, write it plainly, and do the same with other failures that were met.
 */
import { LabError } from "../../base/index.js";
import type { FailureCondition } from "../../expect/index.js";
import { allowedHosts } from "../../http/index.js";
import { autoCondition, type TakenCondition } from "./auto-condition.js";
import { openReceivers } from "../receivers.js";
import { judgeOf, sharesLog, withLog } from "./log-of-condition.js";
import { minimiseOthers } from "./minimise-others.js";
import { minimiseTarget } from "./minimise-target.js";
import type { Minimised, MinimiseOptions } from "./options.js";
import { readMinimiseSource, sourceOfRequests } from "./source.js";
import { TargetTrials } from "./target-trials.js";

/** Wall milliseconds that the service gives a receiver; docs/reference/webhook.md#transport. */
const TIMEOUT_MS = 5000;

/** @throws LabError for bad options, a source that cannot be read, a receiver that is not there */
export async function minimiseRequests(options: MinimiseOptions): Promise<Minimised> {
  const startedMs = performance.now();
  const { path, requests, timeoutMs = TIMEOUT_MS, signal = new AbortController().signal } = options;
  const source =
    requests === undefined ? await readMinimiseSource(path, options.onProgress) : sourceOfRequests(requests, path);
  const isAllowed = allowedHosts(options.allowHosts ?? []);
  const isAlone = sharesLog(options.condition);
  const receivers = await openReceivers({ ...options, width: options.width ?? 2, isAlone, isAllowed, signal });
  try {
    const log = judgeOf(options.condition);
    const shared = { receivers, isAllowed, signal };
    const taken: TakenCondition =
      "auto" in options.condition
        ? await autoCondition(source, options.condition.auto, { ...shared, timeoutMs })
        : { condition: options.condition, took: "" };
    requireJudgeable(taken.condition);
    const limits = { ...options, startedMs, timeoutMs };
    const trials = new TargetTrials(source, { ...shared, condition: taken.condition, log }, limits);
    const result = await minimiseTarget(trials, taken);
    const failure = log === undefined ? result.failure : withLog(result.failure, log);
    return { ...result, failure, others: await minimiseOthers(result, trials, { ...shared, ...limits }) };
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new LabError("no-receiver", "stopped by hand before anything failed", { cause: error });
  } finally {
    await receivers.close();
  }
}

/** Refuses conditions that only a scenario has. */
function requireJudgeable({ terms }: FailureCondition): void {
  for (const term of terms) {
    if (term.kind !== "broken") continue;
    const hint =
      term.expectation === "never-twice"
        ? "write --while hears-twice"
        : "minimise the scenario, or write a condition of an answer, such as status 500";
    throw new LabError(
      "bad-options",
      `--while broken "${term.expectation}": a log or recording has no expectations to judge`,
      { hint },
    );
  }
}
