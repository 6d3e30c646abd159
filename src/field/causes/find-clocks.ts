import { type Cause, clockTime, counted, shortSpan } from "./cause.js";
import { type DayRow, isCall, isReport } from "./day-row.js";

/** By how much a phone's clock differed from the log's, from one instant on. */
export interface ClockLevel {
  /** Arrival of the first row of this level. */
  readonly fromMs: number;
  /** Arrival of its last row. */
  readonly toMs: number;
  /** Phone's clock minus the log's. */
  readonly skewMs: number;
}

/** The rows that one sync of a phone told. */
interface Told {
  readonly atMs: number;
  /** Phone time minus arrival of the freshest row: skew of the clock minus the way of the sync. */
  readonly offsetMs: number;
  readonly rows: readonly DayRow[];
}

/** Differences within this belong to one clock: ways of syncs, whole seconds of the historic spelling. */
const toleranceMs = 6_000;
/** A difference that is smaller than this is no fault of a clock. */
const leastSkewMs = 20_000;
/** A clock that is behind looks like rows that came late; this number of syncs in a row must have the same difference. */
const syncsBehind = 3;

/**
 * The levels of a phone's clock, in order of time. A row cannot come from the future, so one row whose phone time is
 * later than its arrival shows a clock that is ahead. A clock that is behind shows by the same difference in several
 * syncs one after the other; the rows of a backlog, which come late together, have different ones.
 *
 * @param isLateElsewhere - whether most other phones' rows came late at that time, too: then no clock is at fault
 */
export function clockLevels(
  rows: readonly DayRow[],
  copies: ReadonlySet<DayRow>,
  isLateElsewhere: (fromMs: number, toMs: number) => boolean,
): ClockLevel[] {
  const told = toldTogether(rows.filter((row) => isReport(row) && !isCall(row) && !copies.has(row)));
  const levels: { fromMs: number; toMs: number; offsets: number[]; level: number }[] = [];
  let current = { fromMs: -Infinity, toMs: -Infinity, offsets: [] as number[], level: 0 };
  told.forEach((sync, index) => {
    const isAhead = sync.offsetMs > current.level + toleranceMs;
    const isBehind =
      sync.offsetMs < current.level - toleranceMs && isSteady(told, index, current.level, isLateElsewhere);
    if (isAhead || isBehind) {
      const level = Math.abs(sync.offsetMs) < leastSkewMs ? 0 : sync.offsetMs;
      if (level !== current.level) {
        current = { fromMs: sync.atMs, toMs: sync.atMs, offsets: [], level };
        levels.push(current);
      }
    }
    if (Math.abs(sync.offsetMs - current.level) <= toleranceMs) {
      current.offsets.push(sync.offsetMs);
      current.toMs = sync.atMs;
    }
  });
  return levels.map(({ fromMs, toMs, offsets, level }) => ({
    fromMs,
    toMs,
    skewMs: level === 0 ? 0 : roundSkew(median(offsets)),
  }));
}

/** The longest that a call rings, and the sync after it takes. */
const longestRingMs = 90_000;

/**
 * The clock's difference when a row arrived. A phone reports a call when it is over, so levels are not made of calls: one
 * between two levels has that with which it rang for a plausible time.
 */
export function skewOf(levels: readonly ClockLevel[], row: DayRow): number {
  const index = levels.findLastIndex(({ fromMs }) => fromMs <= row.atMs);
  const skewMs = levels[index]?.skewMs ?? 0;
  if (!isCall(row) || row.phoneMs === undefined || levels.length === 0) return skewMs;
  const offsetMs = row.phoneMs - row.atMs;
  const candidates = [skewMs, levels[index + 1]?.skewMs ?? skewMs, index > 0 ? (levels[index - 1]?.skewMs ?? 0) : 0];
  const plausible = candidates.find((candidate) => {
    const rangMs = candidate - offsetMs - (row.duration ?? 0) * 1000;
    return rangMs >= -2_000 && rangMs <= longestRingMs;
  });
  return plausible ?? skewMs;
}

/** The causes of a phone's levels. */
export function clockCauses(
  relayer: number,
  levels: readonly ClockLevel[],
  rows: readonly DayRow[],
  endMs: number,
): Cause[] {
  return levels.flatMap(({ fromMs, toMs, skewMs }, index): Cause[] => {
    if (skewMs === 0) return [];
    const next = levels[index + 1];
    const shown = rows.filter((row) => isReport(row) && row.atMs >= fromMs && row.atMs <= toMs);
    if (shown.length < 2) return [];
    const isLast = next === undefined && endMs - toMs < 30 * 60_000;
    const direction = skewMs > 0 ? "ahead of" : "behind";
    return [
      {
        verb: "clock",
        relayer,
        fromMs: fromMs - 1_000,
        ...(!isLast && { toMs: toMs + 1_000 }),
        args: { skew: `${skewMs % 1000 === 0 ? `${skewMs / 1000}s` : `${skewMs}ms`}` },
        evidence:
          `phone times of ${counted(shown.length, "row")} are ${shortSpan(skewMs)} ${direction} their arrival, ` +
          `within ${toleranceMs / 1000}s, ${clockTime(fromMs)} to ${clockTime(toMs)}`,
        rows: shown.map(({ place }) => place),
      },
    ];
  });
}

function toldTogether(rows: readonly DayRow[]): Told[] {
  const told: { atMs: number; offsetMs: number; rows: DayRow[] }[] = [];
  for (const row of rows) {
    const offsetMs = (row.phoneMs ?? row.atMs) - row.atMs;
    const last = told.at(-1);
    if (last !== undefined && row.atMs - last.atMs <= 1_000) {
      last.offsetMs = Math.max(last.offsetMs, offsetMs);
      last.rows.push(row);
    } else told.push({ atMs: row.atMs, offsetMs, rows: [row] });
  }
  return told;
}

/** Whether several syncs from one on have the same difference. */
function isSteady(
  told: readonly Told[],
  index: number,
  level: number,
  isLateElsewhere: (fromMs: number, toMs: number) => boolean,
): boolean {
  const [first, ...others] = told.slice(index, index + syncsBehind);
  if (first === undefined) return false;
  // The right time again: no other explanation makes just this difference.
  const isRight = Math.abs(first.offsetMs) <= toleranceMs / 2;
  const last = others.at(-1) ?? first;
  if (others.length < syncsBehind - 1 && !isRight) return false;
  const isSame = others.every(({ offsetMs }) => Math.abs(offsetMs - first.offsetMs) <= toleranceMs);
  return isSame && first.offsetMs < level - toleranceMs && !isLateElsewhere(first.atMs, last.atMs);
}

function roundSkew(ms: number): number {
  // The way of a sync makes each difference a little smaller.
  return Math.round(ms / 1000) * 1000;
}

/** The middle value; 0 of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
