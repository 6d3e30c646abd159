import type { Finding } from "../findings/index.js";
import type { RunResult } from "../result.js";

/** The findings that only one of two runs has. Findings are equal if `kind`, `weight` and `of` are. */
export interface FindingChanges {
  /** Only in the run after. */
  readonly added: readonly Finding[];
  /** Only in the run before. */
  readonly gone: readonly Finding[];
}

/** Compares the findings of two runs. */
export function findingChanges(before: RunResult, after: RunResult): FindingChanges {
  const [one, other] = [before.findings ?? [], after.findings ?? []];
  return { added: missingIn(one, other), gone: missingIn(other, one) };
}

/** New findings with the weight `bad`. */
export function newFaults({ added }: FindingChanges): readonly Finding[] {
  return added.filter(({ weight }) => weight === "bad");
}

/** Findings with the weight `bad` that only the run before has. */
export function goneFaults({ gone }: FindingChanges): readonly Finding[] {
  return gone.filter(({ weight }) => weight === "bad");
}

function missingIn(known: readonly Finding[], findings: readonly Finding[]): Finding[] {
  const keyOf = ({ kind, weight, of = "" }: Finding): string => `${kind} ${weight} ${of}`;
  const keys = new Set(known.map(keyOf));
  return findings.filter((finding) => !keys.has(keyOf(finding)));
}
