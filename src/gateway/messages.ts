import type { Kernel, SimTime } from "../sim/index.js";
import type { Tally } from "../wire/index.js";
import type { MessageTable } from "./account/message-table.js";
import { type Channel, type Channels, idWithin } from "./channels.js";
import type { Contact, Contacts } from "./contacts.js";
import type { Journal, MessageOrigin, MessageRow } from "./journal.js";
import type { Message } from "./message.js";
import type { GatewayPorts } from "./ports.js";
import type { ResumeState } from "./resume.js";

/**
 * How many outgoing messages that left the queue a channel remembers, so that late and repeated reports find them.
 * A phone keeps its newest 100 (handset.md 2); a report for a message that was forgotten is acked without effect.
 */
const REMEMBERED = 1000;

/** The service's messages: ids, statuses, and the queue of each channel. */
export class Messages {
  readonly #kernel: Kernel;
  readonly #journal: Journal;
  readonly #tally: Tally;
  readonly #contacts: Contacts;
  readonly #channels: Channels;
  readonly #startsAtMs: number;
  readonly #table: MessageTable;
  readonly #ports: GatewayPorts;
  #rows: number;

  constructor(options: {
    kernel: Kernel;
    journal: Journal;
    tally: Tally;
    startsAtMs: number;
    contacts: Contacts;
    channels: Channels;
    table: MessageTable;
    ports: GatewayPorts;
    resume?: ResumeState;
  }) {
    const { resume } = options;
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#contacts = options.contacts;
    this.#channels = options.channels;
    this.#startsAtMs = options.startsAtMs;
    this.#table = options.table;
    this.#ports = options.ports;
    this.#rows = resume?.rows.messages ?? 0;
    // Phones wake up with empty queues: none was told of any of these.
    for (const { channel, ...message } of resume?.queued ?? []) {
      this.#enqueue(options.channels.get(channel), { ...message, isOffered: false, sentEvent: 0, deliveredEvent: 0 });
    }
  }

  /**
   * Stores a text that a phone took in, and returns its row.
   *
   * @param message - `timeMs`: when, by the phone's clock, milliseconds since 1970
   */
  takeIn(channel: Channel, { phone, text, timeMs }: { phone: string; text: string; timeMs: number }): MessageRow {
    const contact = this.#contacts.writer(phone);
    const row = this.#store(channel, contact, {
      phone,
      text,
      direction: "I",
      status: "H",
      sentAtMs: this.#instantOf(timeMs),
      origin: "phone",
      replyTo: null,
      broadcast: null,
      // service-api.md 2.8: what a blocked contact writes is archived at once.
      visibility: contact.isBlocked ? "archived" : "visible",
    });
    this.#contacts.seen(contact, channel.spec.id);
    this.#tally.delivered("texts");
    return row;
  }

  /** Queues a text for a phone to send. */
  queue(
    channel: Channel,
    message: {
      phone: string;
      text: string;
      origin: MessageOrigin;
      replyTo: MessageRow["replyTo"];
      broadcast?: number;
    },
  ): Message {
    const row = this.#store(channel, this.#contacts.of(message.phone), {
      broadcast: null,
      ...message,
      direction: "O",
      status: "Q",
      sentAtMs: null,
      visibility: "visible",
    });
    const { row: place, id, phone, text } = row;
    const queued: Message = {
      row: place,
      id,
      phone,
      text,
      status: "Q",
      isOffered: false,
      sentEvent: 0,
      deliveredEvent: 0,
    };
    this.#enqueue(channel, queued);
    this.#ports.queued?.(row);
    return queued;
  }

  #enqueue(channel: Channel, message: Message): void {
    channel.queued ??= new Map();
    channel.queued.set(message.id, message);
    this.#tally.in("texts");
  }

  /** These numbers get nothing any more: what waits for them and no phone was told of has failed. */
  withdraw(phones: ReadonlySet<string>): void {
    for (const { queued } of this.#channels.all) {
      if (queued === undefined) continue;
      for (const message of queued.values()) {
        if (message.isOffered || !phones.has(message.phone)) continue;
        message.status = "F";
        queued.delete(message.id);
        this.#journal.messageStatus(message.row, "F", this.#kernel.now, null);
        this.#tally.lost("texts", "contact-gets-nothing");
      }
    }
  }

  /** The outgoing message with this id, unless it was forgotten. */
  find(channel: Channel, id: number): Message | undefined {
    return channel.queued?.get(id) ?? channel.remembered?.get(id) ?? this.#lookUp(channel, id);
  }

  /** One that left the queue before the service went on from what was written down. */
  #lookUp(channel: Channel, id: number): Message | undefined {
    if (!this.isKnown(channel, id) || id > idWithin(channel.spec.id, channel.resumedCount)) return undefined;
    const known = this.#table.byIds([id])[0];
    if (known === undefined || known.direction !== "O") return undefined;
    const { row, phone, text, status } = known;
    const message: Message = { row, id, phone, text, status, isOffered: true, sentEvent: 0, deliveredEvent: 0 };
    this.#remember(channel, message);
    return message;
  }

  /** Whether the channel ever gave out this id. */
  isKnown(channel: Channel, id: number): boolean {
    const n = id - idWithin(channel.spec.id, 0);
    return n >= 1 && n <= channel.messageCount;
  }

  /**
   * A report moves a message on. S never overwrites D (handset.md 13.11), and a message that was sent or has failed
   * leaves the queue. When it was sent is the phone's word; where only its delivery is told, that of the delivery.
   *
   * @param report - `timeMs`: by the phone's clock, milliseconds since 1970
   */
  report(channel: Channel, message: Message, { status, timeMs }: { status: "S" | "D" | "F"; timeMs: number }): void {
    if (message.status === status || (message.status === "D" && status === "S")) return;
    message.status = status;
    const sentAtMs = status === "F" ? null : this.#instantOf(timeMs);
    this.#journal.messageStatus(message.row, status, this.#kernel.now, sentAtMs);
    if (channel.queued?.delete(message.id) === true) this.#remember(channel, message);
  }

  #remember(channel: Channel, message: Message): void {
    channel.remembered ??= new Map();
    channel.remembered.set(message.id, message);
    if (channel.remembered.size > REMEMBERED) {
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
      "phone" | "text" | "direction" | "status" | "sentAtMs" | "origin" | "replyTo" | "broadcast" | "visibility"
    >,
  ): MessageRow {
    const stored: MessageRow = {
      row: ++this.#rows,
      id: idWithin(channel.spec.id, ++channel.messageCount),
      channel: channel.spec.id,
      contact: contact.row,
      phone: row.phone,
      direction: row.direction,
      status: row.status,
      text: row.text,
      createdAtMs: this.#kernel.now,
      sentAtMs: row.sentAtMs,
      origin: row.origin,
      replyTo: row.replyTo,
      broadcast: row.broadcast,
      type: "inbox",
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
