import type { Kernel } from "../sim/index.js";
import type { Recording } from "../store/index.js";
import type { Happening } from "./happening.js";

const NO_SWITCH = "the story's receiver steps did nothing: the receiver is not the bundled one";

/** Warnings for the result, and the story's notes for the recording and the live log. */
export class RunLog {
  readonly #recording: Recording;
  readonly #onHappening: ((happening: Happening) => void) | undefined;
  readonly #warnings: string[] = [];
  readonly #stepProblems: string[] = [];

  constructor(recording: Recording, onHappening: ((happening: Happening) => void) | undefined) {
    this.#recording = recording;
    this.#onHappening = onHappening;
  }

  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** Problems of the story's steps, in sentences. */
  get stepProblems(): readonly string[] {
    return this.#stepProblems;
  }

  /** Adds a problem of a story's step to the result, and to the log as a note. */
  addStepProblem(kernel: Kernel, sentence: string): void {
    if (!this.#stepProblems.includes(sentence)) this.#stepProblems.push(sentence);
    this.writeNote(kernel, sentence);
  }

  /** Adds a warning to the result. */
  warn(sentence: string): void {
    this.#warnings.push(sentence);
  }

  /** Warns, once, that a story's receiver step addressed a receiver that is not the bundled one. */
  warnNoSwitch(): void {
    if (!this.#warnings.includes(NO_SWITCH)) this.warn(NO_SWITCH);
  }

  /** Warns that the service may not send requests to a host; call it once for each host. */
  warnRefusedHost({ now: atMs }: Kernel, host: string): void {
    const text = `flows and resthooks may not call ${host}, which is not this machine: --allow-host ${host} allows it`;
    this.warn(text);
    this.#onHappening?.({ kind: "note", atMs, channel: 0, word: "note", text });
  }

  /** Shows in the live log a note that is already recorded. */
  showNote({ now: atMs }: Kernel, { kind: word, text }: { readonly kind: string; readonly text: string }): void {
    this.#onHappening?.({ kind: "note", atMs, channel: 0, word, text });
  }

  writeNote({ now: atMs }: Kernel, text: string): void {
    this.#recording.note({ atMs, channel: 0, kind: "note", text });
    this.#onHappening?.({ kind: "note", atMs, channel: 0, word: "note", text });
  }
}
