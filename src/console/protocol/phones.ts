/**
 * What the control API tells of one handset or of one person (`/lab/handset`, `/lab/person`). Names and timestamps are
 * those of the API: `…_at` is virtual time in ISO 8601.
 */

/** A handset as it stands. */
export interface HandsetDetails {
  readonly selector: string;
  readonly channel: number;
  readonly phone: string;
  readonly uuid: string;
  readonly profile: string;
  readonly carrier: string;
  /** Null: its events go nowhere. */
  readonly delivery_url: string | null;
  /** Virtual time of this answer. */
  readonly at: string;
  /** Its own clock. */
  readonly clock: string;
  readonly clock_skew_ms: number;
  readonly power: HandsetPower;
  readonly conditions: HandsetConditions;
  /** When temporary conditions end, by the names of `conditions`. */
  readonly until: Readonly<Record<string, string>>;
  /** What keeps the app from relaying: a word of `DelayReason`; null: it relays. */
  readonly blocked_by: string | null;
  /** Why the carrier does not reach it; null: it does. */
  readonly unreachable_because: string | null;
  /** False: the user has not opened the app since the phone started, and it needs that. */
  readonly opened: boolean;
  readonly outbox: HandsetOutbox;
  /** Messages that wait at the service for the phone to sync. */
  readonly at_service: { readonly count: number; readonly messages: readonly WaitingAtService[] };
  /** What the phone has to report, oldest first. */
  readonly reports: { readonly count: number; readonly waiting: readonly WaitingReport[] };
  /** Texts on the phone that the app has not read. */
  readonly unread: { readonly count: number; readonly texts: readonly UnreadText[] };
  /** Calls that ring or are talked, and those that the app has not read from the log. */
  readonly calls: { readonly ongoing: readonly OngoingCall[]; readonly unread: number };
  /** Texts that the carrier has for it. */
  readonly carried: { readonly on_the_way: number; readonly held: number; readonly held_because: string | null };
  readonly sync: HandsetSync;
  /** What the service knows. */
  readonly service: ServiceView;
}

export interface HandsetPower {
  /** Percent, one decimal. */
  readonly level: number;
  readonly on: boolean;
  readonly charging: boolean;
  readonly restarting: boolean;
  /** Null: it is on, or nothing starts it yet. */
  readonly boots_at: string | null;
  /** At the present rate; null: never. */
  readonly empty_at: string | null;
}

export interface HandsetConditions {
  readonly mains: boolean;
  readonly network: string;
  /** Of one way to the service, in words; null: as the profile has it. */
  readonly latency: string | null;
  /** Share of syncs that the link loses. */
  readonly loses: number;
  readonly coverage: "none" | "ok";
  readonly sms_service: string;
  readonly airplane: boolean;
  /** No mains and no network, whatever `mains` and `network` are: these apply again when it ends. */
  readonly power_cut: boolean;
  readonly paused: boolean;
}

export interface HandsetOutbox {
  readonly pending: number;
  readonly retry: number;
  /** Failed tries after which a message fails. */
  readonly tries_max: number;
  /** When the runner looks again by itself; null: at the next sync. */
  readonly next_pass_at: string | null;
  /** Pending, retry, then those whose outcome is not acknowledged: at most 100. */
  readonly messages: readonly OutboxMessage[];
  readonly count: number;
}

export interface OutboxMessage {
  readonly id: number;
  readonly to: string;
  /** Empty once it is on air. */
  readonly text: string;
  readonly segments: number;
  readonly state: "born" | "pending" | "retry" | "sent" | "delivered" | "failed";
  readonly tries: number;
  readonly accepted_at: string;
  readonly changed_at: string;
  readonly waits_for: "radio" | "retry-wait" | "blocked" | "send-limit" | "gap" | "runner" | "acknowledgement";
  /** When the wait ends, as far as it is known. */
  readonly until: string | null;
}

export interface WaitingAtService {
  readonly id: number;
  readonly to: string;
  readonly text: string;
  /** A sync has offered it to the phone. */
  readonly offered: boolean;
}

export interface WaitingReport {
  readonly type: "mo_sms" | "call" | "mt_sent" | "mt_dlvd" | "mt_fail" | "reset";
  /** The other end's number; null: the report has none. */
  readonly phone: string | null;
  readonly text: string | null;
  /** Id of the message that it is about. */
  readonly message: number | null;
  readonly since: string;
  readonly tried: boolean;
  /** The service has it, and the phone does not know. */
  readonly applied: boolean;
  readonly why: string | null;
}

export interface UnreadText {
  readonly from: string;
  readonly text: string;
  readonly at: string;
  readonly why: string | null;
}

export interface OngoingCall {
  readonly phone: string;
  readonly type: string;
  readonly began_at: string;
  readonly ends_at: string;
}

export interface HandsetSync {
  readonly current: {
    readonly requested_at: string;
    readonly timeout_at: string;
    readonly repeat: boolean;
    readonly reports: ReportCounts;
    readonly answered: boolean;
  } | null;
  readonly last: {
    readonly requested_at: string;
    readonly ended_at: string;
    readonly repeat: boolean;
    /** What it carried up. */
    readonly reports: ReportCounts;
    /** Null: it succeeded. */
    readonly failed_by: string | null;
    /** The service applied the reports, whether the phone knows it or not. */
    readonly applied: boolean;
    readonly acknowledged: number;
    /** Messages that came down. */
    readonly offered: readonly { readonly id: number; readonly to: string; readonly text: string }[];
    readonly offered_count: number;
  } | null;
  readonly next_poll_at: string | null;
  readonly wanted: boolean;
  readonly pushed: boolean;
  readonly put_off_by: string | null;
  readonly losing: { readonly what: "request" | "response"; readonly times: number } | null;
}

