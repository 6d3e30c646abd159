import type { FailureSpan, TimelineSeries } from "../../measure/index.js";
import type { LoadModel } from "../load-model.js";

/** Stable word for the subject of a finding. */
export type FindingKind =
  | "saturation"
  | "silence"
  | "stalls"
  | "slow"
  | "refusals"
  | "failures"
  | "doubles"
  | "without-effect"
  | "reordering"
  | "resent"
  | "schedule";

/** An anomaly of a run, as one sentence with its number. */
export interface Finding {
  readonly kind: FindingKind;
  /** `bad`: a fault of the receiver; `note`: worth knowing. */
  readonly weight: "bad" | "note";
  /** Tells findings of one kind apart: a failure kind (`503`, `timeout`) or an event type. */
  readonly of?: string;
  readonly text: string;
  /** The story's `receiver` steps caused it, so it is not a fault of the receiver. */
  readonly cause?: "story";
  /** Where to find the details: a section of the HTML report, or a command. */
  readonly where: string;
  /** The share of the run that is affected, 0 to 1. Sorts findings of one weight. */
  readonly severity: number;
}

/** Counts of the attempts for events of one type. */
export interface TypeFacts {
  readonly type: string;
  readonly attempts: number;
  /** Answered with a status that does not accept the event. */
  readonly refused: number;
  /** The most frequent of these statuses. */
  readonly status: number | undefined;
}

/** Input of `findingsOf`: the figures of a live run, or of a recording. */
export interface FindingFacts {
  readonly model: LoadModel;
  readonly series: TimelineSeries;
  /** The begin of the run on the series' clock. */
  readonly beginsMs: number;
  /** By kind, the most frequent first. */
  readonly failures: readonly FailureSpan[];
  readonly types: readonly TypeFacts[];
  readonly attempts: number;
  /** Steps of the story that change the receiver's answers. */
  readonly receiverSteps: number;
  readonly fellBehind: boolean;
  readonly latenessP99Ms: number | null;
  readonly deliveryP99Ms: number | null;
  readonly roundTrips: { readonly matched: number; readonly waiting: number; readonly forgotten?: number };
  readonly doubles: number;
  /** Events that were accepted after a later event of the same person. */
  readonly order: { readonly retried: number; readonly raced: number };
  /** Attempts that repeat a request that was written and not answered: after a timeout or error, and after a resume. */
  readonly repeats: { readonly resent: number; readonly resumed: number };
}
