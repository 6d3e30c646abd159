import type { Kernel } from "../sim/index.js";
import type { Recording } from "../store/index.js";
import type { Happening } from "./happening.js";

const NO_SWITCH = "the story's receiver steps did nothing: the receiver is not the bundled one";

/** What a run says in words: warnings for its result, notes of its story in the recording and the live log. */
export class RunLog {
  readonly #recording: Recording;
  readonly #happened: ((happening: Happening) => void) | undefined;
  readonly #warnings: string[] = [];

  constructor(recording: Recording, happened: ((happening: Happening) => void) | undefined) {
    this.#recording = recording;
    this.#happened = happened;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** A sentence that a reader of the result must see; repeated ones are dropped. */
  warn(sentence: string): void {
    if (!this.#warnings.includes(sentence)) this.#warnings.push(sentence);
  }

  /** A step of the story switched a receiver that is not ours. */
  warnNoSwitch(): void {
    this.warn(NO_SWITCH);
  }

  note({ now: atMs }: Kernel, text: string): void {
    this.#recording.note({ atMs, channel: 0, kind: "note", text });
    this.#happened?.({ kind: "note", atMs, channel: 0, word: "note", text });
  }
}