/** Number of reports by type. */
export type ReportCounts = Readonly<Record<string, number>>;

export interface ServiceView {
  readonly last_seen_at: string;
  readonly has_synced: boolean;
  /** Alarms that were raised and have not cleared. */
  readonly alarms: readonly ("silent" | "power")[];
  readonly power_level: number;
  readonly power_status: string;
  readonly network_type: string;
}

/** A page of a list, newest first. */
export interface Listed<T> {
  readonly results: readonly T[];
  /** The next page begins behind this; null: there is none. A page may have fewer results than asked for. */
  readonly next: string | null;
}

/** One conversation in a handset's list. */
export interface ConversationHead {
  /** The other end's number. */
  readonly phone: string;
  readonly name: string | null;
  /** Null: no person of the lab has this number. */
  readonly person: string | null;
  readonly last: TextEntry;
  /** Texts of this person that the service has not got from the phone. */
  readonly unsynced: number;
  /** Messages to this person that the phone has and has not sent. */
  readonly waiting: number;
}

/** Where a text of a person is. */
export type PersonTextState = "on-the-way" | "held" | "on-phone" | "reported" | "lost";
/** Where a message of a handset is. */
export type HandsetTextState = "at-service" | "pending" | "retry" | "sent" | "delivered" | "failed" | "lost";

/** A text between a person and a handset. */
export interface TextEntry {
  /** The service's id; null: the service has not got it. */
  readonly id: number | null;
  readonly from: "person" | "handset";
  readonly text: string;
  readonly state: PersonTextState | HandsetTextState;
  /** What `state` leaves open: why it is held, how often it was tried, by which cause of the ledger it was lost. */
  readonly note: string | null;
  /** When this end shows it: the handset got or accepted it; the person sent or read it. */
  readonly at: string;
  /** The person sent it. */
  readonly sent_at: string | null;
  /** The handset had it. */
  readonly phone_at: string | null;
  /** The service stored it. */
  readonly service_at: string | null;
  /** The person's phone showed it. */
  readonly heard_at: string | null;
  /** `3/17`: the event about it. */
  readonly event: string | null;
}

/** A call in a log, newest first. */
export interface CallEntry {
  /** Null: the service has not got it. */
  readonly id: number | null;
  readonly phone: string;
  readonly name: string | null;
  /** mo_call, mo_miss, mt_call, mt_miss; lost: no phone logged it */
  readonly type: string;
  readonly at: string;
  readonly duration_s: number;
  readonly state: "ongoing" | "on-phone" | "reported" | "lost";
  /** Why it was lost: a cause of the ledger; null: it was not. */
  readonly cause: string | null;
}

export interface PersonDetails {
  /** `farmers/3`; a person beyond the scenario has the number. */
  readonly selector: string;
  readonly phone: string;
  readonly name: string | null;
  readonly language: string | null;
  /** False: no person has this number yet; the first text or call makes them. */
  readonly known: boolean;
  /** UUID of the contact; null: the service does not know the number. */
  readonly contact: string | null;
  /** Their own handset; null: they have none. */
  readonly home: string | null;
  readonly at: string;
}

/** A conversation in a person's list. */
export interface PersonConversationHead {
  readonly handset: string;
  readonly phone: string;
  readonly last: TextEntry;
}

export interface FoundPerson {
  readonly selector: string;
  readonly phone: string;
  readonly name: string | null;
}

/** A text or call that was lost (`/lab/losses`). */
export interface LossEntry {
  readonly at_ms: number;
  readonly cause: string;
  /** The same in words. */
  readonly why: string;
  readonly handset: string;
  readonly person: { readonly selector: string | null; readonly phone: string; readonly name: string | null };
  /** Null: a call. */
  readonly text: string | null;
  /** Number of the service's message; null: a person's text, or a call. */
  readonly message: number | null;
}

/** A person's newest text to a handset, and how far it and its answers have come. */
export interface TextWay {
  readonly entry: TextEntry;
  /** Null: its event has not been made. */
  readonly event: {
    readonly id: string;
    readonly at: string;
    /** Null: it goes nowhere. */
    readonly url: string | null;
    /** See `/lab/events`; `waiting`: no attempt has ended. */
    readonly outcome: string;
    readonly tries: number;
    readonly answered_at: string | null;
    readonly status: number | null;
    readonly error: string | null;
    readonly duration_ms: number | null;
    /** What the receiver's answer led to: a reply, or why it was ignored. */
    readonly reply: { readonly kind: string; readonly reason: string | null } | null;
  } | null;
  /** Messages to the person since, oldest first, at most 3. */
  readonly answers: readonly AnswerWay[];
}

export interface AnswerWay {
  readonly entry: TextEntry;
  /** `reply`: of the receiver's answer; `flow`: of a flow; else where it came from. */
  readonly origin: string;
  readonly created_at: string;
  readonly sent_at: string | null;
  readonly delivered_at: string | null;
  /** When it was lost; null: it was not. */
  readonly lost_at: string | null;
}
