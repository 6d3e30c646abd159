import { LabError } from "../../base/index.js";
import type { FailureCondition } from "../../expect/index.js";
import { Contaminated } from "./contaminated.js";
import { trialRequests } from "./play-counter.js";
import { MEASURED_RUNS, type TargetTrials } from "./target-trials.js";
import { isAboutPlay, type MetFailure } from "./trial.js";

/** Parts of a source after which a condition of the whole play is asked, until it is true. */
const PARTS = 100;

/** Share of the time limit that plays of the whole source may take until one fails. */
const SHARE_OF_TIME = 0.5;

/**
 * Plays the whole source until it fails, and aims the trials at the event at which it failed first. A failure that does not
 * come at once is waited for in further plays.
 *
 * @param wanted - whether a failure is the one that is searched; default: each is
 * @returns whether it failed
 * @throws LabError `bad-options` for a condition that is true before any event is sent; Contaminated
 */
export async function findTarget(
  trials: TargetTrials,
  condition: FailureCondition,
  wanted: (failure: MetFailure) => boolean = () => true,
): Promise<boolean> {
  const isOfPlay = isAboutPlay(condition);
  if (isOfPlay) await requireNoFailureBefore(trials, condition);
  if (condition.terms.some(({ kind }) => kind === "reconcile")) await learnLog(trials);
  const first = await firstFailure(trials, isOfPlay, wanted);
  if (first === undefined) return false;
  trials.aimAt(first);
  if (!trials.receivers.isFresh) await playAgain(trials, wanted);
  return true;
}

async function firstFailure(
  trials: TargetTrials,
  isOfPlay: boolean,
  wanted: (failure: MetFailure) => boolean,
): Promise<MetFailure | undefined> {
  const { elements } = trials.source;
  const all = trialRequests(
    elements,
    elements.map((_, index) => index),
  );
  const every = Math.max(1, Math.ceil(all.length / PARTS));
  for (let run = 1; run <= MEASURED_RUNS; run++) {
    const { failures } = await trials.counter.play(all, {
      isPatient: true,
      asksAt: (played) => played % every === 0,
      endsAt: wanted,
    });
    trials.seen.of++;
    const first = failures.find(wanted);
    if (first !== undefined) {
      trials.seen.failed++;
      return isOfPlay ? narrow(trials, first, every) : first;
    }
    const { takenMs, timeLimitMs } = trials;
    if (takenMs + takenMs / run > SHARE_OF_TIME * timeLimitMs) return undefined;
  }
  return undefined;
}

/** The request at which a condition of the play became true. @param every - requests between two questions so far */
async function narrow(trials: TargetTrials, first: MetFailure, every: number): Promise<MetFailure> {
  if (every === 1) return first;
  const upTo = trials.source.elements.slice(0, first.index + 1);
  const requests = trialRequests(
    upTo,
    upTo.map((_, index) => index),
  );
  const { failures } = await trials.counter.play(requests, {
    isPatient: true,
    asksAt: (played) => played > requests.length - every,
  });
  return failures[0] ?? first;
}

/** The log after all events shows its columns; after a few it may not. */
async function learnLog({ counter, source: { elements } }: TargetTrials): Promise<void> {
  const all = elements.map((_, index) => index);
  await counter.play(trialRequests(elements, all), { isPatient: true, endsAt: () => false });
}

async function requireNoFailureBefore({ counter }: TargetTrials, { terms, text }: FailureCondition): Promise<void> {
  if (terms.some(({ kind }) => kind !== "check")) return;
  const { failures } = await counter.play([], { isPatient: true });
  const [first] = failures;
  if (first === undefined) return;
  throw new LabError("bad-options", `${text} fails before any event is sent: ${first.seen}`, {
    hint: "the receiver must be right at first: start it again for each trial with -- COMMAND, or name a --reset",
  });
}

/** Without a reset, the same input again shows whether the receiver remembers the play before. @throws Contaminated */
async function playAgain(trials: TargetTrials, wanted: (failure: MetFailure) => boolean): Promise<void> {
  const all = trialRequests(trials.cut, trials.whole);
  for (let run = 1; run <= 2; run++) {
    const { failures } = await trials.counter.play(all, { endsAt: wanted });
    trials.seen.of++;
    const first = failures.find(wanted);
    if (first !== undefined && trials.isSame(first)) {
      trials.seen.failed++;
      return;
    }
    if (first !== undefined) {
      const { index } = trials.target ?? first;
      throw new Contaminated(
        `played again, event ${first.index + 1} fails, which passed before; the failure was at event ${index + 1}`,
      );
    }
  }
  throw new Contaminated("the same input was played again, and did not fail any more");
}
