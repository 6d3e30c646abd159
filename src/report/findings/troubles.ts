import { troubleOfCode } from "../../measure/index.js";
import { countOf } from "../number-format.js";
import type { Finding, FindingFacts } from "./finding.js";
import { formatShare, timeRangeText } from "./phrases.js";

/** What a trouble did to attempts, as the predicate of a sentence. */
const predicates: Readonly<Record<string, string>> = {
  "answers-lost": "reached the receiver, and the answer was lost on the way back",
  "requests-lost": "never reached the receiver",
  refused: "had the connection refused on the way",
  cut: "had the connection cut on the way",
};

/** How attempts that trouble ended fared, after their number; undefined: their failure is not of a trouble. */
export function troubleMeaning(kind: string): string | undefined {
  const trouble = troubleOfCode(kind);
  return trouble === undefined ? undefined : (predicates[trouble] ?? `met ${trouble} on the way`);
}

/** Notes about attempts that trouble on the way ended: the receiver is not to blame. */
export function troubleFindings({ failures, attempts, beginsMs }: FindingFacts): Finding[] {
  return failures.flatMap(({ kind, count, firstMs, lastMs }): Finding[] => {
    const meaning = troubleMeaning(kind);
    if (meaning === undefined) return [];
    const share = count / Math.max(1, attempts);
    const text =
      `${countOf(count, "attempt")} (${formatShare(share)}) ${meaning}, ` +
      `${timeRangeText(firstMs - beginsMs, lastMs - beginsMs)}: trouble that the scenario puts there ("delivery").`;
    return [
      {
        kind: "failures",
        weight: "note",
        of: kind,
        cause: "story",
        text,
        where: "report: Failed attempts",
        severity: share,
      },
    ];
  });
}

/** A sentence that names trouble on the way as what sent events twice; empty: it sent none. */
export function doublingText({ troubles, repeats }: Pick<FindingFacts, "troubles" | "repeats">): string {
  const causes = [
    ...(troubles.copies === 0 ? [] : [`sent ${countOf(troubles.copies, "copy", "copies")} at once`]),
    ...(repeats.resentByTrouble === 0
      ? []
      : [`lost answers, so that ${countOf(repeats.resentByTrouble, "request was", "requests were")} repeated`]),
  ];
  return causes.length === 0 ? "" : ` Trouble on the way ("delivery") ${causes.join(" and ")}.`;
}
