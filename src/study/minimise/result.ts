import type { ExactRequest } from "../../scenario/index.js";
import type { TakenCondition } from "./auto-condition.js";
import type { InputCounts, Minimised } from "./options.js";
import { trialRequests } from "./play-counter.js";
import type { Kept } from "./search.js";
import type { SourceElement } from "./source.js";
import type { TargetTrials } from "./target-trials.js";
import { rateOf } from "./wilson.js";

/** What the search, its proof and the plain writing came to. */
export interface Findings {
  readonly kept: Kept;
  readonly isOneMinimal: boolean;
  readonly cached: number;
  /** The events written plainly; undefined: as they were. */
  readonly plain?: readonly ExactRequest[] | undefined;
  readonly notes: readonly string[];
  /** What showed that the receiver remembers earlier plays; empty: nothing did. */
  readonly contamination: string;
}

/** Nothing that is smaller than the input was found. */
export const noFindings = { isOneMinimal: false, cached: 0, notes: [], contamination: "" } as const;

/** The result of exact requests, without the other failures that were met. */
export function minimisedOf(trials: TargetTrials, taken: TakenCondition, findings: Findings): Minimised {
  const { elements } = trials.source;
  const { target, seen, counter } = trials;
  const { kept, isOneMinimal, cached, plain, notes, contamination } = findings;
  const isContaminated = contamination !== "";
  const left = isContaminated ? [] : kept.flatMap((index) => elements[index] ?? []);
  const rate = trials.rate ?? rateOf(seen.failed, Math.max(1, seen.of));
  const written = plain ?? trialRequests(elements, isContaminated ? [] : kept).map(({ request }) => request);
  const firstMs = written[0]?.atMs ?? 0;
  const events = written.map((request) => ({ ...request, atMs: request.atMs - firstMs }));
  const isProven = isOneMinimal && !isContaminated;
  return {
    reproduced: target !== undefined,
    failed: rate.times,
    of: rate.of,
    rate,
    condition: taken.condition.text,
    failure: taken.condition,
    took: taken.took,
    trials: trials.trials,
    cached,
    plays: counter.plays,
    seconds: Math.round(trials.takenMs / 100) / 10,
    before: countsOf(elements),
    after: countsOf(isContaminated || target === undefined ? elements : left),
    oneMinimal: isProven,
    endedBy: isProven || target === undefined ? "" : endedBy(trials, contamination),
    events,
    failsAt: target === undefined || isContaminated ? null : events.length,
    same: target?.fingerprint ?? "",
    others: [],
    contaminated: isContaminated,
    contamination,
    scenario: null,
    bug: null,
    answer: target?.answer,
    seen: target?.seen,
    notes,
  };
}

/** Why a result is not known to be minimal. */
function endedBy(trials: TargetTrials, contamination: string): string {
  if (contamination !== "") return contamination;
  if (trials.signal.aborted) return "it was stopped by hand";
  return trials.trials >= trials.maxTrials - trials.receivers.width
    ? `the limit of ${trials.maxTrials} trials was reached: --trials raises it`
    : `the time limit of ${trials.timeLimitMs / 1000} s was reached: --time-limit raises it`;
}

function countsOf(elements: readonly SourceElement[]): InputCounts {
  const named = (values: readonly (string | undefined)[]): number =>
    new Set(values.filter((value) => value !== undefined)).size;
  return {
    events: elements.length,
    people: named(elements.map(({ person }) => person)),
    handsets: named(elements.map(({ handset }) => handset)),
    span: (elements.at(-1)?.request.atMs ?? 0) - (elements[0]?.request.atMs ?? 0),
  };
}
