/** Steps up to which all are shown. */
const SHORT = 40;

/** Steps that are shown at the beginning of a long list. */
const FIRST = 10;

/** Steps that are shown on both sides of one that matters. */
const AROUND = 3;

/** Steps that are left out. */
export interface Gap {
  /** Place of the first one, from 0. */
  readonly from: number;
  readonly count: number;
}

/**
 * The places of a list's steps, from 0, with gaps where a long list has nothing that matters.
 *
 * @param marked - places that matter; `all`: no step is left out
 */
export function foldSteps(count: number, marked: readonly number[] | "all"): readonly (number | Gap)[] {
  const places = Array.from({ length: count }, (_, place) => place);
  if (marked === "all" || count <= SHORT) return places;
  const near = new Set(marked.flatMap((one) => Array.from({ length: 2 * AROUND + 1 }, (_, at) => one - AROUND + at)));
  const isShown = (place: number): boolean => place < FIRST || place === count - 1 || near.has(place);
  const rows: (number | Gap)[] = [];
  for (const place of places) {
    const last = rows.at(-1);
    if (isShown(place)) rows.push(place);
    else if (typeof last === "object") rows[rows.length - 1] = { from: last.from, count: last.count + 1 };
    else rows.push({ from: place, count: 1 });
  }
  return rows;
}
