import type { StoryView } from "../console/index.js";

/** The scenario that plays, the others that can be started, and jumps in virtual time. */
export interface StoryControl {
  view(): StoryView;
  /** The scenarios that can be started. */
  scenarios(): ScenarioNote[];
  /** Starts another scenario in place of the one that is served. @returns a sentence. @throws ControlRefusal */
  start(wish: ScenarioWish): Promise<string>;
  /** Begins the scenario again. @returns a sentence. @throws ControlRefusal */
  again(): Promise<string>;
  /** Ends the scenario: the clock stands, expectations are judged. @returns a sentence. @throws ControlRefusal */
  stop(): string;
  /** Plays to a beat or an instant; an earlier one begins the scenario again. @returns a sentence. @throws ControlRefusal */
  jump(target: JumpTarget): Promise<string>;
  /** Ends a jump where it is. @returns a sentence */
  cancelJump(): string;
  /** Call it before somebody changes the clock: it ends a jump. @throws ControlRefusal when the scenario was stopped */
  releaseClock(): void;
}

export interface JumpTarget {
  /** Its name, in any case. */
  readonly beat?: string;
  /** Virtual milliseconds from the start. */
  readonly atMs?: number;
}

export interface ScenarioWish {
  /** As `ScenarioNote.file` has it. */
  readonly file?: string;
  /** Its name, in any case. */
  readonly name?: string;
  /** Virtual seconds per wall second; default: the speed now. */
  readonly speed?: number;
  /** `now`, or an instant as in scenarios; default: the scenario's own. */
  readonly starts?: string;
}

/** A scenario that can be started. */
export interface ScenarioNote {
  /** Identifies it in `ScenarioWish`: its path from the working directory, or `bundled/…`. */
  readonly file: string;
  readonly name: string;
  /** First line of its opening comment; null: it has none. */
  readonly title: string | null;
  /** The rest of the comment's first paragraphs. */
  readonly about: string | null;
  /** Milliseconds; null: the file cannot be read as a scenario. */
  readonly lastsMs: number | null;
  readonly handsets: number;
  readonly people: number;
  readonly beats: readonly string[];
  /** Why it cannot be started: diagnostics with file, line and column. */
  readonly problem: string | null;
  /** It is the one that plays. */
  readonly isPlaying: boolean;
}
