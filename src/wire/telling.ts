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

/** A text or a call in the simulated world. Reports of the same one share this object. */
export interface Fact {
  /** Number of the first event about it, within the channel; 0: none yet. The gateway sets it. */
  event: number;
}

/**
 * What the simulator knows of one report and no service could: which fact it tells of, and why it tells of it again.
 * The report is itself the fact unless another report tells of the same one.
 */
export interface Telling extends Fact {
  /** Absent: no other report tells of it. */
  readonly fact: Fact | undefined;
  /** Why there is another report of the same fact; undefined: there is none, or this is the first. */
  readonly doubledBy: CopyCause | undefined;
  /** Why the phone repeats this report; undefined: it does not yet. */
  readonly repeatedBy: CopyCause | undefined;
  /** The service has applied this report before, whether the phone knows it or not. */
  readonly isTaken: boolean;
}
