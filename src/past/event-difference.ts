/** An event that the run played again does not make as recorded. Null: one of the two lacks it. */
export interface EventDifference {
  readonly atMs: number;
  /** Channel and number of the event: `3/17`. */
  readonly id: string;
  readonly recorded: string | null;
  readonly now: string | null;
}
