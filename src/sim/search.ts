/**
 * Binary search for the first index at which a condition is true.
 *
 * @param holds - false up to some index and true from it on
 * @param range - `from` (default 0) is the first index, `count` the index after the last
 * @returns `count` if the condition is true for none
 */
export function firstIndexWhere(
  { from = 0, count }: { readonly from?: number; readonly count: number },
  holds: (index: number) => boolean,
): number {
  let [low, high] = [from, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Binary search for the last index for which a condition is true.
 *
 * @param count - indexes run from 0 to `count` - 1
 * @param holds - true up to some index and false after it
 * @returns 0 also if the condition is true for none
 */
export function lastIndexWhere(count: number, holds: (index: number) => boolean): number {
  return Math.max(0, firstIndexWhere({ count }, (index) => !holds(index)) - 1);
}
