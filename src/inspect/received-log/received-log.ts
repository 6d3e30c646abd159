import type { ReceivedTable } from "../../report/index.js";

/** A parsed log of the receiver. */
export interface ReceivedLog {
  readonly table: ReceivedTable;
  /** Suspected errors of the file, one sentence each. */
  readonly warnings: readonly string[];
}
