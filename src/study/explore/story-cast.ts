import { type RawValue, type Scenario, type WrittenTree } from "../../scenario/index.js";
import { wordsIn } from "../audit/words.js";

/** Members of a group that variations name: few, so that causes meet. */
const MEMBERS_MAX = 3;

/** Words that are known at most. */
const WORDS_MAX = 60;

/** What variations may name: from the scenario, and from what the receiver says. */
export interface StoryCast {
  /** `clinic/0`: single handsets. */
  readonly handsets: readonly string[];
  /** `farmers/3`: single people. */
  readonly people: readonly string[];
  /** Texts of the scenario, then words of the receiver's replies. */
  readonly words: string[];
  readonly lastsMs: number;
}

/** The cast of a scenario for variations. */
export function storyCast(tree: WrittenTree, { cast: { handsets, people, lastsMs } }: Scenario): StoryCast {
  const members = (groups: readonly { readonly name: string; readonly count: number }[]): string[] =>
    groups.flatMap(({ name, count }) =>
      Array.from({ length: Math.min(MEMBERS_MAX, count) }, (_, place) => `${name}/${place}`),
    );
  return {
    handsets: members(handsets),
    people: members(people),
    words: [...new Set(textsIn(tree))].slice(0, WORDS_MAX),
    lastsMs,
  };
}

/** Adds the words that replies name, such as `Reply STOP to end`, so that people write them, too. */
export function learnWords({ words }: StoryCast, replies: Iterable<string>): void {
  for (const reply of replies) {
    for (const word of wordsIn(reply)) {
      if (words.length < WORDS_MAX && !words.includes(word)) words.push(word);
    }
  }
}

/** The texts of a scenario's story, traffic and people. */
function textsIn(value: RawValue | undefined, key = ""): string[] {
  if (typeof value === "string") {
    return ["body", "pick", "text", "with"].includes(key) && value.length <= 160 && !value.includes("{") ? [value] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const inner: [string, RawValue][] = Array.isArray(value)
    ? value.map((item: RawValue): [string, RawValue] => [key, item])
    : Object.entries(value);
  return inner.flatMap(([name, one]) => textsIn(one, name));
}
