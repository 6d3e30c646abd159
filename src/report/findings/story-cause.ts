import type { Finding, FindingKind } from "./finding.js";
import { countOf } from "../number-format.js";

/** Kinds of findings that changed answers of the receiver can cause: silence, errors and their consequences. */
const kindsCausedByAnswers: ReadonlySet<FindingKind> = new Set([
  "silence",
  "stalls",
  "slow",
  "trend",
  "refusals",
  "failures",
  "resent",
  "unanswered",
  "poison",
  "reordering",
]);

/** Turns findings that the story's `receiver` steps may have caused into notes that say so. */
export function attributeToStory(findings: readonly Finding[], receiverSteps: number): readonly Finding[] {
  if (receiverSteps === 0) return findings;
  const told = `The story changes the receiver's answers (${countOf(receiverSteps, "step")} "receiver").`;
  return findings.map((finding): Finding =>
    kindsCausedByAnswers.has(finding.kind)
      ? { ...finding, weight: "note", cause: "story", text: `${finding.text} ${told}` }
      : finding,
  );
}
