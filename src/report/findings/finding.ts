import type {
  BreakingEvent,
  FailureSpan,
  IgnoredReplies,
  LoadModel,
  Outage,
  SeriesPressure,
  TimelineSeries,
  Trend,
} from "../../measure/index.js";
import type { AffectedKind, LateEvents } from "../common/index.js";
import type { HostMeasures } from "./host-measures.js";
import type { SpecialOf } from "./outage-phrases.js";

/** Stable word for the subject of a finding. */
export type FindingKind =
  | "death"
  | "away"
  | "unanswered"
  | "poison"
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
  | "late"
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
  /** The story's `receiver` steps or `delivery` troubles caused it, so it is not a fault of the receiver. */
  readonly cause?: "story";
  /** Where to find the details: a section of the HTML report, or a command. */
  readonly where: string;
  /** The share of the run that is affected, 0 to 1. Sorts findings of one weight. */
  readonly severity: number;
}

/** A finding that affects less than this share of the run does not change the verdict. */
const WEIGHTY_SHARE = 0.02;

/** Kinds of findings that change the verdict even if their share is small. */
const alwaysWeighty: ReadonlySet<FindingKind> = new Set([
  "saturation",
  "doubles",
  "death",
  "away",
  "unanswered",
  "poison",
]);

/** Whether a finding changes the verdict: a fault of the receiver that affects more than a little of the run. */
export function isWeighty({ kind, weight, severity }: Finding): boolean {
  return weight === "bad" && (alwaysWeighty.has(kind) || severity >= WEIGHTY_SHARE);
}

/** Kinds that explain others, in order of display, before all others. */
const leading: readonly FindingKind[] = ["death", "unanswered", "saturation", "away", "poison"];

/** Whether a headline begins with findings of this kind: they explain what happened in the rest of the run. */
export function explainsOthers(kind: FindingKind): boolean {
  return kind === "death" || kind === "unanswered" || kind === "saturation";
}

/** Kinds that are inferred from measured times, so that chance or this machine may be the cause. */
const statistics: ReadonlySet<FindingKind> = new Set(["silence", "stalls", "slow", "trend"]);

/** Whether findings of a kind are counts, which are true on any machine. A saturation compares rates. */
export function isCounted(kind: FindingKind): boolean {
  return kind !== "saturation" && !statistics.has(kind);
}

/**
 * The rank of a finding in the list. Findings that explain others come first, then counts, then findings inferred from
 * times; within these, those that change the verdict come first. Notes are last. The first note is that this machine
 * was busy, because other findings leave out the busy seconds.
 */
export function placeOf(finding: Finding): number {
  const { kind, weight } = finding;
  const after = leading.length;
  if (weight === "note") return after + (kind === "host" ? 3 : 4);
  if (leading.includes(kind)) return leading.indexOf(kind);
  if (!isWeighty(finding)) return after + 2;
  return after + (statistics.has(kind) ? 1 : 0);
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

/** What the events with which something is wrong have in common, a sentence each. */
export type CommonOf = (kind: AffectedKind) => readonly string[];

/** How the command that the run started as its receiver ended by itself. */
export interface CommandEnd {
  /** Origin of the receiver's URL. */
  readonly receiver: string;
  /** `exit code 1`, `SIGKILL`. */
  readonly how: string;
  /** False for exit code 0. */
  readonly isFailure: boolean;
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
  /** Number of replies that sent a message, and of ignored replies that were meant to send one. */
  readonly replies: { readonly valid: number; readonly ignored: readonly IgnoredReplies[] };
  /** In the order of their begin at each receiver. */
  readonly outages: readonly Outage[];
  /** Answers of each receiver, by the origin of its URL. */
  readonly answers: ReadonlyMap<string, { readonly count: number; readonly lastMs: number }>;
  /** See `Outages.breakingEvents`. */
  readonly breaking: readonly BreakingEvent[];
  /** How the receiver's command ended; undefined when it did not end by itself, or was never started. */
  readonly commandEnd: CommandEnd | undefined;
  readonly specialOf: SpecialOf;
  readonly commonOf: CommonOf;
  /** Absent: not known. */
  readonly late?: LateEvents | undefined;
  /** Events of the run. */
  readonly events: number;
  /** True while the run plays: a receiver that is away may come back. */
  readonly isPlaying: boolean;
  /** Events that were accepted after a later event of the same person. */
  readonly order: { readonly retried: number; readonly raced: number; readonly troubled: number };
  /** Attempts that repeat a request that was written and not answered: after a timeout or error, and after a resume. */
  readonly repeats: { readonly resent: number; readonly resentByTrouble: number; readonly resumed: number };
  /** What trouble on the way to the receiver did: copies that were sent, attempts that got no answer because of it. */
  readonly troubles: { readonly copies: number; readonly lost: number };
}
