import { chanceOf, type TwoGroups } from "./exact-test.js";

/** A trait that many of the affected events have, and few of the others. */
export interface SharedTrait extends TwoGroups {
  /** What comes after "of N events": `have a text longer than one SMS`. */
  readonly text: string;
  /** Traits that the affected events with this trait share beyond it. */
  readonly within: readonly SharedTrait[];
}

/** Events with the same traits: how many are affected, how many are not. */
export interface TraitRow {
  readonly traits: ReadonlySet<string>;
  readonly affected: number;
  readonly others: number;
}

/** A trait is named only where chance explains it in less than one of a hundred such comparisons. */
const CHANCE_MAX = 0.01;
/** It is named only where at least this share of the affected events have it… */
const SHARE_LEAST = 0.3;
/** …at least this many of them… */
const AFFECTED_LEAST = 2;
/** …and it is this many times as frequent among them as among the others… */
const TIMES_LEAST = 2;
/** …or, since half of all events may have it, nearly all of the affected events have it, and at most this share of the others. */
const NEARLY_ALL = 0.95;
const OTHERS_MOST = 0.7;
/** Most independent traits that are named. */
const NAMED_MAX = 3;

/**
 * The traits that affected events share and others lack. The one that chance explains least comes first; then what the
 * events with it share beyond it; then the same for the affected events without it. So a trait that only follows from a
 * named one is not named.
 *
 * @param texts - of each trait
 */
export function sharedTraits(rows: readonly TraitRow[], texts: ReadonlyMap<string, string>): SharedTrait[] {
  const shared: SharedTrait[] = [];
  const all = sum(rows, ({ affected }) => affected);
  let left = rows;
  while (shared.length < NAMED_MAX) {
    const best = bestOf(left, texts, Math.max(AFFECTED_LEAST, SHARE_LEAST * all));
    if (best === undefined) return shared;
    const holders = left.filter(({ traits }) => traits.has(best.key));
    const bearers = sum(holders, ({ affected }) => affected);
    const deeper = bestOf(holders, texts, Math.max(AFFECTED_LEAST, 0.5 * bearers));
    const within =
      deeper === undefined ? [] : [{ ...deeper.groups, text: textOf(deeper.key, holders, texts), within: [] }];
    shared.push({ ...best.groups, text: textOf(best.key, left, texts), within });
    left = left.filter(({ traits }) => !traits.has(best.key));
  }
  return shared;
}

/** The trait's text; where the same events have another trait, too, nothing tells the two apart, and both are named. */
function textOf(key: string, rows: readonly TraitRow[], texts: ReadonlyMap<string, string>): string {
  const isSame = (other: string): boolean => rows.every(({ traits }) => traits.has(key) === traits.has(other));
  const also = [...texts.keys()].find((other) => other !== key && isSame(other));
  return [key, also].flatMap((one) => (one === undefined ? [] : (texts.get(one) ?? []))).join(" and ");
}

/** The trait that chance explains least; undefined: chance explains each. */
function bestOf(
  rows: readonly TraitRow[],
  texts: ReadonlyMap<string, string>,
  least: number,
): { readonly key: string; readonly groups: TwoGroups } | undefined {
  const of = sum(rows, ({ affected }) => affected);
  const others = sum(rows, (row) => row.others);
  if (of < AFFECTED_LEAST || others === 0) return undefined;
  const counts = new Map<string, { with: number; othersWith: number }>();
  for (const { traits, affected, others: unaffected } of rows) {
    for (const key of traits) {
      let count = counts.get(key);
      if (count === undefined) counts.set(key, (count = { with: 0, othersWith: 0 }));
      count.with += affected;
      count.othersWith += unaffected;
    }
  }
  let best: { key: string; groups: TwoGroups; chance: number } | undefined;
  for (const [key, { with: held, othersWith }] of counts) {
    if (held < least || !isTelling(held / of, othersWith / others)) continue;
    const groups = { with: held, of, othersWith, others };
    const chance = chanceOf(groups);
    if (chance * texts.size > CHANCE_MAX) continue;
    if (best === undefined || chance < best.chance) best = { key, groups, chance };
  }
  return best;
}

/** Whether a trait is frequent enough among the affected events, and rare enough among the others, to explain them. */
function isTelling(share: number, shareOfOthers: number): boolean {
  return share >= TIMES_LEAST * shareOfOthers || (share >= NEARLY_ALL && shareOfOthers <= OTHERS_MOST);
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
