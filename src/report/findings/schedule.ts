import { readableDuration } from "../number-format.js";
import type { Finding, FindingFacts } from "./finding.js";

/**
 * The generator's lateness is a finding from this p99 on, in milliseconds and as a share of the delivery time's p99.
 */
const TOLD_MS = 20;
const TOLD_SHARE = 0.05;

/**
 * Reports lateness of the generator, which is part of the delivery time. If the run fell behind, the verdict reports
 * it instead.
 */
export function scheduleFinding({ fellBehind, latenessP99Ms, deliveryP99Ms }: FindingFacts): Finding[] {
  if (fellBehind || latenessP99Ms === null) return [];
  if (latenessP99Ms < Math.max(TOLD_MS, TOLD_SHARE * (deliveryP99Ms ?? 0))) return [];
  return [
    {
      kind: "schedule",
      weight: "note",
      text:
        `The lab itself made attempts late, at p99 by ${readableDuration(latenessP99Ms)}: see the service time for the ` +
        "receiver's share.",
      where: 'report: chart "Lateness of the lab itself"',
      severity: 0,
    },
  ];
}
