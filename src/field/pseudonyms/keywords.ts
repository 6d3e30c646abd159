import { wordPattern } from "./pseudonyms.js";

/** Words that occur more often are keywords. */
const OFTEN = 10;

/** Distinct words that are counted exactly; beyond, rare ones are forgotten. */
const COUNTED_MAX = 100_000;

/**
 * Counts the words of a log's texts, to find its keywords: those that occur more than ten times and are no part of a
 * contact's name. Memory is bounded: the rarest words are forgotten, so a count may be too small, never too great.
 */
export class Keywords {
  readonly #counts = new Map<string, number>();
  readonly #names = new Set<string>();
  #rare = 1;

  addText(text: string): void {
    for (const [word] of text.matchAll(wordPattern)) {
      if (!isEligible(word)) continue;
      const key = word.toLowerCase();
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    }
    if (this.#counts.size > COUNTED_MAX) this.#forgetRare();
  }

  addName(name: string): void {
    if (this.#names.size < COUNTED_MAX * 5)
      for (const [word] of name.matchAll(wordPattern)) this.#names.add(word.toLowerCase());
  }

  /** In lower case. */
  found(): ReadonlySet<string> {
    return new Set(
      [...this.#counts].flatMap(([word, count]) => (count > OFTEN && !this.#names.has(word) ? [word] : [])),
    );
  }

  #forgetRare(): void {
    for (const [word, count] of this.#counts) if (count <= this.#rare) this.#counts.delete(word);
    if (this.#counts.size > COUNTED_MAX / 2 && this.#rare < OFTEN) this.#rare++;
  }
}

/** Numbers follow a rule of their own; long words with digits are tokens. */
function isEligible(word: string): boolean {
  if (/^\d+$/.test(word) || word.length > 24) return false;
  return word.length <= 8 || !/\d/.test(word);
}
