/** Distinct strings, numbered from 0 in the order in which they were added (dictionary encoding). */
export class Dictionary {
  readonly #words: string[] = [];
  readonly #numbers = new Map<string, number>();

  get words(): readonly string[] {
    return this.#words;
  }

  /** @returns the word's number; -1 for undefined */
  add(word: string | undefined): number {
    if (word === undefined) return -1;
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#words.push(word) - 1;
      this.#numbers.set(word, number);
    }
    return number;
  }

  /** @returns -1 when it was not added */
  numberOf(word: string): number {
    return this.#numbers.get(word) ?? -1;
  }

  has(word: string): boolean {
    return this.#numbers.has(word);
  }

  /** @param number - as `add` returned it */
  word(number: number | undefined): string | undefined {
    return number === undefined || number === -1 ? undefined : this.#words[number];
  }
}
