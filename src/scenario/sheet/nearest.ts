/** Maximum number of words that a hint lists. All verbs fit. */
const LISTED_MAX = 40;
/** Longer words are not compared. */
const mostLetters = 100;
/** Maximum number of words that one is compared with. */
const mostCompared = 2_000;

/**
 * The valid word nearest to a mistyped one; undefined: none is close. Close means an edit distance of at most a third
 * of its letters, ignoring case. Of equally near words the one with the longer common prefix wins.
 *
 * It compares the first 2,000 valid words of about the same length, of up to 100 letters.
 */
export function nearest(word: string, valid: Iterable<string>): string | undefined {
  if (word.length > mostLetters) return undefined;
  const typed = word.toLowerCase();
  let compared = 0;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(Math.min(typed.length, 30) / 3)) + 0.005;
  for (const candidate of valid) {
    if (Math.abs(candidate.length - typed.length) - 0.3 > bestDistance) continue; // 0.3: the most that a common start subtracts
    if (++compared > mostCompared) break;
    const distance = editDistance(typed, candidate.toLowerCase()) - commonStart(typed, candidate.toLowerCase()) / 100;
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

function commonStart(left: string, right: string): number {
  let length = 0;
  while (length < Math.min(left.length, right.length, 30) && left[length] === right[length]) length++;
  return length;
}

/** The hint for an invalid word: the nearest valid one, else the list. */
export function suggest(word: string, valid: Iterable<string>): string {
  const words = [...valid];
  const close = nearest(word, words);
  if (close !== undefined) return `did you mean '${close}'?`;
  if (words.length === 0) return "there are none";
  const listed = words.slice(0, LISTED_MAX).join(", ");
  return `one of: ${listed}${words.length > LISTED_MAX ? `, … (${words.length} in all)` : ""}`;
}

/** Restricted Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbours. */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, place) => place);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[right.length] ?? 0;
}
