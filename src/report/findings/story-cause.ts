import type { Finding, FindingKind } from "./finding.js";
import { countOf } from "../number-format.js";

/** What a receiver's answers bring about: silence, errors, and what follows from both. */
const kindsCausedByAnswers: ReadonlySet<FindingKind> = new Set([
  "silence",
  "stalls",
  "slow",
  "refusals",
  "failures",
  "resent",
  "reordering",
]);

/** Findings of a run whose story makes the receiver answer otherwise: what may follow from that is a note that says so. */
export function attributeToStory(findings: readonly Finding[], receiverSteps: number): readonly Finding[] {
  if (receiverSteps === 0) return findings;
  const told = `The story makes the receiver answer otherwise (${countOf(receiverSteps, "step")} "receiver").`;
  return findings.map((finding): Finding =>
    kindsCausedByAnswers.has(finding.kind)
      ? { ...finding, weight: "note", cause: "story", text: `${finding.text} ${told}` }
      : finding,
  );
}
