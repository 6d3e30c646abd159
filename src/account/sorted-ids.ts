/**
 * The ids without repetition, ascending: the order in which rows keep lists of ids
 * (docs/reference/service-api.md#broadcasts and docs/reference/service-api.md#flow-starts).
 */
export function sortedIds(ids: readonly number[]): number[] {
  return [...new Set(ids)].toSorted((a, b) => a - b);
}
