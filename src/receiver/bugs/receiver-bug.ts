import type { ChangeSteps } from "../logbook/steps.js";

/** A built-in bug of the logbook, of a kind that real receivers have. */
export interface ReceiverBug {
  /** As `--bug` takes it: lower case, with hyphens. */
  readonly name: string;
  /** What it does wrong, in one sentence. */
  readonly story: string;
  /** The section of docs/reference that states the fact it gets wrong. */
  readonly source: string;
  /** Replaces one step, or two. Called once for each receiver, so state lives in its closure. */
  readonly change: ChangeSteps;
}
