/**
 * The search for a smallest failing input. It knows elements by their index and nothing else, so it serves events, fields of
 * a body, characters of a text and people of a scenario alike.
 *
 * Order of the work: small candidates in growing size, so that most bugs never play a large input again; halves; groups from
 * coarse to fine by binary splitting; single removals, which prove that nothing can go (1-minimality, Zeller and Hildebrandt
 * 2002, "Simplifying and Isolating Failure-Inducing Input").
 */

/** What a trial showed. `unresolved`: neither, such as a receiver that did not start; it counts as no failure. */
export type TrialOutcome = "fails" | "passes" | "unresolved";

/** Indexes of elements, ascending. */
export type Kept = readonly number[];

/** What is searched. */
export interface SearchSpace {
  /** An input that is known to fail. */
  readonly start: Kept;
  /** Elements that are never removed, such as the one at which the failure shows. */
  readonly fixed: Kept;
  /** Inputs to try first; they are tried in growing size, without those that are no smaller than `start`. */
  readonly candidates?: readonly Kept[] | undefined;
  /** Groupings from coarse to fine, each a list of disjoint groups. Elements in none of them stay until the end. */
  readonly families?: readonly (readonly Kept[])[] | undefined;
  /** An element that another one needs: it is kept with it. An element needs at most one, and an earlier one. */
  readonly needs?: ((element: number) => number | undefined) | undefined;
}

/** How it is searched. */
export interface SearchOptions {
  readonly test: (kept: Kept) => Promise<TrialOutcome>;
  /** Trials at the same time. Default 1. */
  readonly width?: number | undefined;
  /** Trials at most. Default 300. */
  readonly trials?: number | undefined;
  /** Whether there is time for another trial. Default: always. */
  readonly hasTime?: (() => boolean) | undefined;
  /**
   * Called with each smaller failing input before it is accepted. False: it does not fail reliably, so the search continues
   * without it.
   */
  readonly onSmaller?: ((kept: Kept) => Promise<boolean>) | undefined;
}

/** The smallest failing input that was found. */
export interface SearchResult {
  readonly kept: Kept;
  /** Whether each single removal was tried and did not fail. */
  readonly isOneMinimal: boolean;
  /** Inputs that were tried, each once. */
  readonly trials: number;
  /** Inputs that came up again and were not tried again. */
  readonly cached: number;
}

/** Number of elements from which halves are tried before groups. */
const HALVES_FROM = 64;

/** A result that is larger after the binary splitting is split again before single removals. */
const SPLIT_AGAIN_FROM = 12;

/** Finds a smallest failing input. It is deterministic if `test` is. */
export function searchSmallest(space: SearchSpace, options: SearchOptions): Promise<SearchResult> {
  return new Search(space, options).run();
}

/** Thrown when trials or time end. */
class BudgetEnded extends Error {}

/** A node of the binary splitting: units that are removed together. */
type Units = readonly Kept[];

class Search {
  readonly #space: SearchSpace;
  readonly #options: SearchOptions;
  readonly #width: number;
  readonly #fixed: ReadonlySet<number>;
  readonly #outcomes = new Map<string, TrialOutcome>();
  #kept: Kept;
  #trials = 0;
  #cached = 0;

  constructor(space: SearchSpace, options: SearchOptions) {
    this.#space = space;
    this.#options = options;
    this.#width = Math.max(1, options.width ?? 1);
    this.#fixed = new Set(this.#withNeeds(space.fixed));
    this.#kept = this.#withNeeds(space.start);
    this.#outcomes.set(keyOf(this.#kept), "fails");
  }

