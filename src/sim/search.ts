/**
 * Binary search for the last index for which a condition is true.
 *
 * @param count - indexes run from 0 to `count` - 1
 * @param holds - true up to some index and false after it
 * @returns 0 also if the condition is true for none
 */
export function lastIndexWhere(count: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
