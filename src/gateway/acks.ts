import type { SyncAnswer } from "../wire/index.js";

/** An answer that acknowledges reports and offers nothing. */
type Acks = Extract<SyncAnswer, { accepted: true }>;

/** Shared immutable answers, by number of reports: most answers only acknowledge. */
const ackPool: Acks[] = [];

/** Maximum number of reports in a shared answer: a phone sends at most 50 at once. */
const POOLED_ACKS_MAX = 100;

/** The answer that acknowledges the first `reports` reports of a sync. */
export function acksOf(reports: number): Acks {
  const pooled = ackPool[reports];
  if (pooled !== undefined) return pooled;
  const commands = Array.from({ length: reports }, (_, index) => ({ type: "ack" as const, report: index + 1 }));
  const answer: Acks = { accepted: true, commands };
  if (reports <= POOLED_ACKS_MAX) ackPool[reports] = answer;
  return answer;
}

/** The answer that acknowledges the reports of a sync except some. @param refused - their places, from 1 */
export function acksWithout(refused: ReadonlySet<number>, reports: number): Acks {
  return {
    accepted: true,
    commands: acksOf(reports).commands.filter((one) => one.type !== "ack" || !refused.has(one.report)),
  };
}
