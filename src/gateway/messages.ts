import type { Kernel, SimTime } from "../sim/index.js";
import { idWithin, type ServicePreset, type Tally } from "../wire/index.js";
import type { Channel, Channels } from "./channels.js";
import type { Contact } from "./contacts.js";
import type { ContinuedState } from "./continued-state.js";
import type { Journal, MessageOrigin, MessageRow } from "./journal.js";
import type { Message } from "./message.js";
import type { GatewayPorts } from "./ports.js";

/**
 * Maximum number of outgoing messages that a channel remembers after they left the queue, for late and repeated
 * reports. A phone keeps its newest 100 (docs/reference/handset.md#numbers). The service acknowledges a report for a
 * forgotten message without effect.
 */
const REMEMBERED_MAX = 1000;

/** The properties of a recorded message that late reports and API clients' actions need. */
export type KnownMessage = Pick<
  MessageRow,
  "row" | "id" | "phone" | "direction" | "status" | "text" | "visibility" | "contact"
>;

/** Reads messages that were recorded. The store implements it. */
export interface RecordedMessages {
  /** The messages with these ids, deleted ones included, in any order. */
  byIds(ids: readonly number[]): KnownMessage[];
}

/** An outgoing text, and the request that caused it. */
export interface NewText {
  readonly text: string;
  readonly origin: MessageOrigin;
  /** The event that it answers; default null. */
  readonly replyTo?: MessageRow["replyTo"];
  /** Id of the broadcast that it belongs to; default null. */
  readonly broadcast?: number;
  /** Id of the flow that sends it; default null. */
  readonly flow?: number | null;
}

/** The service's messages: their ids, their statuses, and the queue of each channel. */
export class Messages {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tally: Tally;
  readonly #preset: ServicePreset;
  readonly #channels: Channels;
  readonly #startsAtMs: number;
  readonly #recorded: RecordedMessages;
  readonly #ports: GatewayPorts;
  #rows: number;

