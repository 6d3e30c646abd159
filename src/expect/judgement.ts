/** The provisional verdict on an expectation during a run. */
export interface Judgement {
  /** The spelling in the scenario. */
  readonly text: string;
  /** `held` and `failed` are final: nothing that can still happen changes them. */
  readonly state: "waiting" | "held" | "failed";
  /** What was seen so far; null: nothing yet. */
  readonly seen: string | null;
  /** Virtual time at which it is decided at the latest; null: at the end of the run. */
  readonly untilMs: number | null;
}
