/**
 * Why the service stores a text, a call or an outcome again, and emits another event for it. A closed set: a recording
 * names one of these for each copy.
 */
export const copyCauses = {
  carrier: "the carrier delivered the text twice",
  "answer-lost": "the network lost the service's answer to the sync, so the phone reported again",
  "sync-timeout": "the sync took longer than the phone waits, so the phone reported again",
  "link-lost": "the phone had no data link when the service's answer came, so it reported again",
  "switched-off": "the phone went off before the service's answer came, so it reported again after its start",
  "app-stopped": "the app stopped before the service's answer came, so it reported again after its start",
  "answer-late": "the app applies each answer one sync late (fault answer-late), so it reported again",
  "service-failed": "the service failed after it had stored the report, so the phone reported again",
  "request-doubled": "the service processed the sync request twice",
  "call-log-repeats": "after a restart the app reports the newest call once more (fault call-log-repeats)",
  "call-log-observers":
    "each opening of the app adds an observer of the call log, which reports the call too (fault call-log-observers)",
  "early-sent": "the app reported the message as sent before the radio answered (fault early-sent), and again after it",
  "part-reported":
    "the network reported the delivery of each segment, and the app told each of them (fault delivered-per-part)",
  "offered-again": "the service offered the message again, so the phone repeated its outcome",
  "sent-again": "the phone sent the message twice, so its outcome was reported twice",
  "posted-again": "the receiver's answer was an error or did not come, so the service posted the same event again",
} as const;

/** One of `copyCauses`. */
export type CopyCause = keyof typeof copyCauses;

/** What delays a report or the message that it is about. A closed set, pinned by the recording's schema. */
export type DelayKind =
  | "held-by-carrier"
  | "held-by-service"
  | "held-by-phone"
  | "waited-for-sync"
  | "sync-failed"
  | "outbox"
  | "radio-failed";

/**
 * Why a delay happened; null in a recording where no reason is known. A closed set, pinned by the recording's schema.
 */
export const delayReasons = [
  "no-coverage",
  "no-sim",
  "congestion",
  "recipient-off",
  "no-network",
  "airplane",
  "switched-off",
  "paused",
  "unopened",
  "no-permission",
  "app-stopped",
  "dozing",
  "unclaimed",
  "backlog",
  "quiet-time",
  "sync-under-way",
  "request-lost",
  "answer-lost",
  "sync-timeout",
  "link-lost",
  "captive-portal",
  "preferred-network",
  "clock-off",
  "answer-late",
  "service-failed",
  "poison-command",
  "withheld",
  "send-limit",
  "radio-busy",
  "no-service",
  "radio-off",
  "generic-failure",
  "no-credit",
  "limit",
] as const;
export type DelayReason = (typeof delayReasons)[number];

/** One delay of a report on its way to the service, in virtual milliseconds. */
export interface Delay {
  readonly kind: DelayKind;
  readonly why: DelayReason | null;
  readonly fromMs: number;
  untilMs: number;
  /** Number of consecutive failed syncs or tries that this delay covers. */
  times: number;
}

/** A text or a call in the simulated world. All reports of it share this object. */
export interface ReportedFact {
  /** Number, within the channel, of the first event about it; 0: none yet. The gateway sets it. */
  event: number;
}

/**
 * What only the simulator knows about a report: which fact it reports, and why it is reported again. An origin doubles
 * as the fact itself until a second report of the same fact exists, which saves an object per report.
 */
export interface ReportOrigin extends ReportedFact {
  /** The shared fact; undefined: this is the only report of it. */
  readonly fact: ReportedFact | undefined;
  /** Why the phone reports the fact again; undefined: this is its first report. */
  readonly causeOfCopy: CopyCause | undefined;
  /** Why the phone sent this same report again; undefined: it has not. */
  readonly repeatedBy: CopyCause | undefined;
  /** True once the service has applied this report, even if its ack was lost. */
  readonly isApplied: boolean;
  /**
   * When the person sent the text, the call began or the phone received the message; null: unknown. Virtual
   * milliseconds.
   */
  readonly beganAtMs: number | null;
  /** When the phone queued the report: virtual milliseconds. */
  readonly phoneAtMs: number;
  /** Delays since the last event about it. The gateway moves them to its event and sets undefined. */
  delays: Delay[] | undefined;
}

/** Appends a delay, or extends the last one if it has the same kind and reason. */
export function addDelay(delays: Delay[] | undefined, delay: Omit<Delay, "times">): Delay[] {
  if (delays === undefined) return [{ ...delay, times: 1 }];
  const last = delays.at(-1);
  if (last !== undefined && last.kind === delay.kind && last.why === delay.why) {
    last.untilMs = delay.untilMs;
    last.times++;
  } else delays.push({ ...delay, times: 1 });
  return delays;
}
