/** The accounts of the ledger: one for each kind of thing that it counts. */
export type LedgerAccount = "texts" | "calls" | "events" | "attempts";

/**
 * Why a text, call, event or attempt was lost. A closed set: the ledger files each loss under one of these causes.
 */
export const lossCauses = {
  carrier: "the carrier lost it",
  expired: "it waited at the carrier for longer than the carrier keeps texts",
  "sim-swapped": "the SIM with its number was swapped for another, and is in no phone",
  "no-such-person": "no person in the cast has the number",
  "contact-gets-nothing": "the contact was blocked, deleted or opted out before the message was offered to a phone",
  paused: "a paused relayer never relays texts that arrive meanwhile",
  "no-permission":
    "the app had no permission to read texts, paused itself, and never relays those that arrive meanwhile",
  reset: "a reset emptied the phone's table",
  released: "its channel was released: the service failed its queue, and the phone emptied its table",
  moved: "its channel belonged to another organisation, whose receiver gets its events",
  unclaimed: "the phone was registered again and not claimed: its app drops what arrives",
  "clock-mark": "fault `inbox-mark`: the app skipped a text older than the newest one that it has read",
  "wrong-ack":
    "fault `answer-late`: after a failed sync the app took the acknowledgement of another report for its own",
  "early-sent": "fault `early-sent`: reported as sent, and the radio never sent it",
  skipped: "fault `call-log-newest-only`: the app reported the newest call and skipped older ones",
  "call-log-read": "the owner looked at the call log before the app had read the call",
  "call-log-cleared": "the owner cleared the call log before the app had read the call",
  unreachable: "the phone was off, out of coverage or in airplane mode",
  busy: "the phone's line was busy: somebody talked, or it rang",
  "caller-off": "the caller's own phone was off",
  "switched-off": "the phone went off in the middle of the call",
  deduplicated: "the service took it for a repetition (`deduplicates` of its preset)",
  "ignored-by-service": "without words: acked and dropped",
  withheld: "without a number, which the sender or caller withheld: acked and dropped",
  "unknown-call-type":
    "the phone reported it as `unk` (rejected, voicemail, blocked, answered elsewhere): acked and dropped",
  "no-receiver": "the channel has no delivery URL (`--receiver none`)",
  "not-forwarded":
    "the account does not forward the type from this handset group (`events` in [scenario.md](scenario.md#handsets))",
  "taken-back": "the input that created them failed and was rolled back before they went out",
  "answers-lost":
    "trouble on the way (the verb `delivery`): the receiver got the request, and its answer never reached the service; of an event: at its last attempt",
  "requests-lost": "trouble on the way: the request never reached the receiver; of an event: that of its last attempt",
  refused: "trouble on the way: the connection was refused there; of an event: at its last attempt",
  cut: "trouble on the way: the connection was closed in the middle of the exchange; of an event: at its last attempt",
  withdrawn: "the run ended before the attempt was due or got a connection; its event stays queued",
} as const;

/** One of `lossCauses`. */
export type LossCause = keyof typeof lossCauses;

/** A text or a call that was lost, as it is known where that happens. */
export interface LostItem {
  readonly channel: number;
  /** Number of the person. */
  readonly phone: string;
  /** Absent: a call. */
  readonly text?: string;
  /** The service's id of its message; absent: a person's text or a call. */
  readonly message?: number;
}

/**
 * The port through which the rooms report to the ledger. The code that creates a text, call, event or attempt opens it
 * once; the code that ends it closes it once. What still waits is counted independently, in the queues (`Census`), so a
 * thing that vanished shows as a gap.
 */
export interface Tally {
  /** Something was created. */
  in(account: LedgerAccount, count?: number): void;
  /** A further instance of the same thing was created, by a named cause such as `carrier` (see `copyCauses`). */
  copy(account: LedgerAccount, cause: string): void;
  /** It reached its destination. */
  delivered(account: LedgerAccount, count?: number): void;
  /** It failed for good. */
  failed(account: LedgerAccount): void;
  /** It was lost by a named cause. @param lost - how many, default 1; or what: texts and calls are named */
  lost(account: LedgerAccount, cause: LossCause, lost?: number | readonly LostItem[]): void;
}

/** Number of waiting things by account, counted in the queues themselves. */
export type Census = Readonly<Record<LedgerAccount, number>>;
