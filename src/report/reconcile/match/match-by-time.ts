import { firstIndex } from "../../../measure/index.js";
import type { Matches } from "./matches.js";
import type { SentEvents } from "../events/sent-events.js";

/** A time that a receiver may log for an event: `from` and `to` differ for the first and last of several requests. */
export interface ReceiverClock {
  readonly from: (event: number) => number;
  readonly to: (event: number) => number;
}

/** The event's own time, its virtual time, and the time of its requests. */
export function clocksOf(events: SentEvents): readonly ReceiverClock[] {
  const ownMs = (event: number): number => events.ownMs(event);
  const virtualMs = (event: number): number => events.virtualMs(event);
  return [
    { from: ownMs, to: ownMs },
    { from: virtualMs, to: virtualMs },
    { from: (event) => events.firstSentMs(event), to: (event) => events.lastSentMs(event) },
  ];
}

/** How rows and events are matched by time. */
export interface TimeRules {
  readonly matches: Matches;
  /** The time of each row in milliseconds since 1970, NaN for a row without a time. */
  readonly timesMs: Float64Array;
  /** Clocks, the likeliest first. */
  readonly clocks: readonly ReceiverClock[];
  /** Largest distance between the times of a row and its event. */
  readonly windowMs: number;
}

/**
 * Assigns rows to events that differ in time only. Accepted events come first, then their copies, then events that the
 * receiver may not have.
 *
 * @param rows - in the order of `inTime`
 * @returns the rows that match no event
 */
export function matchByTime(rows: readonly number[], events: readonly number[], rules: TimeRules): readonly number[] {
  if (rows.length === 0 || events.length === 0) return rows;
  let left = rows;
  for (const tier of tiers) {
    let candidates = tier(events, rules.matches);
    for (const clock of rules.clocks) {
      if (left.length === 0) return left;
      if (candidates.length === 0) break;
      left = matchTier(left, candidates, { ...rules, clock });
      candidates = candidates.filter((event) => rules.matches.isFree(event));
    }
    left = matchUntimed(left, candidates, rules);
  }
  return left;
}

/** Rows in the order of their times; those without a time are the last. */
export function inTime(rows: Iterable<number>, timesMs: Float64Array): readonly number[] {
  const rank = (row: number): number => {
    const timeMs = timesMs[row] ?? NaN;
    return Number.isNaN(timeMs) ? Number.MAX_VALUE : timeMs;
  };
  const sorted = [...rows];
  // Logs are mostly in the order of time.
  if (sorted.every((row, index) => index === 0 || rank(sorted[index - 1] ?? 0) <= rank(row))) return sorted;
  return sorted.sort((a, b) => rank(a) - rank(b) || a - b);
}

type Tier = (events: readonly number[], matches: Matches) => readonly number[];

const tiers: readonly Tier[] = [originals, accepted, sent];

/** Accepted events, one for each original. An original is left out if a row matches it or one of its copies. */
function originals(events: readonly number[], matches: Matches): readonly number[] {
  const seen = new Set<number>();
  return events.filter((event) => {
    const original = matches.events.original(event);
    if (!matches.isMissing(event) || seen.has(original)) return false;
    seen.add(original);
    return true;
  });
}

function accepted(events: readonly number[], matches: Matches): readonly number[] {
  return events.filter((event) => matches.isFree(event) && matches.events.isAccepted(event));
}

function sent(events: readonly number[], matches: Matches): readonly number[] {
  return events.filter((event) => matches.isFree(event));
}

/**
 * A maximum matching of points and intervals, in O(n log n): the events are sorted by the end of their window, and
 * each takes the earliest free row within it.
 */
function matchTier(
  rows: readonly number[],
  events: readonly number[],
  { matches, timesMs, clock, windowMs }: TimeRules & { readonly clock: ReceiverClock },
): readonly number[] {
  const timed = events.filter((event) => !Number.isNaN(clock.to(event)));
  timed.sort((a, b) => clock.to(a) - clock.to(b));
  // Union-find with path halving: the next free row at or after a row.
  const next = new Int32Array(rows.length + 1).map((_, index) => index);
  const freeFrom = (index: number): number => {
    let at = index;
    while (next[at] !== at) at = next[at] = next[next[at] ?? 0] ?? 0;
    return at;
  };
  for (const event of timed) {
    const index = freeFrom(firstAtOrAfter(clock.from(event) - windowMs, rows, timesMs));
    const row = rows[index];
    if (row === undefined || !((timesMs[row] ?? NaN) <= clock.to(event) + windowMs)) continue;
    matches.match(event, row);
    next[index] = index + 1;
  }
  return rows.filter((_, index) => next[index] === index);
}

function matchUntimed(
  rows: readonly number[],
  events: readonly number[],
  { matches, timesMs }: TimeRules,
): readonly number[] {
  let count = 0;
  return rows.filter((row) => {
    if (!Number.isNaN(timesMs[row])) return true;
    const event = events[count];
    if (event === undefined) return true;
    count++;
    matches.match(event, row);
    return false;
  });
}

/** Index of the first row at or after a time; rows without a time sort after all times. */
function firstAtOrAfter(timeMs: number, rows: readonly number[], timesMs: Float64Array): number {
  return firstIndex(rows.length, (index) => !((timesMs[rows[index] ?? 0] ?? NaN) < timeMs));
}

/** Finds the events that are near a time. */
export class EventsInTime {
  readonly #events: readonly number[];
  /** For each clock: the events sorted by `from`, and for each index the event up to it with the latest `to`. */
  readonly #orders: readonly {
    readonly clock: ReceiverClock;
    readonly sorted: readonly number[];
    readonly last: readonly number[];
  }[];

  constructor(events: readonly number[], clocks: readonly ReceiverClock[]) {
    this.#events = events;
    this.#orders = clocks.map((clock) => {
      const sorted = events.filter((event) => !Number.isNaN(clock.from(event)));
      sorted.sort((a, b) => clock.from(a) - clock.from(b));
      let latest: number | undefined;
      const last = sorted.map((event) => {
        if (latest === undefined || clock.to(event) >= clock.to(latest)) latest = event;
        return latest;
      });
      return { clock, sorted, last };
    });
  }

  /** An event within a window of a time by any clock. @param timeMs - NaN: any event */
  near(timeMs: number, windowMs: number): number | undefined {
    if (Number.isNaN(timeMs)) return this.#events[0];
    for (const { clock, sorted, last } of this.#orders) {
      const event = last[firstIndex(sorted.length, (index) => clock.from(sorted[index] ?? 0) > timeMs + windowMs) - 1];
      if (event !== undefined && clock.to(event) >= timeMs - windowMs) return event;
    }
    return undefined;
  }

  /** The event whose `from` is nearest to a time by a clock. */
  nearest(timeMs: number, clock: ReceiverClock): number | undefined {
    const sorted = this.#orders.find((order) => order.clock === clock)?.sorted ?? [];
    const index = firstIndex(sorted.length, (at) => clock.from(sorted[at] ?? 0) > timeMs);
    const [before, after] = [sorted[index - 1], sorted[index]];
    if (before === undefined || after === undefined) return before ?? after;
    return timeMs - clock.from(before) <= clock.from(after) - timeMs ? before : after;
  }
}
