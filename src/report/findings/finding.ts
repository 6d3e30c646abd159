import type { FailureSpan, TimelineSeries } from "../../measure/index.js";
import type { LoadModel } from "../load-model.js";
import type { HostMeasures } from "./host-measures.js";
import type { SeriesPressure } from "./series-pressure.js";
import type { Trend } from "./trend.js";
import type { IgnoredReplies } from "../reply-outcomes.js";

/** Stable word for the subject of a finding. */
export type FindingKind =
  | "saturation"
  | "silence"
  | "stalls"
  | "slow"
  | "trend"
  | "refusals"
  | "failures"
  | "doubles"
  | "ignored-replies"
  | "without-effect"
  | "reordering"
  | "resent"
  | "schedule"
  | "host";

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

/** A finding that affects less than this share of the run does not change the verdict. */
const WEIGHTY_SHARE = 0.02;

/** Whether a finding changes the verdict: a fault of the receiver that affects more than a little of the run. */
export function isWeighty({ kind, weight, severity }: Finding): boolean {
  return weight === "bad" && (kind === "saturation" || kind === "doubles" || severity >= WEIGHTY_SHARE);
}

/** Kinds that follow from measured times, so that chance or this machine may be the cause. All others are counts. */
const statistics: ReadonlySet<FindingKind> = new Set(["silence", "stalls", "slow", "trend"]);

/**
 * The place of a finding among others. A saturation comes first, because it explains the other times. What was counted
 * comes before what was inferred from times, and what changes the verdict before what does not. Of the notes, the one
 * about the machine comes first, because it limits what all others mean.
 */
export function placeOf(finding: Finding): number {
  if (finding.weight === "note") return finding.kind === "host" ? 4 : 5;
  if (finding.kind === "saturation") return 0;
  if (!isWeighty(finding)) return 3;
  return statistics.has(finding.kind) ? 2 : 1;
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
  /** How busy other programs kept this machine, and what that means for the buckets of the series. */
  readonly host: HostMeasures;
  readonly pressure: SeriesPressure;
  /** See `trendOf`. */
  readonly trend: Trend | "none" | undefined;
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
  /** Replies that sent a message, and ignored ones that were meant to. */
  readonly replies: { readonly valid: number; readonly ignored: readonly IgnoredReplies[] };
  /** Events that were accepted after a later event of the same person. */
  readonly order: { readonly retried: number; readonly raced: number };
  /** Attempts that repeat a request that was written and not answered: after a timeout or error, and after a resume. */
  readonly repeats: { readonly resent: number; readonly resumed: number };
}
