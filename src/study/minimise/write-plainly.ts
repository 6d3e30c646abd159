import type { ExactRequest } from "../../scenario/index.js";
import { trialRequests } from "./play-counter.js";
import type { Kept } from "./search.js";
import { simplifyRequests } from "./simplify.js";
import type { TargetTrials } from "./target-trials.js";

/** Events of an input at most that is written plainly. */
const EVENTS_MAX = 20;

/** Trials at most; fewer where the search has taken many, but some in any case. */
const TRIALS_MAX = 40;
const TRIALS_MIN = 15;
const TRIALS_WITH_SEARCH = 110;

/** The requests of an input, written plainly. */
export interface WrittenPlainly {
  /** Undefined: they are as they were. */
  readonly requests?: readonly ExactRequest[];
  readonly notes: readonly string[];
}

/**
 * Writes the events of a smallest input plainly, and proves that none of the plain ones can go, either. The failure must be
 * steady: of a flaky one each step would need many plays.
 */
export async function writePlainly(trials: TargetTrials, kept: Kept): Promise<WrittenPlainly> {
  if (kept.length > EVENTS_MAX) return { notes: [] };
  trials.report("simplify");
  const { cut } = trials;
  const original = trialRequests(cut, kept).map(({ request }) => request);
  const type = original.at(-1)?.type;
  const control = cut.findLast(
    ({ request }, index) => !kept.includes(index) && request.type === type && index < cut.length - 1,
  )?.request;
  const left = trials.maxTrials - trials.trials;
  const { requests } = await simplifyRequests(original, {
    fails: (changed) => trials.failsAs(changed),
    control,
    controlFails: (request) => trials.failsAlone(request),
    trials: Math.max(0, Math.min(TRIALS_MAX, left, Math.max(TRIALS_MIN, TRIALS_WITH_SEARCH - trials.trials))),
    hasTime: () => trials.hasTime(),
  });
  for (let place = 0; place < requests.length - 1; place++) {
    if (!trials.hasTime()) return { notes: [] };
    if (await trials.failsAs(withoutOne(requests, place))) {
      await trials.failsAs(original);
      return {
        notes: ["the texts, fields and times are as they were: with plain ones, fewer events would be needed"],
      };
    }
  }
  return (await trials.failsAs(requests)) ? { requests, notes: [] } : { notes: [] };
}

/** The requests without one; one that went with it goes with the request before it, if that is of the same moment. */
function withoutOne(requests: readonly ExactRequest[], place: number): ExactRequest[] {
  const isFirst = requests[place]?.with === undefined;
  return requests.flatMap((request, index) => {
    if (index === place) return [];
    if (index !== place + 1 || !isFirst) return [request];
    const { with: _, ...alone } = request;
    return [alone];
  });
}
