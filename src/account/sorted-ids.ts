/** The ids without repetition, ascending: the order in which rows keep lists of ids (service-api.md 2.2, 2.12). */
export function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
