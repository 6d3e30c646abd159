import { parseDuration, writtenTree, type WrittenTree, writtenYaml } from "../../../scenario/index.js";
import { searchSmallest, type TrialOutcome } from "../search.js";
import {
  coarseParts,
  fineParts,
  type PartPath,
  type ScenarioPart,
  scalarsOf,
  withoutParts,
  withValue,
} from "./scenario-parts.js";
import { simplerValues, withEarlierTimes, withRelativeTimes } from "./simpler-values.js";

/** How a scenario is shrunk. */
export interface ShrinkOptions {
  /** Plays a scenario, the text of a sound file or not: `unresolved` where it is not sound. */
  readonly test: (text: string) => Promise<TrialOutcome>;
  /** Whether a scenario is sound; one that is not is not played. */
  readonly isSound: (text: string) => boolean;
  /** Plays at most. */
  readonly trials: number;
  readonly hasTime: () => boolean;
  /** Plays at the same time. */
  readonly width?: number | undefined;
}

/** A smaller scenario that fails in the same way. */
export interface ShrunkScenario {
  readonly text: string;
  /** No part of it can go: each single removal was played and did not fail. */
  readonly isOneMinimal: boolean;
  readonly trials: number;
  readonly cached: number;
}

/** Texts up to this length are shortened character by character. */
const CHARACTERS_MAX = 60;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Thrown when the plays or the time end. */
class BudgetEnded extends Error {}

/**
 * Shrinks a scenario that fails: from coarse to fine its groups, traffic, steps and other parts, then the keys within
 * them, then its values, at last each part by itself again. Comments are lost on the way.
 *
 * @param text - a sound scenario that fails
 */
export async function shrinkScenario(text: string, options: ShrinkOptions): Promise<ShrunkScenario> {
  const tree = writtenTree(text);
  if (tree === undefined) return { text, isOneMinimal: false, trials: 0, cached: 0 };
  return new Shrinking(tree, options).run();
}

class Shrinking {
  #tree: WrittenTree;
  readonly #options: ShrinkOptions;
  readonly #outcomes = new Map<string, TrialOutcome>();
  #trials = 0;
  #cached = 0;

  constructor(tree: WrittenTree, options: ShrinkOptions) {
    this.#tree = tree;
    this.#options = options;
    this.#outcomes.set(writtenYaml(tree), "fails");
  }

