/**
 * Why the service stores a text, a call or an outcome a second time, and emits a second event for it. A closed set: a
 * recording names one of these for each copy.
 */
export const copyCauses = {
  carrier: "the carrier delivered the text twice",
  "answer-lost": "the network lost the service's answer to the sync, so the phone reported again",
  "sync-timeout": "the sync took longer than the phone waits, so the phone reported again",
  "link-lost": "the phone had no data link when the service's answer came, so it reported again",
  "switched-off": "the phone went off before the service's answer came, so it reported again after its start",
  "answer-late": "the app applies each answer one sync late (fault answer-late), so it reported again",
  "call-log-repeats": "after a restart the app reports the newest call once more (fault call-log-repeats)",
  "early-sent": "the app reported the message as sent before the radio answered (fault early-sent), and again after it",
  "offered-again": "the service offered the message again, so the phone repeated its outcome",
  "sent-again": "the phone sent the message a second time, so its outcome was reported twice",
} as const;

/** One of `copyCauses`. */
export type CopyCause = keyof typeof copyCauses;

/** What delays a report or the message that it is about. A closed set, as recordings have it. */
export type DelayKind =
  "held-by-carrier" | "held-by-phone" | "waited-for-sync" | "sync-failed" | "outbox" | "radio-failed";

/** Why; null in a recording where the simulator does not name a reason. A closed set, too. */
export type DelayReason =
  | "no-coverage"
  | "no-network"
  | "airplane"
  | "switched-off"
  | "paused"
  | "unopened"
  | "backlog"
  | "quiet-time"
  | "sync-under-way"
  | "request-lost"
  | "answer-lost"
  | "sync-timeout"
  | "link-lost"
  | "clock-off"
  | "answer-late"
  | "no-service"
  | "radio-off"
  | "generic-failure"
  | "limit";

/** One delay on the way of a report, in virtual milliseconds. */
export interface Delay {
  readonly kind: DelayKind;
  readonly why: DelayReason | null;
  readonly fromMs: number;
  untilMs: number;
  /** How many times in a row: failed syncs and failed tries. */
  times: number;
}

/** A text or a call in the simulated world. Reports of the same one share this object. */
export interface ReportedFact {
  /** Number of the first event about it, within the channel; 0: none yet. The gateway sets it. */
  event: number;
}

/**
 * What the simulator knows of one report and no service could: which fact it tells of, and why it tells of it again.
 * The report is itself the fact unless another report tells of the same one.
 */
export interface ReportOrigin extends ReportedFact {
  /** Absent: no other report tells of it. */
  readonly fact: ReportedFact | undefined;
  /** Why there is another report of the same fact; undefined: there is none, or this is the first. */
  readonly causeOfCopy: CopyCause | undefined;
  /** Why the phone repeats this report; undefined: it does not yet. */
  readonly repeatedBy: CopyCause | undefined;
  /** The service has applied this report before, whether the phone knows it or not. */
  readonly isApplied: boolean;
  /** When the person sent the text, the call began, the phone took the message over; null: not known. Virtual milliseconds. */
  readonly beganAtMs: number | null;
  /** When the phone had it to report: virtual milliseconds. */
  readonly phoneAtMs: number;
  /** What delayed it since the last event about it. The gateway takes them over and leaves undefined. */
  delays: Delay[] | undefined;
}

/** Appends a delay, or prolongs the last one where that is of the same kind and reason. */
export function addDelay(delays: Delay[] | undefined, delay: Omit<Delay, "times">): Delay[] {
  if (delays === undefined) return [{ ...delay, times: 1 }];
  const last = delays.at(-1);
  if (last !== undefined && last.kind === delay.kind && last.why === delay.why) {
    last.untilMs = delay.untilMs;
    last.times++;
  } else delays.push({ ...delay, times: 1 });
  return delays;
}
