import { clocksOf } from "../match/match-by-time.js";
import { nameRank } from "./column-roles.js";
import { type ColumnSearch, firstBy, MOST, NEARLY_ALL } from "./column-search.js";

/** A wrong time zone shifts times by less than this. */
const DAY_MS = 86_400_000;

/** The column with times near those of the rows' events. */
export function findTimeColumn(search: ColumnSearch): string | undefined {
  const { sample } = search;
  const { events, windowMs } = search.facts;
  const candidates = timeColumns(search);
  if (candidates.length === 0) return undefined;
  const clocks = clocksOf(events);
  const isNear = (timeMs: number, event: number): boolean =>
    clocks.some(({ from, to }) => timeMs >= from(event) - windowMs && timeMs <= to(event) + windowMs);
  const eventsOf = eventsOfRows(search);
  const evidence = candidates.map((column) => ({
    column,
    share: sample.share(column, ({ row, text }) => {
      const timeMs = timeOf(search, text);
      return eventsOf.get(row)?.some((event) => isNear(timeMs, event)) === true;
    }),
  }));
  // Columns that fit about as well are chosen by name: a few times may be wrong.
  const best = firstBy(evidence, ({ share }) => -Math.round(10 * share));
  return best !== undefined && best.share >= MOST ? best.column : undefined;
}

/**
 * Fallback when no column has times near the events, because all are shifted: a column with a usual name, or with
 * times within the run's days.
 */
export function guessTimeColumn(search: ColumnSearch): string | undefined {
  const { sample } = search;
  const candidates = timeColumns(search);
  const named = candidates.find((column) => nameRank("time", column) < Infinity);
  if (named !== undefined || candidates.length === 0) return named;
  const [from, to] = dayRangeOf(search);
  return candidates.find(
    (column) =>
      sample.share(column, ({ text }) => timeOf(search, text) >= from && timeOf(search, text) <= to) >= NEARLY_ALL,
  );
}

/** Columns that hold times. */
function timeColumns(search: ColumnSearch): string[] {
  const isTime = ({ text }: { readonly text: string }): boolean => !Number.isNaN(timeOf(search, text));
  return search.free("time").filter((column) => search.sample.share(column, isTime) >= NEARLY_ALL);
}

function timeOf({ facts: { instants } }: ColumnSearch, text: string): number {
  return instants.read(text.trim()) ?? NaN;
}

/** The events that a row may refer to: by its id or number, else by its phone and text, else by its phone. */
function eventsOfRows({ sample, facts, columns, linked }: ColumnSearch): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, readonly number[]>(Array.from(linked, ([row, event]) => [row, [event]]));
  const { phone, text } = columns;
  if (phone === undefined || linked.size > 0) return found;
  const { events, list, phones } = facts;
  const rows = sample.cells(phone).map((cell) => ({ row: cell.row, index: phones.numberOf(cell.text) }));
  const byPhone = new Map<number, number[]>(rows.map(({ index }) => [index, []]));
  for (const event of list) byPhone.get(events.phoneIndex(event))?.push(event);
  for (const { row, index } of rows) {
    const all = byPhone.get(index) ?? [];
    const words = text === undefined ? undefined : sample.at(text, row);
    const same = words === undefined ? [] : all.filter((event) => events.text(event) === words);
    found.set(row, same.length > 0 ? same : all);
  }
  return found;
}

/** From a day before the first to a day after the last time of the run, by any clock. */
function dayRangeOf({ facts: { events, list } }: ColumnSearch): readonly [number, number] {
  let [first, last] = [Infinity, -Infinity];
  const clocks = clocksOf(events);
  for (const event of list) {
    for (const { from, to } of clocks) {
      if (from(event) < first) first = from(event);
      if (to(event) > last) last = to(event);
    }
  }
  return [first - DAY_MS, last + DAY_MS];
}
