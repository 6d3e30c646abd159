import type { Explored } from "./options.js";

/** The result as `handset explore --json` prints it. */
export function exploredJson(result: Explored): object {
  const { found, discoveries, trials, behaviours, seconds, seed, endedBy, trouble, isFresh } = result;
  return {
    failures: found.map(({ condition, seen, trial, file, events, minimiseTrials, oneMinimal, note }) => ({
      condition,
      seen,
      trial,
      events,
      minimiseTrials,
      oneMinimal,
      [note === "" ? "bug" : "scenario"]: file,
      ...(note !== "" && { note }),
    })),
    trials,
    seconds,
    seed,
    endedBy,
    ...(trouble !== "" && { trouble }),
    fresh: isFresh,
    behaviours,
    answers: discoveries,
  };
}
