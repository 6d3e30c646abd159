import type { Kernel } from "../sim/index.js";
import type { Tally } from "../wire/index.js";
import { type Channel, idWithin } from "./channels.js";
import type { Contacts } from "./contacts.js";
import type { Journal, MessageOrigin, MessageRow } from "./journal.js";
import type { Message } from "./message.js";

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
  #rows = 0;

  constructor(options: { kernel: Kernel; journal: Journal; tally: Tally; contacts: Contacts }) {
    this.#kernel = options.kernel;
    this.#journal = options.journal;
    this.#tally = options.tally;
    this.#contacts = options.contacts;
  }

  /** Stores a text that a phone took in, and returns its id. */
  takeIn(channel: Channel, phone: string, text: string): number {
    const contact = this.#contacts.of(phone);
    const row = this.#store(channel, {
      phone,
      text,
      direction: "I",
      status: "H",
      origin: "phone",
      replyTo: null,
      broadcast: null,
      // service-api.md 2.8: what a blocked contact writes is archived at once.
      visibility: contact.isBlocked ? "archived" : "visible",
    });
    this.#contacts.seen(contact, channel.spec.id);
    this.#tally.delivered("texts");
    return row.id;
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
    const row = this.#store(channel, {
      broadcast: null,
      ...message,
      direction: "O",
      status: "Q",
      visibility: "visible",
    });
    const queued: Message = { row: row.row, id: row.id, phone: row.phone, text: row.text, status: "Q" };
    channel.queued ??= new Map();
    channel.queued.set(queued.id, queued);
    this.#tally.in("texts");
    return queued;
  }

  /** The outgoing message with this id, unless it was forgotten. */
  find(channel: Channel, id: number): Message | undefined {
    return channel.queued?.get(id) ?? channel.remembered?.get(id);
  }

  /** Whether the channel ever gave out this id. */
  isKnown(channel: Channel, id: number): boolean {
    const n = id - idWithin(channel.spec.id, 0);
    return n >= 1 && n <= channel.messageCount;
  }

  /**
   * A report moves a message on. S never overwrites D (handset.md 13.11), and a message that was sent or has failed
   * leaves the queue.
   */
  report(channel: Channel, message: Message, status: "S" | "D" | "F"): void {
    if (message.status === status || (message.status === "D" && status === "S")) return;
    message.status = status;
    this.#journal.messageStatus(message.row, status, this.#kernel.now);
    if (channel.queued?.delete(message.id) !== true) return;
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
    row: Pick<
      MessageRow,
      "phone" | "text" | "direction" | "status" | "origin" | "replyTo" | "broadcast" | "visibility"
    >,
  ): MessageRow {
    const stored: MessageRow = {
      row: ++this.#rows,
      id: idWithin(channel.spec.id, ++channel.messageCount),
      channel: channel.spec.id,
      contact: this.#contacts.of(row.phone).row,
      phone: row.phone,
      direction: row.direction,
      status: row.status,
      text: row.text,
      createdAtMs: this.#kernel.now,
      origin: row.origin,
      replyTo: row.replyTo,
      broadcast: row.broadcast,
      type: "inbox",
      visibility: row.visibility,
    };
    this.#journal.message(stored);
    return stored;
  }
}
