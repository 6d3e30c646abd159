import type { RunResult } from "../report/index.js";

/** What a run or replay returns. */
export interface RunOutcome {
  readonly result: RunResult;
  /**
   * 0: all held; 1: an expectation or the ledger did not hold; 3: the environment failed (docs/reports.md#exit-codes).
   */
  readonly exitCode: 0 | 1 | 3;
}
