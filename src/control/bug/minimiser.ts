import type { ExactRequest } from "../../scenario/index.js";

/** What a minimiser gets: plain data, because it works in another thread. */
export interface MinimiserInput {
  readonly requests: readonly ExactRequest[];
  /** URL of a receiver that listens. */
  readonly receiver: string;
  /** As `--while` spells it. */
  readonly condition: string;
  /** `POST URL` before each play; absent: nothing. */
  readonly reset?: string | undefined;
  readonly allowHosts: readonly string[];
  /** Name of the bug file, for the command in its story. */
  readonly file: string;
}

/** Where the search stands. */
export interface MinimiserStep {
  readonly phase: string;
  readonly trials: number;
  /** Events of the smallest failing input so far. */
  readonly events: number;
}

/** The outcome. */
export interface MinimiserResult {
  readonly ending: "found" | "passes" | "forgets-nothing";
  /** A sentence each. */
  readonly words: readonly string[];
  /** The bug file; absent: none. */
  readonly yaml?: string;
  readonly events: number;
  readonly trials: number;
}

/** A search that was started. */
export interface MinimiserRun {
  /** @throws LabError, Error */
  readonly result: Promise<MinimiserResult>;
  /** Ends it soon, with the smallest failing input so far. */
  stop(): void;
  /** Ends it without a result. */
  close(): void;
}

/**
 * Finds the smallest input that fails in the same way. The search plays many labs' worth of requests, so it belongs to a
 * room above (`study/`), and the command that starts the server passes it down.
 */
export interface Minimiser {
  start(input: MinimiserInput, onStep: (step: MinimiserStep) => void): MinimiserRun;
  /**
   * Sends a reset (`POST URL`, `POST /path`) to a receiver.
   *
   * @throws LabError
   */
  reset(request: string, receiver: string, isAllowed: (url: string) => boolean): Promise<void>;
}
