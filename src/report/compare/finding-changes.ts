import type { Finding } from "../findings/index.js";
import type { RunResult } from "../result.js";

/** The findings by which two runs differ. Two findings are the same where kind, weight and `of` are. */
export interface FindingChanges {
  /** Of the run after only. */
  readonly added: readonly Finding[];
  /** Of the run before only. */
  readonly gone: readonly Finding[];
}

/** What one run's findings say and the other's do not. */
export function findingChanges(before: RunResult, after: RunResult): FindingChanges {
  const [one, other] = [before.findings ?? [], after.findings ?? []];
  return { added: missingIn(one, other), gone: missingIn(other, one) };
}

/** New findings about the receiver; notes are not. */
export function newFaults({ added }: FindingChanges): readonly Finding[] {
  return added.filter(({ weight }) => weight === "bad");
}

function missingIn(known: readonly Finding[], findings: readonly Finding[]): Finding[] {
  const keyOf = ({ kind, weight, of = "" }: Finding): string => `${kind} ${weight} ${of}`;
  const keys = new Set(known.map(keyOf));
  return findings.filter((finding) => !keys.has(keyOf(finding)));
}
