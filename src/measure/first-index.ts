/**
 * Binary search for the first index at which a condition is true; the length if there is none.
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
