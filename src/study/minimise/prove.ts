import { Contaminated } from "./contaminated.js";
import { relationsOf } from "./relations.js";
import type { Kept, SearchResult } from "./search.js";
import type { TargetTrials } from "./target-trials.js";

/** Ordinary events that must pass without what they need, before it counts as harmless. */
const ORDINARY = 3;

/**
 * An mt_dlvd keeps its mt_sent, as its lack might be another failure. Where an ordinary mt_dlvd passes without its mt_sent,
 * it is none, so the mt_sent may go.
 *
 * @returns the input that is left; `notes`: what stays, and why
 */
export async function dropNeeded(
  trials: TargetTrials,
  found: Kept,
): Promise<{ readonly kept: Kept; readonly notes: readonly string[] }> {
  const { needs } = relationsOf(trials.cut);
  const notes: string[] = [];
  let kept = found;
  for (const [element, needed] of needs) {
    if (!kept.includes(element) || !kept.includes(needed)) continue;
    const without = kept.filter((index) => index !== needed);
    if (!trials.hasTime() || !(await trials.fails(without))) continue;
    trials.trials++;
    const ordinary = [...needs.keys()].filter((index) => !kept.includes(index)).slice(-ORDINARY);
    let isHarmless = ordinary.length > 0;
    for (const index of ordinary) isHarmless &&= !(await trials.failsAlone(trials.cut[index]?.request));
    if (isHarmless) kept = without;
    else {
      const type = trials.cut[element]?.request.type ?? "";
      notes.push(`the mt_sent stays with its ${type}: without it, any ${type} might fail in this way`);
    }
  }
  return { kept, notes };
}

/**
 * The last round: the result fails again, and an input that passed passes again.
 *
 * @param passing - an input that passed
 * @returns notes for people, a sentence each
 * @throws Contaminated
 */
export async function prove(
  trials: TargetTrials,
  { kept }: Pick<SearchResult, "kept">,
  passing: Kept | undefined,
): Promise<readonly string[]> {
  trials.report("last round");
  if (trials.rate === undefined) await trials.measure(kept);
  if (!trials.isSteady) return [];
  if (passing !== undefined && passing.length <= 4 * kept.length + 20 && (await trials.fails(passing))) {
    throw new Contaminated("an input that passed fails when it is played again");
  }
  if (!(await trials.fails(kept, { isPatient: true }))) {
    throw new Contaminated("the smallest failing input does not fail when it is played again");
  }
  return trials.receivers.isFresh ? [] : proveForOthers(trials, kept);
}

/**
 * A receiver that is never reset may fail at the smallest input only because of what earlier plays left behind. Other
 * people and handsets have left nothing there: if the whole input of others fails and the smallest one does not, it does.
 */
async function proveForOthers(trials: TargetTrials, kept: Kept): Promise<readonly string[]> {
  for (const [round, replaced] of (["people and handsets", "people"] as const).entries()) {
    if (!trials.hasTime() || !(await trials.failsOfOthers(trials.whole, replaced, 2 * round + 1))) continue;
    if (await trials.failsOfOthers(kept, replaced, 2 * round + 2)) return [];
    throw new Contaminated(
      `of other ${replaced} the whole input fails, and the smallest one does not: it fails only with what earlier plays left behind`,
    );
  }
  return [
    "the receiver was not reset, and it could not be shown that it forgets earlier plays: start it with -- COMMAND, or name a --reset",
  ];
}
