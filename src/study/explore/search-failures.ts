import { type Scenario, writtenTree, type WrittenTree, writtenYaml } from "../../scenario/index.js";
import { type Stream, Streams } from "../../sim/index.js";
import { searchSmallest } from "../minimise/search.js";
import { type Behaviour, saysMuch, type Shown } from "./behaviour.js";
import { KeptStories } from "./kept-stories.js";
import { learnWords, type StoryCast, storyCast } from "./story-cast.js";
import { type Story, storyTree } from "./story.js";
import { StoryVariation } from "./vary-story.js";

/** Changes of one trial at most. */
const CHANGES_MAX = Number(process.env["CMAX"] ?? 6);

/** Changes of a trial that nothing guides, at most: as many as guided stories collect. */
const UNGUIDED_CHANGES_MAX = Number(process.env["UMAX"] ?? 12);

/** What one trial showed. */
export interface TrialShown extends Shown {
  /** The fingerprint of the failure; undefined: none. */
  readonly failure: string | undefined;
}

/** How failures are searched for. */
export interface SearchFailures {
  /** A sound scenario. */
  readonly text: string;
  readonly scenario: Scenario;
  readonly seed: number;
  /** False: each trial varies the scenario itself, whatever came before. For comparison. */
  readonly isGuided: boolean;
  /** Reads a scenario; undefined: it is not sound. */
  readonly read: (text: string) => Scenario | undefined;
  /** Plays a scenario at a receiver in its first state; undefined: it could not be judged. */
  readonly play: (scenario: Scenario) => Promise<TrialShown | undefined>;
  readonly isOver: () => boolean;
  /** Called for each failure with another fingerprint than those before: `text` is the scenario that shows it. */
  readonly onFailure: (text: string, trial: number) => Promise<void>;
  /** An answer with other words or another status than any before. */
  readonly onNew?: ((what: string, trial: number) => void) | undefined;
  readonly onTrial?: ((progress: SearchProgress) => void) | undefined;
}

/** Where a search stands. */
export interface SearchProgress {
  readonly trials: number;
  /** Kinds of behaviour that were seen. */
  readonly behaviours: number;
  /** Stories that are kept, because each shows something that no smaller one does. */
  readonly kept: number;
  readonly failures: number;
}

/**
 * Varies a scenario until the receiver fails: causes, texts and instants are added, moved and doubled. A story after which
 * the receiver behaves as it did not before is kept without the changes that this does not need, and varied in turn; so a
 * failure that needs several causes is approached cause by cause, wherever the receiver shows that it remembers them.
 */
export async function searchFailures(search: SearchFailures): Promise<SearchProgress> {
  const tree = writtenTree(search.text);
  if (tree === undefined) throw new RangeError("the scenario is not sound");
  return new FailureSearch(tree, search).run();
}

class FailureSearch {
  readonly #tree: WrittenTree;
  readonly #search: SearchFailures;
  readonly #draw: Stream;
  readonly #cast: StoryCast;
  readonly #variation: StoryVariation;
  readonly #kept = new KeptStories();
  readonly #failures = new Set<string>();
  /** Scenarios that were played. */
  readonly #played = new Set<string>();
  /** The failure of the scenario itself. */
  #known: string | undefined;
  #trials = 0;

  constructor(tree: WrittenTree, search: SearchFailures) {
    this.#tree = tree;
    this.#search = search;
    this.#draw = new Streams(search.seed).get("explore");
    this.#cast = storyCast(tree, search.scenario);
    this.#variation = new StoryVariation(tree, this.#cast, this.#draw);
  }

  async run(): Promise<SearchProgress> {
    const { isGuided, isOver } = this.#search;
    await this.#try([]);
    // If it fails as it is, so do most variations: that failure is no reason to learn nothing from them.
    const [known] = this.#failures;
    this.#known = known;
    if (known !== undefined) await this.#try([]);
    while (!isOver()) {
      const draw = this.#draw;
      const base = isGuided ? (this.#kept.pick(draw) ?? []) : [];
      const changes = draw.int(1, isGuided ? CHANGES_MAX : UNGUIDED_CHANGES_MAX);
      const story = this.#variation.vary(base, changes, () => (isGuided ? this.#kept.any(draw) : undefined));
      const fresh = await this.#try(story);
      if (!isGuided) continue;
      for (const behaviour of fresh) {
        if (this.#kept.needsTrim(behaviour)) await this.#trim(story, behaviour);
      }
    }
    return this.#progress();
  }

  /**
   * Takes away what a new behaviour does not need, so that later variations are about what matters. The smaller stories
   * are kept as they are played.
   */
  async #trim(story: Story, behaviour: string): Promise<void> {
    if (story.length < 2) return;
    const { isOver } = this.#search;
    const start = story.map((_, place) => place);
    await searchSmallest(
      { start, fixed: [], families: [] },
      {
        test: async (some) => {
          const shown = await this.#play(story.filter((_, place) => some.includes(place)));
          return shown?.behaviour.has(behaviour) === true ? "fails" : "passes";
        },
        trials: 2 * story.length,
        hasTime: () => !isOver(),
      },
    );
  }

  /**
   * Plays a story, unless it was played before.
   *
   * @returns what is new about it; nothing for one that fails, since variations of it fail, too
   */
  async #try(story: Story): Promise<readonly string[]> {
    if (story.length > 0 && this.#played.has(this.#textOf(story))) return [];
    return (await this.#play(story))?.fresh ?? [];
  }

  async #play(story: Story): Promise<{ readonly behaviour: Behaviour; readonly fresh: readonly string[] } | undefined> {
    const text = this.#textOf(story);
    const scenario = this.#search.read(text);
    if (scenario === undefined) return undefined;
    this.#played.add(text);
    this.#trials++;
    const shown = await this.#search.play(scenario);
    if (shown === undefined) return undefined;
    const { behaviour, replies, failure } = shown;
    if (failure !== undefined && failure !== this.#known) {
      if (!this.#failures.has(failure)) {
        this.#failures.add(failure);
        await this.#search.onFailure(text, this.#trials);
      }
      this.#search.onTrial?.(this.#progress());
      return undefined;
    }
    learnWords(this.#cast, replies);
    const fresh = this.#kept.note(story, behaviour);
    for (const what of fresh) if (saysMuch(behaviour.get(what) ?? 0)) this.#search.onNew?.(what, this.#trials);
    this.#search.onTrial?.(this.#progress());
    return { behaviour, fresh };
  }

  #textOf(story: Story): string {
    return writtenYaml(storyTree(this.#tree, story));
  }

  #progress(): SearchProgress {
    return {
      trials: this.#trials,
      behaviours: this.#kept.behaviours,
      kept: this.#kept.stories,
      failures: this.#failures.size,
    };
  }
}
