/**
 * Binary search for the first index at which a condition holds; the length if it holds at none.
 *
 * @param isTrue - false up to some index and true after it
 */
export function firstIndex(length: number, isTrue: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isTrue(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
