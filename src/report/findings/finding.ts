import type { FailureSpan, TimelineSeries } from "../../measure/index.js";
import type { LoadModel } from "../load-model.js";

/** What a finding is about. */
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

/** Something that a reader of a result should not have to find in a chart: one sentence with its number. */
export interface Finding {
  readonly kind: FindingKind;
  /** `bad`: the receiver did what it should not; `note`: worth knowing. */
  readonly weight: "bad" | "note";
  /** What it is about where a run may have several of one kind: a failure kind (`503`, `timeout`), a type of event. */
  readonly of?: string;
  readonly text: string;
  /** The story brought it about, by `receiver` steps: nobody's receiver is to blame. */
  readonly cause?: "story";
  /** Where to look further: a section of the HTML report, or a command. */
  readonly where: string;
  /** 0 to 1: the share of the run that it touches. Of one weight, greater ones come first. */
  readonly severity: number;
}

/** The attempts at events of one type. */
export interface TypeFacts {
  readonly type: string;
  readonly attempts: number;
  /** Answered with a status that does not accept the event. */
  readonly refused: number;
  /** The most frequent of these statuses. */
  readonly status: number | undefined;
}

/** What findings are made of: figures of a run, however it was played or read back. */
export interface FindingFacts {
  readonly model: LoadModel;
  readonly series: TimelineSeries;
  /** Where the series' clock stands when the run begins. */
  readonly beginsMs: number;
  /** By kind, the most frequent first. */
  readonly failures: readonly FailureSpan[];
  readonly types: readonly TypeFacts[];
  readonly attempts: number;
  /** Steps of the story in which the receiver answers otherwise. */
  readonly receiverSteps: number;
  readonly fellBehind: boolean;
  readonly latenessP99Ms: number | null;
  readonly deliveryP99Ms: number | null;
  readonly roundTrips: { readonly matched: number; readonly waiting: number; readonly forgotten?: number };
  readonly doubles: number;
  /** Events that were accepted after a later one of the same person. */
  readonly order: { readonly retried: number; readonly raced: number };
  /** Attempts that repeat a request that had been written and not answered, and those of a run that was cut off. */
  readonly repeats: { readonly resent: number; readonly resumed: number };
}
