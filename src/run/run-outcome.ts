import type { RunResult } from "../report/index.js";

/** What a run or replay returns. */
export interface RunOutcome {
  readonly result: RunResult;
  /**
   * 0: all expectations are met; 1: an expectation failed or the ledger does not close; 3: the environment failed
   * (docs/reports.md#exit-codes).
   */
  readonly exitCode: 0 | 1 | 3;
}
