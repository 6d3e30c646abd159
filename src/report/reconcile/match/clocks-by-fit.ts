import { readableDuration } from "../../number-format.js";
import { type ReceiverClock, EventsInTime } from "./match-by-time.js";

/** Rows of which the times are compared with each clock. */
const ROWS_MAX = 2000;

/** A clock fits the log if at least this share of its times is near the clock's. */
const FEW = 0.1;

/**
 * The clocks in the order in which a log's times fit them, and a warning if most are displaced by the same time.
 *
 * @param groups - rows and events of the same phone and text
 */
export function clocksByFit(
  groups: Iterable<{ readonly rows: readonly number[]; readonly events: readonly number[] }>,
  {
    clocks,
    timesMs,
    windowMs,
  }: { readonly clocks: readonly ReceiverClock[]; readonly timesMs: Float64Array; readonly windowMs: number },
): { readonly clocks: readonly ReceiverClock[]; readonly warning: string | undefined } {
  const offsets = new Map<ReceiverClock, number[]>(clocks.map((clock) => [clock, []]));
  let count = 0;
  for (const { rows, events } of groups) {
    if (count >= ROWS_MAX) break;
    if (events.length === 0) continue;
    const inTime = new EventsInTime(events, clocks);
    for (const row of rows.slice(0, ROWS_MAX - count)) {
      count++;
      for (const [clock, list] of offsets) {
        const timeMs = timesMs[row] ?? NaN;
        const event = Number.isNaN(timeMs) ? undefined : inTime.nearest(timeMs, clock);
        if (event !== undefined) list.push(timeMs - clock.from(event));
      }
    }
  }
  const fits = Array.from(offsets, ([clock, list]) => {
    list.sort((a, b) => a - b);
    const median = list[list.length >> 1] ?? 0;
    return { clock, median, near: shareNear(0, list, windowMs), alike: shareNear(median, list, windowMs) };
  });
  fits.sort((a, b) => b.near - a.near || Math.abs(a.median) - Math.abs(b.median));
  const displaced = fits.toSorted((a, b) => b.alike - a.alike)[0];
  const isFar = fits.every(({ near }) => near < FEW) && displaced !== undefined && displaced.alike > 0.5;
  return { clocks: fits.map(({ clock }) => clock), warning: isFar ? farText(displaced.median) : undefined };
}

function shareNear(middle: number, offsetsMs: readonly number[], windowMs: number): number {
  const near = offsetsMs.filter((offsetMs) => Math.abs(offsetMs - middle) <= windowMs).length;
  return offsetsMs.length === 0 ? 0 : near / offsetsMs.length;
}

function farText(offsetMs: number): string {
  const way = offsetMs > 0 ? "later" : "earlier";
  return (
    `most times in the log are about ${readableDuration(Math.abs(offsetMs))} ${way} than those of their events: ` +
    "is --timezone right, or --window too short?"
  );
}
