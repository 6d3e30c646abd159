import type { ReceiverInput, Step, StoryInput } from "../scenario/index.js";
import type { Kernel } from "../sim/index.js";
import type { Story } from "./story.js";
import type { ReceiverSwitch } from "./target.js";
import type { LiveClock } from "./time/clock.js";

/** What can be done: all that a story's step can say but for what it expects. */
type Deed = Exclude<StoryInput, { to: "expect" }>;

export interface StageOptions {
  readonly kernel: Kernel;
  /** Absent where virtual time does not go by the wall's. */
  readonly clock: LiveClock | undefined;
  readonly story: Story;
  /** The scenario's own steps. */
  readonly steps: readonly Step[];
  /** Which of them are still to come, where the world goes on at a later instant than 0. */
  readonly isAhead: (step: Step) => boolean;
  /** The bundled receiver's switch; absent for a receiver of somebody else's. */
  readonly receiver: ReceiverSwitch | undefined;
  /** A step asked for a receiver that cannot be switched. */
  readonly unswitched: () => void;
  readonly log: (text: string) => void;
}

/**
 * Where steps of the story and hands act: in the kernel's time, and where one has to happen outside of it (the receiver is
 * switched) between two of the kernel's steps.
 */
export class Stage {
  readonly #options: StageOptions;
  readonly #barriers: (() => Promise<void>)[] = [];
  #hands = 0;

  constructor(options: StageOptions) {
    this.#options = options;
  }

  /** Schedules the story's steps: before anything else is, so at their instant they come first, in file order. */
  schedule(): void {
    const { kernel, steps, isAhead } = this.#options;
    steps.forEach((step, index) => {
      const { atMs, input } = step;
      if (input.to === "expect" || !isAhead(step)) return;
      kernel.at(atMs, () => this.#perform(input, index), undefined);
    });
  }

  /** Does now what a hand asks for. */
  perform(input: Deed): void {
    // Streams of hands are named apart from those of the story's steps.
    this.#perform(input, this.#options.steps.length + this.#hands++);
  }

  /** The first thing that waits to be done between two steps. */
  takeBarrier(): (() => Promise<void>) | undefined {
    return this.#barriers.shift();
  }

  get hasBarrier(): boolean {
    return this.#barriers.length > 0;
  }

  #perform(input: Deed, step: number): void {
    if (input.to === "log") this.#options.log(input.text);
    else if (input.to === "receiver") this.#switchReceiver(input.input);
    else this.#options.story.perform(input, step);
  }

  #switchReceiver(input: ReceiverInput): void {
    const { receiver, kernel } = this.#options;
    if (receiver === undefined) return this.#options.unswitched();
    this.#stopFor(() => receiver.answer(input));
    if (input.forMs === undefined) return;
    kernel.in(input.forMs, () => this.#stopFor(() => receiver.answer({ answers: "ok" })), undefined);
  }

  /** Has something done outside virtual time, before the next step; what is due before it leaves before it. */
  #stopFor(barrier: () => Promise<void>): void {
    const { kernel, clock } = this.#options;
    const dueWallMs = clock?.dueWallMs(kernel.now) ?? 0;
    this.#barriers.push(async () => {
      await clock?.until(dueWallMs);
      await barrier();
    });
    kernel.pause();
  }
}
