import type { TakenCondition } from "./auto-condition.js";
import { Contaminated } from "./contaminated.js";
import { findTarget } from "./find-target.js";
import type { Minimised } from "./options.js";
import { dropNeeded, prove } from "./prove.js";
import { relationsOf } from "./relations.js";
import { type Findings, minimisedOf, noFindings } from "./result.js";
import { type Kept, searchSmallest, type SearchResult } from "./search.js";
import { MEASURED_RUNS, type TargetTrials } from "./target-trials.js";
import type { MetFailure } from "./trial.js";
import { writePlainly } from "./write-plainly.js";

/** Wall milliseconds that measuring may take before the search is over. */
const MEASURING_MS = 1500;

/** Share of the time limit after which the search ends, so that the rest can be proven and written. */
const SEARCH_SHARE = 0.85;

/**
 * Finds the target of a source, searches the smallest input at which it fails, proves it and writes it plainly. Ends early
 * where the source does not fail, the receiver remembers earlier trials, or the signal aborts.
 *
 * @param wanted - whether a failure is the one that is searched; default: the first
 * @throws LabError; whatever ended it where it is stopped before anything failed
 */
export async function minimiseTarget(
  trials: TargetTrials,
  taken: TakenCondition,
  wanted?: (failure: MetFailure) => boolean,
): Promise<Minimised> {
  try {
    trials.report("first play");
    if (!(await findTarget(trials, taken.condition, wanted))) {
      return minimisedOf(trials, taken, { ...noFindings, kept: [] });
    }
    return minimisedOf(trials, taken, await smallestInput(trials));
  } catch (error) {
    const hasFailed = trials.target !== undefined;
    if (error instanceof Contaminated) {
      return minimisedOf(trials, taken, { ...noFindings, kept: trials.smallest, contamination: error.message });
    }
    if (!trials.signal.aborted || !hasFailed) throw error;
    return minimisedOf(trials, taken, { ...noFindings, kept: trials.smallest });
  }
}

async function smallestInput(trials: TargetTrials): Promise<Findings> {
  const searched = await search(trials);
  const { kept, notes } = await dropNeeded(trials, searched.kept);
  const { isOneMinimal, cached } = searched;
  const proven = await prove(trials, { kept }, searched.passing);
  const plain = trials.isSteady && isOneMinimal ? await writePlainly(trials, kept) : { notes: [] };
  return {
    kept,
    isOneMinimal,
    cached,
    plain: plain.requests,
    notes: [...notes, ...proven, ...plain.notes],
    contamination: "",
  };
}

/**
 * The smallest input at which the target fails. Before it is known how often the failure shows, an input may pass by chance;
 * so where it does not show each time, the search continues from its result until all that passed was played often enough.
 */
async function search(trials: TargetTrials): Promise<SearchResult & { readonly passing: Kept | undefined }> {
  const relations = relationsOf(trials.cut);
  let start = trials.whole;
  let passing: Kept | undefined;
  let cached = 0;
  for (;;) {
    let fewestRepeats = Infinity;
    const found = await searchSmallest(
      {
        start,
        fixed: [trials.cut.length - 1],
        candidates: relations.candidates,
        families: relations.families,
        needs: (element) => relations.needs.get(element),
      },
      {
        width: trials.receivers.width,
        trials: trials.maxTrials - trials.trials,
        hasTime: () => trials.hasTime(SEARCH_SHARE),
        async test(kept) {
          const { repeats } = trials;
          const outcome = await trials.try(kept);
          if (outcome === "passes") {
            passing = kept;
            fewestRepeats = Math.min(fewestRepeats, repeats);
          }
          return outcome;
        },
        async onSmaller(kept) {
          trials.smallest = kept;
          trials.report("search");
          const costMs = MEASURED_RUNS * trials.counter.estimateMs(kept.length);
          if (trials.rate === undefined && costMs < MEASURING_MS) await trials.measure(kept);
          return true;
        },
      },
    );
    cached += found.cached;
    if (trials.rate === undefined && found.isOneMinimal) await trials.measure(found.kept);
    if (!found.isOneMinimal || fewestRepeats >= trials.repeats) return { ...found, cached, passing };
    start = found.kept;
  }
}
