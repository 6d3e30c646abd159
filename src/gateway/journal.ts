import type { SimTime } from "../sim/index.js";
import type { RegistrationRow } from "./registration.js";
import type { CallEventType, CopyCause, Delay, DeviceStatus } from "../wire/index.js";

/**
 * Everything that happens in the service, appended in order. The store implements it and writes in batches; the
 * gateway never reads it. Row numbers (`row`) count from 1 within each table, in the order of the method calls.
 */
export interface Journal {
  /** Inserts a channel, or replaces the row with its id. */
  channel(row: ChannelRow): void;
  /** Inserts a registration of a handset, or replaces the row with its id. Channels that never changed have none. */
  registration(row: RegistrationRow): void;
  message(row: MessageRow): void;
  /**
   * Changes the status of the message with this row number.
   *
   * @param sentAtMs - when it was sent, by the phone's clock; null when not reported. The first value is kept
   */
  messageStatus(row: number, status: MessageStatus, atMs: SimTime, sentAtMs: SimTime | null): void;
  call(row: CallRow): void;
  /** @param isPosted - false: the channel has no delivery URL, or does not forward the type; default true */
  event(row: EventRow, isPosted?: boolean, way?: EventWay): void;
  /** Adds a sentence to the log of the run. */
  note(row: NoteRow): void;
}

/**
 * Q queued, S sent, D delivered, E errored, F failed; H handled: how incoming texts end
 * (docs/reference/service-api.md#message-statuses).
 */
export type MessageStatus = "Q" | "S" | "D" | "E" | "F" | "H";

export interface ChannelRow {
  /** Counts from 1 in file order: the place of the handset. */
  readonly id: number;
  /** The registration that was claimed last, see `Channel`. */
  readonly relayer: number;
  readonly uuid: string;
  /** The handset's selector, `clinic/3`. */
  readonly name: string;
  /** Empty: it has no number. */
  readonly phone: string;
  readonly isActive: boolean;
  readonly createdAtMs: SimTime;
  readonly claimAfterMs: number | null;
  /** Delivery URL; null: events of this channel are not delivered. */
  readonly url: string | null;
  /** Event types that are forwarded to the URL; absent: all. */
  readonly forwards?: readonly string[];
  readonly lastSeenMs: SimTime;
  /** When it was last seen, as the API shows it: see `Channel`. */
  readonly shownSeenMs: SimTime;
  /** Whether `device` comes from a sync; see `Channel`. */
  readonly hasSynced: boolean;
  readonly device: DeviceStatus;
}

export interface MessageRow {
  readonly row: number;
  /** channel × 2^20 + n. */
  readonly id: number;
  readonly channel: number;
  /** Row number of the contact. */
  readonly contact: number;
  readonly phone: string;
  readonly direction: "I" | "O";
  readonly status: MessageStatus;
  readonly text: string;
  readonly createdAtMs: SimTime;
  /** Incoming: when the phone received it, by its own clock. Outgoing: null, see `messageStatus`. */
  readonly sentAtMs: SimTime | null;
  /**
   * Source of the message: a phone's report, a receiver's reply, a story step, traffic, a hand, the API, a flow or a
   * campaign.
   */
  readonly origin: MessageOrigin;
  /** Of a reply: channel and number of the event that it answers. */
  readonly replyTo: { readonly channel: number; readonly event: number } | null;
  /** Id of the broadcast that it belongs to. */
  readonly broadcast: number | null;
  /** Whether a flow handled or sent it (docs/reference/service-api.md#message-types). */
  readonly type: MessageType;
  /** Id of the flow that handled or sent it; null: none. */
  readonly flow: number | null;
  readonly visibility: Visibility;
}

export type MessageType = "inbox" | "flow";

/** Only incoming messages are ever archived or deleted (docs/reference/service-api.md#direction-and-visibility). */
export type Visibility = "visible" | "archived" | "deleted";

export type MessageOrigin = "phone" | "reply" | "story" | "traffic" | "hand" | "api" | "flow" | "campaign";

export interface CallRow {
  readonly row: number;
  /** channel × 2^20 + n. */
  readonly id: number;
  readonly channel: number;
  readonly contact: number;
  readonly phone: string;
  readonly type: CallEventType;
  /** By the phone's clock, milliseconds since 1970. */
  readonly timeMs: number;
  readonly durationS: number;
  readonly createdAtMs: SimTime;
}

export interface EventRow {
  readonly row: number;
  readonly channel: number;
  /** Counts from 1 within the channel. */
  readonly number: number;
  readonly atMs: SimTime;
  readonly type: string;
  /** As sent: form-encoded. */
  readonly body: string;
  /** Id of the message or call that it is about; null for other events. */
  readonly subject: number | null;
  /** The earlier event about the same text, call or outcome; null: this is the first. */
  readonly copy: EventCopy | null;
}

/**
 * The history of an event's subject before it reached the service, which only the simulator knows. Virtual
 * milliseconds.
 */
export interface EventWay {
  /** See `ReportOrigin`. */
  readonly beganAtMs: SimTime | null;
  readonly phoneAtMs: SimTime;
  readonly delays: readonly Delay[];
}

/** The original of a copied event, and the cause of the copy. */
export interface EventCopy {
  /** Number of the first event about the subject, within the same channel. */
  readonly of: number;
  readonly cause: CopyCause;
}

export interface NoteRow {
  readonly atMs: SimTime;
  /** 0 when it concerns no channel. */
  readonly channel: number;
  /** A stable word: `note`, `reply-ignored`, `sync-refused`… */
  readonly kind: string;
  readonly text: string;
}
