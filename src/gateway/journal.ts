import type { SimTime } from "../sim/index.js";
import type { CallEventType, CopyCause, Delay, DeviceStatus } from "../wire/index.js";

/**
 * Everything that happens in the service, appended in order. The store implements it and writes in batches; the
 * gateway never reads it back. A row number (`row`) counts from 1 within its table, in the order of the calls.
 */
export interface Journal {
  /** Inserts a channel, or replaces what was written for its id. */
  channel(row: ChannelRow): void;
  message(row: MessageRow): void;
  /**
   * The message with this row number has a new status.
   *
   * @param sentAtMs - when the phone says that it was sent; null: it does not say. The first word of it stays
   */
  messageStatus(row: number, status: MessageStatus, atMs: SimTime, sentAtMs: SimTime | null): void;
  call(row: CallRow): void;
  /** @param isPosted - false: its channel has no delivery URL, or does not forward its type; default true */
  event(row: EventRow, isPosted?: boolean, way?: EventWay): void;
  /** A sentence for the log of the run. */
  note(row: NoteRow): void;
}

/** Q queued, S sent, D delivered, E errored, F failed; H handled: how incoming texts end (service-api.md 3.1). */
export type MessageStatus = "Q" | "S" | "D" | "E" | "F" | "H";

export interface ChannelRow {
  /** Counts from 1 in file order; the event field `relayer`. */
  readonly id: number;
  readonly uuid: string;
  /** The handset's selector, `clinic/3`. */
  readonly name: string;
  readonly phone: string;
  /** Delivery URL; null when events of this channel go nowhere. */
  readonly url: string | null;
  /** The types of events that are forwarded to the URL; absent: all. */
  readonly forwards?: readonly string[];
  readonly lastSeenMs: SimTime;
  /** When it was last seen, as the API tells it: see `Channel`. */
  readonly shownSeenMs: SimTime;
  /** The phone has said of itself what `device` holds. */
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
  /** What made it: a sync report, a reply to an event, a story step, traffic, or a hand. */
  readonly origin: MessageOrigin;
  /** For a reply: the number of the event (of the channel below) that it answers. */
  readonly replyTo: { readonly channel: number; readonly event: number } | null;
  /** Id of the broadcast that made it. */
  readonly broadcast: number | null;
  /** Taken or sent by a flow, or not (service-api.md 3.3). */
  readonly type: MessageType;
  readonly visibility: Visibility;
}

export type MessageType = "inbox" | "flow";

/** Only incoming messages are ever archived or deleted (service-api.md 3.2). */
export type Visibility = "visible" | "archived" | "deleted";

export type MessageOrigin = "phone" | "reply" | "story" | "traffic" | "hand" | "api";

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
  /** The id of the message or call that it is about; null for others. */
  readonly subject: number | null;
  /** Where an earlier event is about the very same text, call or outcome; null: this is the first. */
  readonly copy: EventCopy | null;
}

/** How what an event is about came to the service: simulator only. Virtual milliseconds. */
export interface EventWay {
  /** See `ReportOrigin`. */
  readonly beganAtMs: SimTime | null;
  readonly phoneAtMs: SimTime;
  readonly delays: readonly Delay[];
}

/** How an event relates to the one that it is a copy of. */
export interface EventCopy {
  /** Number of the first event about it, within the same channel. */
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
