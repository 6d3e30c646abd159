import type { LogEntry, SeriesPoint } from "../../protocol/index.js";
import { lookOfOutcome } from "./outcome-look.js";

/** A failure of the receiver. */
export interface ReceiverTrouble {
  /** `failing`: half of the attempts or more; `down`: all of them. */
  readonly state: "failing" | "down";
  /** Failed attempts among those answered in the last seconds. */
  readonly failed: number;
  readonly attempts: number;
  /** The most frequent result of the newest failed attempts: `503`, `No connection`; undefined: unknown. */
  readonly cause: string | undefined;
}

/** Number of newest seconds with attempts that are examined. */
const SECONDS = 5;

/** Fewer failed attempts may be chance. */
const FAILED_MIN = 3;

/** Number of newest failed attempts whose cause is counted. */
const CAUSES_MAX = 50;

/**
 * Whether the receiver fails, judged by the last seconds in which attempts ended. Without attempts the last judgement
 * stays. Pure.
 */
export function receiverTrouble(
  points: readonly Pick<SeriesPoint, "accepted" | "failures">[],
  log: readonly LogEntry[],
): ReceiverTrouble | undefined {
  const { accepted, failed } = lastAttempts(points);
  if (!isFailing({ accepted, failed })) return undefined;
  return { state: accepted === 0 ? "down" : "failing", failed, attempts: accepted + failed, cause: commonCause(log) };
}

/** Whether at least three attempts of a period failed, and at least half of all. */
export function isFailing({ accepted, failed }: { readonly accepted: number; readonly failed: number }): boolean {
  return failed >= FAILED_MIN && failed >= accepted;
}

/** Share of the attempts of the last seconds that failed, 0..1. Pure. */
export function failedShare(points: readonly Pick<SeriesPoint, "accepted" | "failures">[]): number {
  const { accepted, failed } = lastAttempts(points);
  return failed === 0 ? 0 : failed / (accepted + failed);
}

function lastAttempts(points: readonly Pick<SeriesPoint, "accepted" | "failures">[]) {
  const last = points.filter(({ accepted, failures }) => accepted + failures > 0).slice(-SECONDS);
  return {
    accepted: last.reduce((sum, point) => sum + point.accepted, 0),
    failed: last.reduce((sum, point) => sum + point.failures, 0),
  };
}

/** The most frequent result of the newest failed attempts in a log; undefined: there are none. */
function commonCause(log: readonly LogEntry[]): string | undefined {
  const counts = new Map<string, number>();
  const failed = log.filter((entry) => entry.kind === "attempt" && entry.outcome !== "accepted").slice(-CAUSES_MAX);
  for (const entry of failed) {
    if (entry.kind !== "attempt") continue;
    const cause = entry.status === null ? lookOfOutcome(entry).word : String(entry.status);
    counts.set(cause, (counts.get(cause) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
