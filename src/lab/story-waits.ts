import { type Recording, STORY_WAITS_KEY, type StoryWait, storyWaitsOf } from "../store/index.js";

/** The states of the story's conditions. A recording keeps them with each commit, for reports and for a restart. */
export class StoryWaits {
  readonly #waits = new Map<number, StoryWait>();
  #json: string | undefined;

  /** @param options - `isUsed`: the story has conditions; `isContinued`: they continue with a recording's world */
  constructor(
    recording: Pick<Recording, "kept" | "keepWithCommits">,
    { isUsed, isContinued }: { readonly isUsed: boolean; readonly isContinued: boolean },
  ) {
    if (!isUsed) return;
    for (const wait of isContinued ? storyWaitsOf(recording) : []) this.#waits.set(wait.place, wait);
    recording.keepWithCommits(STORY_WAITS_KEY, () => (this.#json ??= JSON.stringify([...this.#waits.values()])));
  }

  /** The state of the condition of the step at a place; undefined: it was never watched. */
  get(place: number): StoryWait | undefined {
    return this.#waits.get(place);
  }

  /** Changes the state of a condition. */
  set(wait: StoryWait): void {
    this.#json = undefined;
    this.#waits.set(wait.place, wait);
  }
}
