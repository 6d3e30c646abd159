import type { Finding, FindingKind } from "./finding.js";
import { counted } from "./words.js";

/** What a receiver's answers bring about: silence, errors, and what follows from both. */
const ofAnswers: ReadonlySet<FindingKind> = new Set([
  "silence",
  "stalls",
  "slow",
  "refusals",
  "failures",
  "resent",
  "reordering",
]);

/** Findings of a run whose story makes the receiver answer otherwise: what may follow from that is a note that says so. */
export function withStory(findings: readonly Finding[], receiverSteps: number): readonly Finding[] {
  if (receiverSteps === 0) return findings;
  const told = `The story makes the receiver answer otherwise (${counted(receiverSteps, "step", "steps")} "receiver").`;
  return findings.map((finding): Finding =>
    ofAnswers.has(finding.kind)
      ? { ...finding, weight: "note", cause: "story", text: `${finding.text} ${told}` }
      : finding,
  );
}
