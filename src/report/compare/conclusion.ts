import type { Figures } from "../figures/index.js";
import { busyText, formatShare, isTooBusy } from "../findings/index.js";
import type { RunResult } from "../result.js";
import { readableDuration } from "../number-format.js";
import { type FindingChanges, goneFaults, newFaults } from "./finding-changes.js";
import { LEVEL, type TestOutcome } from "./permutation.js";
import { percentileShares, type TestedName, testedNames } from "./paired-rows.js";

/** The conclusion of a comparison. */
export interface Conclusion {
  readonly state: "worse" | "better" | "worse and better" | "no difference found" | "not tested";
  /** A sentence for each change; without changes, the smallest changes that the tests would have found. */
  readonly lines: readonly string[];
}

/** Whether the conclusion says that the run after is worse. */
export function isWorse(state: Conclusion["state"]): boolean {
  return state === "worse" || state === "worse and better";
}

/** Smallest differences that matter; smaller ones are ignored even if they are significant. */
const LEAST_RATIO = 1.1;
const LEAST_MS = 0.5;
const LEAST_SHARE = 0.001;

/** How a tested value changed; `other`: it differs and has no good direction. */
export type TestedChange = "better" | "worse" | "other" | "none";

/** The change that a test found; `none`: not significant, or too small to matter. */
export function changeOfTest(
  name: TestedName,
  { difference, chance }: TestOutcome,
  usualMs: number | null,
): TestedChange {
  if (chance > LEVEL) return "none";
  if (name === "answers") return difference >= LEAST_SHARE ? "other" : "none";
  if (name === "failures") {
    if (Math.abs(difference) < LEAST_SHARE) return "none";
    return difference > 0 ? "worse" : "better";
  }
  const isMaterial =
    Math.abs(difference) >= Math.log(LEAST_RATIO) && Math.abs(Math.exp(difference) - 1) * (usualMs ?? 0) >= LEAST_MS;
  if (!isMaterial) return "none";
  return difference > 0 ? "worse" : "better";
}

interface ConcludedRun {
  readonly result: RunResult;
  readonly figures: Figures;
}

/**
 * Draws the conclusion from the tests and from the faults that only one of the runs has. A new fault is worse, a fault
 * that is gone is better, whatever the tests found. Runs that are too short to be tested are never better. If other
 * programs kept the machine too busy in a run, neither different delivery times nor a fault that is gone lead to a conclusion.
 *
 * @param tests - undefined: the runs are too short to be tested
 * @param detectable - computes the smallest differences that would have been found; called if the tests found none
 */
export function conclude(
  a: ConcludedRun,
  b: ConcludedRun,
  tests: Readonly<Record<TestedName, TestOutcome>> | undefined,
  {
    findings,
    detectable,
  }: { readonly findings: FindingChanges; readonly detectable: () => Readonly<Record<TestedName, number>> },
): Conclusion {
  const isFaulty = newFaults(findings).length > 0;
  if (tests === undefined) {
    return {
      state: isFaulty ? "worse" : "not tested",
      lines: ["The runs are too short to be tested: each needs attempts in 12 periods."],
    };
  }
  const tested = testedNames.map((name): [TestedName, TestedChange] => [
    name,
    changeOfTest(name, tests[name], usualLatencyOf(a, name)),
  ]);
  const hasGoneFault = goneFaults(findings).length > 0;
  const mayBeBusyMachine = hasGoneFault || tested.some(([name, change]) => isTimed(name) && change !== "none");
  const busy = mayBeBusyMachine ? busySentence(a, b) : undefined;
  const changes = busy === undefined ? tested : tested.filter(([name]) => !isTimed(name));
  const found = changes.filter(([name, change]) => change !== "none" && (name !== "answers" || !hasFailures(changes)));
  const has = (word: TestedChange): boolean => found.some(([, change]) => change === word);
  const hasBetter = has("better") || (busy === undefined && hasGoneFault);
  const hasWorse = has("worse") || isFaulty;
  const lines = found.map(([name, change]) => changeSentence(name, change, a, b));
  if (busy !== undefined) lines.push(busy);
  else if (lines.length === 0) lines.push(detectableSentence(detectable(), a));
  if (busy !== undefined && found.length === 0 && !isFaulty) return { state: "not tested", lines };
  return { state: stateOf({ hasBetter, hasWorse, hasOther: has("other") }), lines };
}

