import { LATE_MS } from "../common/index.js";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import type { Finding, FindingFacts, FindingKind } from "./finding.js";
import { formatShare } from "./phrases.js";

/** Fewer late events, or a smaller share of all events, are no finding. */
const LATE_LEAST = 5;
const LATE_SHARE = 0.005;

/** Kinds of findings that tell of slow answers already. */
const slowKinds: ReadonlySet<FindingKind> = new Set(["saturation", "silence", "stalls", "slow", "trend"]);

/**
 * Findings about events that came to the receiver, or were answered, late. What holds events up on their way is the world, not
 * the receiver, and a slow answer is no fault by itself: they are notes.
 *
 * @param others - the other findings: slow answers are not told twice
 */
export function lateFindings({ late, events }: FindingFacts, others: readonly Finding[]): Finding[] {
  if (late === undefined) return [];
  const isMany = (count: number): boolean => count >= Math.max(LATE_LEAST, LATE_SHARE * events);
  const { held, slow } = late;
  const parts: string[] = [];
  if (isMany(held.count)) {
    const share = formatShare(held.count / Math.max(1, events));
    parts.push(
      `${countOf(held.count, "event")} (${share}) came to the receiver ${readableDuration(LATE_MS)} or more after the phone had ` +
        `${held.count === 1 ? "it" : "them"}, at most ${readableDuration(held.mostMs)}.`,
    );
  }
  if (isMany(slow.count) && !others.some(({ kind }) => slowKinds.has(kind))) {
    parts.push(
      `${formatCount(slow.count)} answers took ${readableDuration(slow.leastMs)} or more, at most ${readableDuration(slow.mostMs)}; ` +
        `the median is ${readableDuration(slow.medianMs)}.`,
    );
  }
  if (parts.length === 0) return [];
  return [
    {
      kind: "late",
      weight: "note",
      text: parts.join(" "),
      where: "handset events RECORDING --late",
      severity: Math.min(1, late.keys.size / Math.max(1, events)),
    },
  ];
}