  async run(): Promise<ShrunkScenario> {
    let isOneMinimal = false;
    try {
      await this.#cutEnd();
      await this.#removeParts(coarseParts);
      await this.#removeParts(fineParts);
      await this.#tryTree(withRelativeTimes(this.#tree));
      await this.#tryTree(withEarlierTimes(this.#tree));
      await this.#simplify();
      // Simpler values may have made a part needless, and a part that went may allow simpler values.
      for (let before = ""; before !== this.#text();) {
        before = this.#text();
        await this.#removeParts(coarseParts);
        await this.#removeParts(fineParts);
        if (before !== this.#text()) await this.#simplify();
      }
      isOneMinimal = true;
    } catch (error) {
      if (!(error instanceof BudgetEnded)) throw error;
    }
    return { text: this.#text(), isOneMinimal, trials: this.#trials, cached: this.#cached };
  }

  #text(): string {
    return writtenYaml(this.#tree);
  }

  /** Shortens the whole first: every later play is shorter then. */
  async #cutEnd(): Promise<void> {
    const { lasts } = this.#tree;
    if (typeof lasts === "string") await this.#trySimpler(["lasts"], lasts, simplerValues(["lasts"], lasts));
  }

  async #removeParts(partsOf: (tree: WrittenTree) => ScenarioPart[]): Promise<void> {
    const tree = this.#tree;
    const parts = partsOf(tree);
    if (parts.length === 0) return;
    const all = parts.map((_, place) => place);
    const names = new Set(parts.map(({ family }) => family));
    const families = [...names].map((name) => all.filter((place) => parts[place]?.family === name));
    const treeWith = (kept: readonly number[]): WrittenTree => {
      const stay = new Set(kept);
      return withoutParts(
        tree,
        parts.filter((_, place) => !stay.has(place)),
      );
    };
    const { kept } = await searchSmallest(
      { start: all, fixed: [], families: [families] },
      {
        test: (some) => this.#test(treeWith(some)),
        // The plays are counted here: what is not sound costs none.
        trials: Infinity,
        width: this.#options.width,
        hasTime: () => this.#hasBudget(),
      },
    );
    if (kept.length < parts.length) this.#tree = treeWith(kept);
    if (!this.#hasBudget()) throw new BudgetEnded();
  }

  async #simplify(): Promise<void> {
    for (const { path, text } of scalarsOf(this.#tree)) {
      if (!this.#hasBudget()) throw new BudgetEnded();
      const before = this.#tree;
      await this.#trySimpler(path, text, simplerValues(path, text));
      if (this.#tree === before && isBody(path, text)) await this.#shorten(path, text);
    }
  }

  /** Takes away the words of a text that are not needed, then the characters of a short one. */
  async #shorten(path: PartPath, text: string): Promise<void> {
    const words = await this.#withoutParts(path, text, text.split(/(?<=\s)(?=\S)/u));
    const characters = Array.from(graphemes.segment(words), ({ segment }) => segment);
    if (characters.length <= CHARACTERS_MAX) await this.#withoutParts(path, words, characters);
  }

  /** Searches the fewest parts of a text with which it still fails. @returns the text of them */
  async #withoutParts(path: PartPath, text: string, parts: readonly string[]): Promise<string> {
    if (parts.length < 2) return text;
    const textOf = (kept: readonly number[]): string =>
      kept
        .map((place) => parts[place])
        .join("")
        .trim();
    const start = this.#tree;
    const { kept } = await searchSmallest(
      { start: parts.map((_, place) => place), fixed: [], families: [] },
      {
        test: (some) =>
          some.length === 0
            ? Promise.resolve("passes")
            : this.#test(replacedText(start, path, { was: text, value: textOf(some) })),
        trials: Infinity,
        width: this.#options.width,
        hasTime: () => this.#hasBudget(),
      },
    );
    if (kept.length === parts.length) return text;
    this.#tree = replacedText(start, path, { was: text, value: textOf(kept) });
    return textOf(kept);
  }

  /**
   * Takes the simplest of some values with which it still fails: the first one, or one that bisection finds, since
   * smaller values fail as often as they work.
   */
  async #trySimpler(path: PartPath, text: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    if (await this.#accept(path, text, values[0] ?? "")) return;
    let [low, high] = [1, values.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const before = this.#tree;
      if (await this.#accept(path, text, values[middle] ?? "")) high = middle;
      else low = middle + 1;
      if (this.#tree !== before && high === low) return;
    }
  }

  #accept(path: PartPath, was: string, value: string): Promise<boolean> {
    return this.#tryTree(replacedText(this.#tree, path, { was, value }));
  }

  /** Takes a scenario if it fails, too. */
  async #tryTree(tree: WrittenTree): Promise<boolean> {
    if ((await this.#test(tree)) !== "fails") return false;
    this.#tree = tree;
    return true;
  }

  #hasBudget(): boolean {
    return this.#trials < this.#options.trials && this.#options.hasTime();
  }

  async #test(tree: WrittenTree): Promise<TrialOutcome> {
    const text = writtenYaml(tree);
    const known = this.#outcomes.get(text);
    if (known !== undefined) {
      this.#cached++;
      return known;
    }
    if (!this.#options.isSound(text)) {
      this.#outcomes.set(text, "unresolved");
      return "unresolved";
    }
    if (!this.#hasBudget()) return "unresolved";
    this.#trials++;
    const outcome = await this.#options.test(text);
    this.#outcomes.set(text, outcome);
    return outcome;
  }
}

/** Whether a value is a text that people or the service write, other than a plain word. */
function isBody(path: PartPath, text: string): boolean {
  return path.at(-1) === "body" && !/^\w{1,5}$/.test(text);
}

/** The scenario with another value. A text is replaced wherever it stands: an expectation may name what a person wrote. */
function replacedText(
  tree: WrittenTree,
  path: PartPath,
  { was, value }: { readonly was: string; readonly value: string },
): WrittenTree {
  if (parseDuration(was) !== undefined || /^[\d.]+/.test(was)) return withValue(tree, path, value);
  let replaced = tree;
  for (const one of scalarsOf(tree)) if (one.text === was) replaced = withValue(replaced, one.path, value);
  return replaced;
}