  async run(): Promise<SearchResult> {
    let isOneMinimal = false;
    try {
      await this.#tryCandidates();
      await this.#cutHalves();
      for (const family of this.#space.families ?? []) await this.#splitFamily(family);
      await this.#splitSingles();
      await this.#removeSingles();
      isOneMinimal = true;
    } catch (error) {
      if (!(error instanceof BudgetEnded)) throw error;
    }
    return { kept: this.#kept, isOneMinimal, trials: this.#trials, cached: this.#cached };
  }

  async #tryCandidates(): Promise<void> {
    const { candidates = [], fixed } = this.#space;
    const closed = candidates.map((candidate) => this.#withNeeds([...candidate, ...fixed]));
    const sets = closed
      .filter((set) => set.length < this.#kept.length)
      .toSorted((a, b) => a.length - b.length || firstDifference(a, b));
    await this.#acceptFirst(sets);
  }

  /** While one half of the input is not needed, the older or the newer, it goes. */
  async #cutHalves(): Promise<void> {
    for (;;) {
      const free = this.#free();
      if (free.length < HALVES_FROM) return;
      const middle = Math.ceil(free.length / 2);
      const halves = [free.slice(0, middle), free.slice(middle)];
      if (!(await this.#acceptFirst(halves.map((half) => this.#without(half))))) return;
    }
  }

  async #splitFamily(family: readonly Kept[]): Promise<void> {
    const kept = new Set(this.#kept);
    const units = family
      .map((group) => group.filter((element) => kept.has(element) && !this.#fixed.has(element)))
      .filter((group) => group.length > 0);
    const size = units.reduce((sum, { length }) => sum + length, 0);
    // Groups of hardly more than one element each help no more than single elements do.
    if (units.length < 2 || units.length > 0.7 * size) return;
    await this.#split(units);
  }

  async #splitSingles(): Promise<void> {
    for (let before = Infinity; this.#kept.length < before && this.#kept.length > this.#fixed.size;) {
      before = this.#kept.length;
      await this.#split(this.#free().map((element) => [element]));
      if (this.#kept.length < SPLIT_AGAIN_FROM) return;
    }
  }

  /**
   * Binary splitting, level by level: of each group that has something needed, the first half is removed; if the failure
   * goes, the first half has something needed, and the second halves of all such groups are removed together. So each level
   * takes about one trial more than it has groups, and the input becomes half as large.
   */
  async #split(units: Units): Promise<void> {
    if (units.length === 0) return;
    if (await this.#accept(this.#without(units.flat()))) return;
    let level: Units[] = [units];
    while (level.some((group) => group.length > 1)) {
      const next: Units[] = level.filter((group) => group.length === 1);
      const second: Units[] = [];
      const toSplit = level.filter((group) => group.length > 1);
      while (toSplit.length > 0) {
        const batch = toSplit.slice(0, this.#width);
        const halves = batch.map((group) => halvesOf(group));
        const sets = halves.map(([first]) => this.#without(first.flat()));
        const outcomes = await this.#outcomesOf(sets);
        let isOneRemoved = false;
        const again: Units[] = [];
        for (const [index, [first, rest]] of halves.entries()) {
          const fails = outcomes[index] === "fails";
          if (fails && !isOneRemoved && (await this.#accept(sets[index] ?? []))) {
            isOneRemoved = true;
            // What the whole group has that is needed, is in the other half.
            next.push(rest);
          } else if (fails && isOneRemoved) again.push(batch[index] ?? []);
          else {
            next.push(first);
            second.push(rest);
          }
        }
        toSplit.splice(0, batch.length, ...again);
      }
      next.push(...(await this.#removeTogether(second, false)));
      level = next.map((group) => this.#present(group)).filter((group) => group.length > 0);
    }
  }

  /**
   * Removes groups of which most are not needed.
   *
   * @param isNeeded - one of them is known to be needed
   * @returns those that are needed
   */
  async #removeTogether(groups: readonly Units[], isNeeded: boolean): Promise<Units[]> {
    if (groups.length === 0) return [];
    if (!isNeeded && (await this.#accept(this.#without(groups.flat(2))))) return [];
    if (groups.length === 1) return [...groups];
    const middle = Math.ceil(groups.length / 2);
    const first = await this.#removeTogether(groups.slice(0, middle), false);
    const second = await this.#removeTogether(groups.slice(middle), first.length === 0);
    return [...first, ...second];
  }

  /** Removes each element by itself until none can go. */
  async #removeSingles(): Promise<void> {
    for (;;) {
      const sets = this.#free().map((element) => this.#without([element]));
      if (!(await this.#acceptFirst(sets))) return;
    }
  }

  /** Accepts the first of some inputs that fails. */
  async #acceptFirst(sets: readonly Kept[]): Promise<boolean> {
    for (let from = 0; from < sets.length; from += this.#width) {
      const batch = sets.slice(from, from + this.#width);
      const outcomes = await this.#outcomesOf(batch);
      for (const [index, set] of batch.entries()) {
        if (outcomes[index] === "fails" && (await this.#accept(set))) return true;
      }
    }
    return false;
  }

  /** Makes an input the smallest one if it fails. */
  async #accept(set: Kept): Promise<boolean> {
    const [outcome] = await this.#outcomesOf([set]);
    if (outcome !== "fails") return false;
    if (set.length < this.#kept.length) {
      if ((await this.#options.onSmaller?.(set)) === false) {
        this.#outcomes.set(keyOf(set), "passes");
        return false;
      }
      this.#kept = set;
    }
    return true;
  }

  /** The outcomes of inputs, tried at the same time; none is tried twice. */
  async #outcomesOf(sets: readonly Kept[]): Promise<TrialOutcome[]> {
    const keys = sets.map(keyOf);
    const pending = new Map<string, Kept>();
    for (const [index, key] of keys.entries()) {
      if (this.#outcomes.has(key) || pending.has(key)) this.#cached++;
      else pending.set(key, sets[index] ?? []);
    }
    const { trials = 300, hasTime = () => true } = this.#options;
    if (pending.size > 0) {
      if (this.#trials + pending.size > trials || !hasTime()) throw new BudgetEnded();
      this.#trials += pending.size;
      await Promise.all(
        Array.from(pending, async ([key, set]) => this.#outcomes.set(key, await this.#options.test(set))),
      );
    }
    return keys.map((key) => this.#outcomes.get(key) ?? "unresolved");
  }

  /** The elements that may go. */
  #free(): Kept {
    return this.#kept.filter((element) => !this.#fixed.has(element));
  }

  /** The input without some elements, and without those that need them. */
  #without(removed: Kept): Kept {
    const gone = new Set(removed);
    const { needs } = this.#space;
    return this.#kept.filter((element) => {
      if (this.#fixed.has(element)) return true;
      const needed = needs?.(element);
      if (gone.has(element) || (needed !== undefined && gone.has(needed))) {
        gone.add(element);
        return false;
      }
      return true;
    });
  }

  /** Elements with all that they need, ascending, each once. */
  #withNeeds(elements: Kept): Kept {
    const all = new Set<number>();
    for (const element of elements) {
      for (let one: number | undefined = element; one !== undefined && !all.has(one); one = this.#space.needs?.(one)) {
        all.add(one);
      }
    }
    return [...all].sort((a, b) => a - b);
  }

  /** The units of a group that are still there. */
  #present(group: Units): Units {
    const kept = new Set(this.#kept);
    return group.map((unit) => unit.filter((element) => kept.has(element))).filter((unit) => unit.length > 0);
  }
}

function halvesOf(group: Units): readonly [first: Units, rest: Units] {
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

function firstDifference(a: Kept, b: Kept): number {
  for (const [index, element] of a.entries()) if (element !== b[index]) return element - (b[index] ?? 0);
  return 0;
}

/** A key of a set: its bits, 16 to a character. */
function keyOf(kept: Kept): string {
  const last = kept.at(-1) ?? 0;
  const words = new Uint16Array((last >> 4) + 1);
  for (const element of kept) words[element >> 4] = (words[element >> 4] ?? 0) | (1 << (element & 15));
  let key = "";
  for (let from = 0; from < words.length; from += 4096)
    key += String.fromCharCode(...words.subarray(from, from + 4096));
  return key;
}
