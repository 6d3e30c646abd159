import type { SimTime } from "../../sim/index.js";
import type { CallEventType, DelayReason, Report } from "../../wire/index.js";
import type { Conditions } from "./conditions.js";
import type { RowState } from "./outbox-row.js";

/**
 * One handset at an instant, for readers outside the world: copies, which do not change with the phone. Parts are read
 * on request; nothing is kept for a view but the facts of the last exchange (`LastExchange`).
 */
export interface HandsetView {
  readonly power: PowerView;
  readonly conditions: Readonly<Conditions>;
  /** When temporary conditions end. Absent keys: they last. */
  readonly endsAtMs: Partial<Readonly<Record<keyof Conditions, SimTime>>>;
  /** By its own clock, milliseconds since 1970. */
  readonly clockMs: number;
  readonly skewMs: number;
  /** What keeps the app from relaying; null: it relays. */
  readonly blockedBy: DelayReason | null;
  /** Why the carrier does not reach it; null: it does. */
  readonly unreachableBecause: DelayReason | null;
  /** The user has opened the app since the last boot, or the app needs no opening. */
  readonly isOpened: boolean;
  readonly outbox: OutboxView;
  /** Oldest first. */
  readonly reports: readonly KeptReportView[];
  /** Texts that the app has not read, in the order of arrival. */
  readonly unread: readonly UnreadTextView[];
  readonly calls: CallsView;
  readonly sync: SyncView;
}

export interface PowerView {
  /** Percent, 0..100. */
  readonly level: number;
  readonly isOn: boolean;
  readonly isCharging: boolean;
  /** When it starts again; null: it is on, or nothing starts it yet. */
  readonly bootsAtMs: SimTime | null;
  /** When the battery is empty at the present rate; null: never. */
  readonly emptyAtMs: SimTime | null;
  /** It restarts; false: it is on, or its battery is empty. */
  readonly isRestarting: boolean;
}

export interface OutboxView {
  /** In the order in which the phone lists them: pending, then retry, then those whose outcome is not acknowledged. */
  readonly messages: readonly OutboxMessageView[];
  /** When the runner looks again by itself; null: at the next sync, or when what blocks the app ends. */
  readonly nextPassAtMs: SimTime | null;
  /** Failed tries after which a message fails. */
  readonly triesMax: number;
}

/** Why a message of the outbox waits. */
export type OutboxWait =
  /** The radio has it and has not answered. */
  | "radio"
  /** The last try failed: it waits until the next is due. */
  | "retry-wait"
  /** The app does not work, see `HandsetView.blockedBy`. */
  | "blocked"
  /** Android's limit of texts in a time. */
  | "send-limit"
  /** The gap between two texts. */
  | "gap"
  /** It may go as soon as the runner looks. */
  | "runner"
  /** It is over, and its report is not acknowledged. */
  | "acknowledgement";

export interface OutboxMessageView {
  readonly id: number;
  readonly to: string;
  /** Empty once it is on air. */
  readonly text: string;
  readonly segments: number;
  readonly state: RowState;
  /** Failed tries. */
  readonly tries: number;
  readonly acceptedAtMs: SimTime;
  readonly changedAtMs: SimTime;
  readonly waitsFor: OutboxWait;
  /** When the wait ends, as far as it is known: the radio answers, a try is due, the limit has room. */
  readonly untilMs: SimTime | null;
}

export interface KeptReportView {
  readonly report: Report;
  /** When the text was sent or the call began; null: not known, or a report of another kind. */
  readonly beganAtMs: SimTime | null;
  /** When the phone queued it. */
  readonly sinceMs: SimTime;
  /** It has been in a sync. */
  readonly isTried: boolean;
  /** The service has applied it; the phone does not know that yet. */
  readonly isApplied: boolean;
  /** Why it waits, as far as the phone knows: what put off or failed its last sync. */
  readonly why: DelayReason | null;
}

export interface UnreadTextView {
  readonly from: string;
  readonly text: string;
  readonly sentAtMs: SimTime;
  readonly atMs: SimTime;
  readonly why: DelayReason | null;
}

export interface CallsView {
  /** Calls that ring or are talked, in the order of their start. */
  readonly ongoing: readonly OngoingCallView[];
  /** Calls that have ended and that the app has not read. */
  readonly unread: readonly CallView[];
}

export interface CallView {
  readonly call: CallEventType;
  readonly phone: string;
  readonly durationS: number;
  readonly beganAtMs: SimTime;
}

export interface OngoingCallView extends CallView {
  readonly endsAtMs: SimTime;
}

export type ReportType = Report["type"];
/** Number of reports by type; absent: none. */
export type ReportCounts = Partial<Record<ReportType, number>>;

export interface SyncView {
  /** The exchange under way. */
  readonly current: CurrentExchangeView | null;
  /** The last exchange that ended. */
  readonly last: LastExchangeView | null;
  /** The next poll; null: the app does not poll. It syncs only if there is something to report or a poll is owed. */
  readonly nextPollAtMs: SimTime | null;
  /** A sync was asked for while one was under way. */
  readonly isWanted: boolean;
  /** A push message is on its way or waits for the data link. */
  readonly isPushed: boolean;
  /** Why the last request for a sync was put off; null: it was not. */
  readonly putOffBy: DelayReason | null;
  /** The next syncs that are to be lost by hand or story. */
  readonly losing: { readonly what: "request" | "response"; readonly times: number } | null;
}

export interface CurrentExchangeView {
  readonly requestedAtMs: SimTime;
  readonly timeoutAtMs: SimTime;
  readonly isRepeat: boolean;
  readonly reports: ReportCounts;
  /** The service has answered it. */
  readonly isAnswered: boolean;
}

export interface LastExchangeView {
  readonly requestedAtMs: SimTime;
  readonly endedAtMs: SimTime;
  readonly isRepeat: boolean;
  readonly reports: ReportCounts;
  /** Why it failed; null: its answer was applied. */
  readonly failedBy: DelayReason | null;
  /** The service applied the reports, whether the phone knows it or not. */
  readonly isApplied: boolean;
  /** Reports that the answer acknowledged. */
  readonly acknowledged: number;
  /** Messages that the answer offered, at most `OFFERED_SHOWN`. */
  readonly offered: readonly { readonly id: number; readonly to: string; readonly text: string }[];
  readonly offeredCount: number;
}
