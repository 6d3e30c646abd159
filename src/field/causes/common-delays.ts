import type { Gap, PhoneDay, TimedRow } from "./find-outages.js";

/** Rows of a common delay come this long around the end of a phone's gap. */
const beforeMs = 30_000;
const afterMs = 120_000;
/** Phone times that differ by less than this have no order. */
const sameTimeMs = 2_000;
const leastPairs = 6;
const inOrderShare = 0.9;

/**
 * Finds gaps that are no phone's fault: the service, or the way to the receiver, stood still, and everything waited in one
 * queue. Then the rows of most phones come late at one time, and in the order of their phone times across the phones.
 * Phones that lost their network come back one by one, each with all its rows.
 */
export function commonDelays(gaps: readonly Gap[], phones: readonly PhoneDay[], lateFromMs: number): Set<Gap> {
  const late = phones
    .flatMap(({ relayer, rows }) => rows.filter(({ lagMs }) => lagMs > lateFromMs).map((timed) => ({ relayer, timed })))
    .sort((one, other) => one.timed.row.atMs - other.timed.row.atMs || one.timed.row.place - other.timed.row.place);
  return new Set(
    gaps.filter((gap) => {
      const around = late.filter(
        ({ timed }) => timed.row.atMs >= gap.toMs - beforeMs && timed.row.atMs <= gap.toMs + afterMs,
      );
      const involved = new Set(around.map(({ relayer }) => relayer));
      const isOfMost = involved.size >= 2 && involved.size * 2 > phones.length;
      return isOfMost && areInOrder(around);
    }),
  );
}

function areInOrder(rows: readonly { readonly relayer: number; readonly timed: TimedRow }[]): boolean {
  let pairs = 0;
  let inOrder = 0;
  // The first few hundred tell it; all pairs of a long backlog would take long.
  const some = rows.slice(0, 300);
  some.forEach((one, index) => {
    for (const other of some.slice(index + 1)) {
      const apartMs = other.timed.trueMs - one.timed.trueMs;
      if (one.relayer === other.relayer || Math.abs(apartMs) < sameTimeMs) continue;
      pairs++;
      if (apartMs > 0) inOrder++;
    }
  });
  return pairs >= leastPairs && inOrder >= pairs * inOrderShare;
}
