import type { SimTime } from "../../sim/index.js";
import type { DelayReason, Report, ReportedCallType } from "../../wire/index.js";
import type { NetworkType } from "../network.js";
import type { Conditions } from "./conditions.js";
import type { RowState } from "./outbox-row.js";

/**
 * One handset at an instant, for readers outside the world: copies, which do not change with the phone. Parts are read
 * on request; only the facts of the last exchange are stored for views (`LastExchange`).
 */
export interface HandsetView {
  readonly power: PowerView;
  readonly conditions: Readonly<Conditions>;
  /** The data link in use, of one or two that the conditions allow. */
  readonly link: NetworkType;
  /** When temporary conditions and a temporary skew of the clock end. A missing key means that it lasts. */
  readonly endsAtMs: Partial<Readonly<Record<keyof Conditions | "skewMs", SimTime>>>;
  /** Time by the phone's own clock, milliseconds since 1970. */
  readonly clockMs: number;
  readonly skewMs: number;
  /** Units left on the SIM for texts; each segment that is sent costs one. Null: no limit. */
  readonly credit: number | null;
  /** By slot; at most two. */
  readonly sims: readonly SimView[];
  /** Why the app does not relay; null when it relays. */
  readonly blockedBy: DelayReason | null;
  /** Why the carrier cannot reach the phone; null when it can. */
  readonly unreachableBecause: DelayReason | null;
  /**
   * What the phone knows of its registration: its id (null: not registered), and the organisation that has claimed it
   * (null: none).
   */
  readonly registration: { readonly relayer: number | null; readonly org: number | null };
  /** True when the user has opened the app since the last boot, or the app does not require it. */
  readonly isOpened: boolean;
  /** Whether the app's process lives. */
  readonly isRunning: boolean;
  readonly outbox: OutboxView;
  /** Oldest first. */
  readonly reports: readonly KeptReportView[];
  /** Texts that the app has not read, in the order of arrival. */
  readonly unread: readonly UnreadTextView[];
  readonly calls: CallsView;
  readonly sync: SyncView;
}

/** A SIM in a slot of the phone. */
export interface SimView {
  readonly slot: 1 | 2;
  readonly number: string;
  readonly carrier: string;
  /** Units; null: no limit. */
  readonly credit: number | null;
  /** False while it is taken out. */
  readonly isIn: boolean;
  /** Texts go out from it. */
  readonly sends: boolean;
}

export interface PowerView {
  /** Percent, 0..100. */
  readonly level: number;
  readonly isOn: boolean;
  readonly isCharging: boolean;
  /** What a solar panel gives now, percentage points an hour. */
  readonly solarPerHour: number;
  /** When the phone starts again; null when it is on, or no start is planned. */
  readonly bootsAtMs: SimTime | null;
  /** When the battery is empty at the present rate; null when never. */
  readonly emptyAtMs: SimTime | null;
  /** True while the phone restarts; false when it is on, or its battery is empty. */
  readonly isRestarting: boolean;
}

export interface OutboxView {
  /** In the order of the phone's list: pending, then retry, then messages whose outcome is not acknowledged. */
  readonly messages: readonly OutboxMessageView[];
  /** When the send runner next runs by itself; null when it waits for the next sync, or for the end of a block. */
  readonly nextPassAtMs: SimTime | null;
  /** Failed tries after which a message fails. */
  readonly triesMax: number;
}

/** Why a message of the outbox waits. */
export type OutboxWait =
  /** The radio has the message and has not answered. */
  | "radio"
  /** The last try failed, and the next is not due. */
  | "retry-wait"
  /** The app does not relay, see `HandsetView.blockedBy`. */
  | "blocked"
  /** Android's limit of texts within a time window. */
  | "send-limit"
  /** The minimum gap between two texts. */
  | "gap"
  /** Nothing but the next pass of the send runner. */
  | "runner"
  /** The message is finished, and its report is not acknowledged. */
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
  /** When the wait ends, if known: the radio answers, a try is due, or the limit has room. */
  readonly untilMs: SimTime | null;
}

export interface KeptReportView {
  readonly report: Report;
  /** When the text was sent or the call began; null when unknown, or for another kind of report. */
  readonly beganAtMs: SimTime | null;
  /** When the phone queued it. */
  readonly sinceMs: SimTime;
  /** True when a sync has carried it. */
  readonly isTried: boolean;
  /** True when the service has applied it and the phone does not know yet. */
  readonly isApplied: boolean;
  /** Why it waits, as far as the phone knows: what postponed or failed its last sync; null when nothing did. */
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
  /** Calls that have ended and are unread by the app. */
  readonly unread: readonly CallView[];
  /** Observers of the call log: each reports each call. More than 1 with fault call-log-observers only. */
  readonly observers: number;
}

export interface CallView {
  readonly call: ReportedCallType;
  readonly phone: string;
  readonly durationS: number;
  readonly beganAtMs: SimTime;
}

export interface OngoingCallView extends CallView {
  /** True while it waits for the end of another call, see `Profile.callWaiting`. */
  readonly isWaiting: boolean;
  readonly endsAtMs: SimTime;
}

export type ReportType = Report["type"];
/** Number of reports by type; absent: none. */
export type ReportCounts = Partial<Record<ReportType, number>>;

export interface SyncView {
  /** The current exchange; null when there is none. */
  readonly current: CurrentExchangeView | null;
  /** The last exchange that ended; null before the first. */
  readonly last: LastExchangeView | null;
  /**
   * The next poll; null when the app does not poll. A poll syncs only if there is something to report, or a forced
   * sync is due.
   */
  readonly nextPollAtMs: SimTime | null;
  /** True when a sync was requested during the current one. */
  readonly isWanted: boolean;
  /** A push message is on its way or waits for the data link. */
  readonly isPushed: boolean;
  /** Why the last requested sync was postponed; null when it was not. */
  readonly putOffBy: DelayReason | null;
  /** The next syncs that a hand or the story makes the link lose. */
  readonly losing: { readonly what: "request" | "response"; readonly times: number } | null;
}

export interface CurrentExchangeView {
  readonly requestedAtMs: SimTime;
  readonly timeoutAtMs: SimTime;
  readonly isRepeat: boolean;
  readonly reports: ReportCounts;
  /** True when the service has answered the request. */
  readonly isAnswered: boolean;
}

export interface LastExchangeView {
  readonly requestedAtMs: SimTime;
  readonly endedAtMs: SimTime;
  readonly isRepeat: boolean;
  readonly reports: ReportCounts;
  /** Why it failed; null when its answer was applied. */
  readonly failedBy: DelayReason | null;
  /** True when the service applied the reports, whether or not the phone knows. */
  readonly isApplied: boolean;
  /** Number of reports that the answer acknowledged. */
  readonly acknowledged: number;
  /** Messages that the answer offered, at most `OFFERED_SHOWN`. */
  readonly offered: readonly { readonly id: number; readonly to: string; readonly text: string }[];
  readonly offeredCount: number;
}