  /** @param options - `recorded`: queried only for messages that `continueFrom` covers */
  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    tally: Tally;
    preset: ServicePreset;
    startsAtMs: number;
    channels: Channels;
    recorded: RecordedMessages;
    ports: GatewayPorts;
    continueFrom?: ContinuedState;
  }) {
    const { continueFrom } = options;
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#preset = options.preset;
    this.#channels = options.channels;
    this.#startsAtMs = options.startsAtMs;
    this.#recorded = options.recorded;
    this.#ports = options.ports;
    this.#rows = continueFrom?.rows.messages ?? 0;
    // Phones start with empty queues, so none of these has been offered.
    for (const { channel, ...message } of continueFrom?.queued ?? []) {
      this.#enqueue(options.channels.get(channel), {
        ...message,
        isOffered: false,
        sentEvent: 0,
        deliveredEvent: 0,
        failedEvent: 0,
      });
    }
  }

  /**
   * Stores a text that a phone received, and returns its row.
   *
   * @param text - `timeMs`: when, by the phone's clock, milliseconds since 1970; `flow`: id of the flow that handles it
   */
  storeIncoming(
    channel: Channel,
    contact: Contact,
    { text, timeMs, flow = null }: { text: string; timeMs: number; flow?: number | null },
  ): MessageRow {
    const row = this.#store(channel, contact, {
      text,
      direction: "I",
      status: "H",
      sentAtMs: this.#instantOf(timeMs),
      origin: "phone",
      replyTo: null,
      broadcast: null,
      flow,
      // Texts from a blocked contact are archived at once (docs/reference/service-api.md#contact-actions).
      visibility: contact.isBlocked ? "archived" : "visible",
    });
    this.#tally.delivered("texts");
    return row;
  }

  /** Queues a text for a phone to send. The caller then wakes the phone (`GatewayPorts.push`), or calls `send`. */
  queue(
    requested: Channel,
    contact: Contact,
    { text, origin, replyTo = null, broadcast, flow = null }: NewText,
  ): Message {
    const channel = requested.offersThrough ?? requested;
    // The caller wakes the phone of the requested channel only.
    if (channel !== requested) this.#ports.push(channel.spec.id);
    const row = this.#store(channel, contact, {
      text,
      direction: "O",
      status: "Q",
      sentAtMs: null,
      origin,
      replyTo,
      broadcast: broadcast ?? null,
      flow,
      visibility: "visible",
    });
    const queued = newMessage(row);
    this.#enqueue(channel, queued);
    this.#ports.queued?.(row);
    return queued;
  }

  /** Queues a text and wakes the phone. Returns the message's id. */
  send(channel: Channel, contact: Contact, text: NewText): number {
    const { id } = this.queue(channel, contact, text);
    this.#ports.push(channel.spec.id);
    return id;
  }

  #enqueue(channel: Channel, message: Message): void {
    channel.queued ??= new Map();
    channel.queued.set(message.id, message);
    this.#tally.in("texts");
  }

  /** Fault `offersIncoming`: queues a text that came in as a message, which the phone sends back to the sender. */
  queueIncoming(channel: Channel, row: MessageRow): void {
    channel.queued ??= new Map();
    channel.queued.set(row.id, { ...newMessage(row), isIncoming: true });
    this.#tally.copy("texts", "sent-back");
  }

  /** Records status F; a text that came in keeps its status. */
  #recordFailure({ row, isIncoming }: Message): void {
    if (isIncoming !== true) this.#journal.messageStatus(row, "F", this.#kernel.now, null);
  }

  /** Fails the queued messages to these numbers, except those already offered to a phone. */
  withdraw(phones: ReadonlySet<string>): void {
    for (const { queued, spec } of this.#channels.all) {
      if (queued === undefined) continue;
      for (const message of queued.values()) {
        if (message.isOffered || !phones.has(message.phone)) continue;
        message.status = "F";
        queued.delete(message.id);
        this.#recordFailure(message);
        const { id, phone, text } = message;
        this.#tally.lost("texts", "contact-gets-nothing", [{ channel: spec.id, phone, text, message: id }]);
      }
    }
  }

  /** Fails the queue of a channel that is released, or moves to another organisation. */
  failQueue({ queued, spec }: Channel, cause: "released" | "moved"): void {
    for (const message of queued?.values() ?? []) {
      message.status = "F";
      this.#recordFailure(message);
      const { id, phone, text } = message;
      const isOnPhone = this.#ports.disown?.(spec.id, id) === true;
      if (!isOnPhone) this.#tally.lost("texts", cause, [{ channel: spec.id, phone, text, message: id }]);
    }
    queued?.clear();
  }

  /** The outgoing message with this id, unless it was forgotten. */
  find(channel: Channel, id: number): Message | undefined {
    return channel.queued?.get(id) ?? channel.remembered?.get(id) ?? this.#findRecorded(channel, id);
  }

  /** Finds a message that left the queue before the database was last closed. */
  #findRecorded(channel: Channel, id: number): Message | undefined {
    if (!this.isKnown(channel, id) || id > idWithin(channel.spec.id, channel.continuedCount)) return undefined;
    const known = this.#recorded.byIds([id])[0];
    if (known === undefined || known.direction !== "O") return undefined;
    const { row, phone, text, status } = known;
    const message: Message = {
      row,
      id,
      phone,
      text,
      status,
      isOffered: true,
      sentEvent: 0,
      deliveredEvent: 0,
      failedEvent: 0,
    };
    this.#remember(channel, message);
    return message;
  }

  /** Whether a message of this channel ever had this id. */
  isKnown(channel: Channel, id: number): boolean {
    const n = id - idWithin(channel.spec.id, 0);
    return n >= 1 && n <= channel.messageCount;
  }

  /**
   * Applies a reported status. S overwrites D unless the preset `keepsDelivered`
   * (docs/reference/handset.md#messages-at-the-service), and a message that was sent or has failed leaves the queue.
   * The phone's clock says when it was sent; a delivery without an earlier report of sending counts as that report.
   *
   * @param report - `timeMs`: by the phone's clock, milliseconds since 1970
   */
  applyReport(
    channel: Channel,
    message: Message,
    { status, timeMs }: { status: "S" | "D" | "F"; timeMs: number },
  ): void {
    if (message.status === status) return;
    if (message.status === "D" && status === "S" && this.#preset.keepsDelivered) return;
    message.status = status;
    if (message.isIncoming !== true) {
      const sentAtMs = status === "F" ? null : this.#instantOf(timeMs);
      this.#journal.messageStatus(message.row, status, this.#kernel.now, sentAtMs);
    }
    if (channel.queued?.delete(message.id) === true) this.#remember(channel, message);
  }

  #remember(channel: Channel, message: Message): void {
    channel.remembered ??= new Map();
    channel.remembered.set(message.id, message);
    if (channel.remembered.size > REMEMBERED_MAX) {
      for (const oldest of channel.remembered.keys()) {
        channel.remembered.delete(oldest);
        break;
      }
    }
  }

  #store(
    channel: Channel,
    contact: Contact,
    row: Pick<
      MessageRow,
      "text" | "direction" | "status" | "sentAtMs" | "origin" | "replyTo" | "broadcast" | "flow" | "visibility"
    >,
  ): MessageRow {
    const stored: MessageRow = {
      row: ++this.#rows,
      id: idWithin(channel.spec.id, ++channel.messageCount),
      channel: channel.spec.id,
      contact: contact.row,
      phone: contact.phone,
      direction: row.direction,
      status: row.status,
      text: row.text,
      createdAtMs: this.#kernel.now,
      sentAtMs: row.sentAtMs,
      origin: row.origin,
      replyTo: row.replyTo,
      broadcast: row.broadcast,
      type: row.flow === null && row.origin !== "campaign" ? "inbox" : "flow",
      flow: row.flow,
      visibility: row.visibility,
    };
    this.#journal.message(stored);
    return stored;
  }

  /** The virtual instant of a phone's time. */
  #instantOf(timeMs: number): SimTime {
    return Math.floor(timeMs) - this.#startsAtMs;
  }
}

/** The message of a stored text, before any phone has been offered it. */
function newMessage({ row, id, phone, text }: MessageRow): Message {
  return {
    row,
    id,
    phone,
    text,
    status: "Q",
    isOffered: false,
    sentEvent: 0,
    deliveredEvent: 0,
    failedEvent: 0,
  };
}