function isTimed(name: TestedName): name is keyof typeof percentileShares {
  return name in percentileShares;
}

/** Says that other programs kept the machine too busy to compare delivery times; undefined when they did not. */
export function busySentence(
  before: Pick<ConcludedRun, "result">,
  after: Pick<ConcludedRun, "result">,
): string | undefined {
  const runs = [
    ["before", before.result.host],
    ["after", after.result.host],
  ] as const;
  const told = runs.flatMap(([word, host]) =>
    host !== undefined && isTooBusy(host) ? [`${busyText(host)} of the run ${word}`] : [],
  );
  if (told.length === 0) return undefined;
  return `Delivery times lead to no conclusion: other programs kept this machine ${told.join(", and ")}.`;
}

/** A change of the answers' statuses alone counts as worse, because it has no good direction. */
function stateOf({
  hasBetter,
  hasWorse,
  hasOther,
}: {
  readonly hasBetter: boolean;
  readonly hasWorse: boolean;
  readonly hasOther: boolean;
}): Conclusion["state"] {
  if (hasBetter) return hasWorse ? "worse and better" : "better";
  return hasWorse || hasOther ? "worse" : "no difference found";
}

function hasFailures(changes: readonly (readonly [TestedName, TestedChange])[]): boolean {
  return changes.some(([name, change]) => name === "failures" && change !== "none");
}

function usualLatencyOf({ figures }: ConcludedRun, name: TestedName): number | null {
  return isTimed(name) ? figures.latencyMs[name] : null;
}

function failureShare({ figures }: ConcludedRun): number {
  const failures = figures.failures.reduce((sum, { count }) => sum + count, 0);
  return failures / Math.max(1, figures.attempts);
}

function changeSentence(name: TestedName, change: TestedChange, a: ConcludedRun, b: ConcludedRun): string {
  if (name === "answers") return "The statuses of the answers differ.";
  const word = change === "worse" ? "worse" : "better";
  if (name === "failures") {
    return `failures are ${word}: ${formatShare(failureShare(a))} before, ${formatShare(failureShare(b))} after.`;
  }
  const [before, after] = [a.result.latencyMs[name] ?? 0, b.result.latencyMs[name] ?? 0];
  const ratio = (after / Math.max(before, 0.001)).toPrecision(2);
  return `delivery.${name} is ${word}: ${readableDuration(before)} before, ${readableDuration(after)} after (${Number(ratio)}x).`;
}

function detectableSentence(detectable: Readonly<Record<TestedName, number>>, { figures }: ConcludedRun): string {
  const told = (["p50", "p95", "p99"] as const).map((name) => {
    if (detectable[name] === Infinity) return `${name} over 10x`;
    const leastMs = 1 + LEAST_MS / Math.max(figures.latencyMs[name] ?? 0, 0.001);
    const factor = Math.max(Math.exp(detectable[name]), LEAST_RATIO, leastMs);
    return `${name} ${factor < 10 ? factor.toFixed(2) : factor.toFixed(0)}x`;
  });
  // 10 failures in different blocks are the fewest that a test can tell from chance.
  const share = Math.max(detectable.failures, LEAST_SHARE, 10 / Math.max(1, figures.attempts));
  if (share > 1) return `Changes from about ${told.join(", ")} would have been found, but no change of the failures.`;
  return `Changes from about ${told.join(", ")} and failures by ${formatShare(share)} of the attempts would have been found.`;
}
