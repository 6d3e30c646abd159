import type { Minimised, OtherFailure } from "./options.js";
import { effectOf, type FoundFailure } from "./play-counter.js";
import { sourceOfRequests } from "./source.js";
import { minimiseTarget } from "./minimise-target.js";
import { TargetTrials, type TargetTrialsOptions } from "./target-trials.js";
import type { TrialSettings } from "./trial.js";

/** Other failures that are minimised. */
const OTHERS_MAX = 3;

/** Trials for all of them at most, and their share of the time limit. */
const OTHER_TRIALS = 90;
const SHARE_OF_TIME = 0.25;

/**
 * The other failures that the trials met, each minimised with what is left of the trials and of the time, the smallest first.
 * One for which nothing is left, or that does not fail again, stays as it was met.
 *
 * @param result - of the failure that was asked for
 */
export async function minimiseOthers(
  result: Minimised,
  trials: TargetTrials,
  shared: Omit<TrialSettings, "replyToSender" | "condition"> & TargetTrialsOptions,
): Promise<OtherFailure[]> {
  const found = trials.counter.others(result.same);
  const canPlay = result.reproduced && !result.contaminated;
  const { timeLimitMs } = trials;
  const endsMs = Math.min(timeLimitMs, trials.takenMs + SHARE_OF_TIME * timeLimitMs);
  let left = Math.min(OTHER_TRIALS, trials.maxTrials - trials.trials);
  const others: OtherFailure[] = [];
  for (const [place, other] of found.entries()) {
    const msLeft = endsMs - trials.takenMs;
    const isPlayed = canPlay && place < OTHERS_MAX && left > 0 && msLeft > 0 && !trials.signal.aborted;
    const limits = { ...shared, startedMs: performance.now(), timeLimitMs: msLeft, trials: left };
    const smaller = isPlayed ? await minimiseOther(other, { ...limits, path: trials.source.path }) : undefined;
    left -= smaller?.trials ?? 0;
    others.push(otherOf(other, smaller));
  }
  return others;
}

async function minimiseOther(
  { condition, requests, fingerprint }: FoundFailure,
  shared: Omit<TrialSettings, "replyToSender" | "condition"> & TargetTrialsOptions & { readonly path: string },
): Promise<Minimised | undefined> {
  const { path, ...limits } = shared;
  const source = sourceOfRequests(requests, path);
  const { onStep } = shared;
  const trials = new TargetTrials(
    source,
    { ...shared, condition },
    { ...limits, ...(onStep !== undefined && { onStep: (step) => onStep({ ...step, phase: "another failure" }) }) },
  );
  try {
    return await minimiseTarget(
      trials,
      { condition, took: "" },
      (met) => effectOf(met.fingerprint) === effectOf(fingerprint),
    );
  } catch {
    // What was asked for is found: an error here, such as a receiver that does not start again, must not lose it.
    return undefined;
  }
}

function otherOf(other: FoundFailure, smaller: Minimised | undefined): OtherFailure {
  const { condition, requests, answer, seen } = other;
  const asMet = { condition: condition.text, events: requests.length, bug: null, oneMinimal: false };
  if (smaller?.reproduced !== true || smaller.contaminated || smaller.events.length === 0) {
    return { ...asMet, found: { condition, requests, answer, seen } };
  }
  const { events, oneMinimal, failed, of } = smaller;
  return {
    ...asMet,
    events: events.length,
    oneMinimal,
    found: { condition, requests: events, answer: smaller.answer ?? answer, seen: smaller.seen ?? seen, failed, of },
  };
}
