/** How far a long operation is, such as rows read of all rows. */
export interface OperationProgress {
  /** A verb with an object: `reading events`. */
  readonly operation: string;
  /** From 0 to `total`, in any unit. */
  readonly done: number;
  readonly total: number;
  /** The caller blocks the thread for seconds after this call, as a large SQL statement does: show it at once. */
  readonly isLong?: boolean;
}

/** Gets the progress of an operation, as often as the operation likes. */
export type OnProgress = (progress: OperationProgress) => void;
