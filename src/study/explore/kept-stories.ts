import type { Stream } from "../../sim/index.js";
import { type Behaviour, saysMuch } from "./behaviour.js";
import type { Story } from "./story.js";

/** A behaviour, and the story that shows it with the fewest changes. */
interface KeptBehaviour {
  readonly weight: number;
  story: Story;
  /** Plays that showed it. */
  shown: number;
  /** How often its story was varied for it. */
  varied: number;
}

/** The stories that showed something new, and which of them to vary next. */
export class KeptStories {
  readonly #kept = new Map<string, KeptBehaviour>();

  /** Kinds of behaviour that were seen. */
  get behaviours(): number {
    return this.#kept.size;
  }

  /** Different stories that are kept. */
  get stories(): number {
    return new Set([...this.#kept.values()].map(({ story }) => story)).size;
  }

  /** Notes what a play showed. @returns what no play before it showed */
  note(story: Story, behaviour: Behaviour): readonly string[] {
    const fresh: string[] = [];
    for (const [name, weight] of behaviour) {
      const known = this.#kept.get(name);
      if (known === undefined) {
        fresh.push(name);
        this.#kept.set(name, { weight, story, shown: 1, varied: 0 });
        continue;
      }
      known.shown++;
      if (story.length < known.story.length) known.story = story;
    }
    return fresh;
  }

  /** Whether a smaller story for a behaviour is worth some plays: it says much, and its story has several changes. */
  needsTrim(behaviour: string): boolean {
    const kept = this.#kept.get(behaviour);
    return kept !== undefined && saysMuch(kept.weight) && kept.story.length > 1;
  }

  /** The story to vary next. */
  pick(draw: Stream): Story | undefined {
    const kept = [...this.#kept.values()];
    if (kept.length === 0) return undefined;
    const weights = kept.map(urgencyOf);
    let left = draw.next() * weights.reduce((sum, weight) => sum + weight, 0);
    for (const [place, one] of kept.entries()) {
      left -= weights[place] ?? 0;
      if (left > 0) continue;
      one.varied++;
      return one.story;
    }
    return kept.at(-1)?.story;
  }

  /** Any of the kept stories. */
  any(draw: Stream): Story | undefined {
    const kept = [...this.#kept.values()];
    return kept[draw.int(0, Math.max(0, kept.length - 1))]?.story;
  }
}

/**
 * The weight with which a behaviour's story is picked: high for one that says much, and was seldom shown and seldom varied.
 * A trimmed story needs each of its changes, so a longer one is nearer to a failure that needs one cause more. A story that
 * was not trimmed may have changes without effect, so a longer one counts less.
 */
function urgencyOf({ weight, story, shown, varied }: KeptBehaviour): number {
  const depth = saysMuch(weight) ? (1 + story.length) ** 2 : 1 / (1 + story.length);
  return (weight * depth) / (Math.sqrt(shown) * (1 + varied / 8) ** 2);
}
