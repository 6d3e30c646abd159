import { LATE_MS } from "../common/index.js";
import { countOf, formatCount, readableDuration } from "../number-format.js";
import type { Finding, FindingFacts, FindingKind } from "./finding.js";
import { formatShare } from "./phrases.js";

/** Fewer late events, or a smaller share of all events, are no finding. */
const LATE_LEAST = 5;
const LATE_SHARE = 0.005;

/** `Finding.of` of events that came late from their phones, for which no answer is to blame. */
export const LATE_FROM_PHONE = "phone";

/** Kinds of findings that tell of slow answers already. */
const slowKinds: ReadonlySet<FindingKind> = new Set(["saturation", "silence", "stalls", "slow", "trend"]);

/**
 * Findings about events that came to the receiver, or were answered, late. Phones and networks are not the receiver, and a slow
 * answer is no fault by itself: they are notes.
 *
 * @param others - the other findings: slow answers are not told twice
 */
export function lateFindings({ late, events }: FindingFacts, others: readonly Finding[]): Finding[] {
  if (late === undefined) return [];
  const { held, retried, slow } = late;
  const share = (count: number): number => Math.min(1, count / Math.max(1, events));
  const finding = (of: string, count: number, text: string): Finding[] =>
    count >= Math.max(LATE_LEAST, LATE_SHARE * events)
      ? [{ kind: "late", of, weight: "note", text, where: "handset events RECORDING --late", severity: share(count) }]
      : [];
  const limit = readableDuration(LATE_MS);
  const eventsOf = (count: number): string => `${countOf(count, "event")} (${formatShare(share(count))})`;
  const isToldOf = others.some(({ kind }) => slowKinds.has(kind));
  return [
    finding(
      LATE_FROM_PHONE,
      held.count,
      `${eventsOf(held.count)} came to the receiver ${limit} or more after the phone had them, the latest by ` +
        `${readableDuration(held.mostMs)}.`,
    ),
    finding(
      "retried",
      retried.count,
      `${eventsOf(retried.count)} came to the receiver ${limit} or more late because an attempt before had failed, the ` +
        `latest by ${readableDuration(retried.mostMs)}.`,
    ),
    finding(
      "answers",
      isToldOf ? 0 : slow.count,
      `${formatCount(slow.count)} answers took ${readableDuration(slow.leastMs)} or more, the longest ` +
        `${readableDuration(slow.mostMs)}; the median is ${readableDuration(slow.medianMs)}.`,
    ),
  ].flat();
}
