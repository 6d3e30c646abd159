import type { TrialLength } from "./time-budget.js";

/** Parameters of a search. */
export interface SearchOptions {
  /** First value; > 0. */
  readonly from: number;
  /** The hardest value of interest; absent: unbounded. Below `from`: smaller values are harder. */
  readonly to?: number;
  /** Whether `from` is the easiest value of interest. Else the search tries easier values if `from` fails. */
  readonly isFromEasiest: boolean;
  /** Maximum of consecutive trials of a value; odd, so there is a majority. */
  readonly trials: number;
  /** The search ends when the knee is known within this share on either side. */
  readonly precision: number;
  /** Trials of the ramp have full length, so they count. */
  readonly probesCount?: boolean;
  /** Rounds to the nearest value that can be played. */
  readonly round: (value: number) => number;
  /** Whether a value can be played; default: every value. */
  readonly isPossible?: (value: number) => boolean;
  /** Why the search must end before the next trial; undefined: it continues. */
  readonly endsBy?: (length: TrialLength) => "time" | "stopped" | "receiver" | undefined;
}
