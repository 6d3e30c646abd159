import type { Kernel, Streams } from "../../sim/index.js";
import { IdUuids } from "../id-uuids.js";
import type { Messages } from "../messages.js";
import type { GatewayPorts } from "../ports.js";
import type { Route } from "../routing.js";
import type { LabelRow } from "./labels.js";
import type { KnownMessage, MessageTable } from "./message-table.js";

/**
 * What clients do with messages: they send one, or act on many incoming ones at once (service-api.md 2.16). Whoever calls
 * has checked that these may be acted upon.
 */
export class AccountMessages {
  readonly uuids: IdUuids;
  readonly #kernel: Kernel;
  readonly #table: MessageTable;
  readonly #messages: Messages;
  readonly #ports: GatewayPorts;

  constructor(options: {
    kernel: Kernel;
    streams: Streams;
    table: MessageTable;
    messages: Messages;
    ports: GatewayPorts;
  }) {
    this.uuids = new IdUuids(options.streams, "message");
    this.#kernel = options.kernel;
    this.#table = options.table;
    this.#messages = options.messages;
    this.#ports = options.ports;
  }

  /** Queues a text to one contact and wakes the phone. Returns the id of the message. */
  send({ channel, phone }: Route, text: string): number {
    const { id } = this.#messages.queue(channel, { phone, text, origin: "api", replyTo: null });
    this.#ports.push(channel.spec.id);
    return id;
  }

  label(messages: readonly KnownMessage[], label: LabelRow): void {
    for (const { row } of messages) {
      if (!this.#table.hasLabel(row, label.id)) this.#table.addLabel(row, label.id, this.#kernel.now);
    }
  }

  unlabel(messages: readonly KnownMessage[], label: LabelRow): void {
    for (const { row } of messages) {
      if (this.#table.hasLabel(row, label.id)) this.#table.removeLabel(row, label.id, this.#kernel.now);
    }
  }

  archive(messages: readonly KnownMessage[]): void {
    this.#show(messages, "archived");
  }

  restore(messages: readonly KnownMessage[]): void {
    this.#show(messages, "visible");
  }

  /** Cannot be undone. */
  remove(messages: readonly KnownMessage[]): void {
    for (const { row } of messages) this.#table.erase(row, this.#kernel.now);
  }

  #show(messages: readonly KnownMessage[], visibility: "visible" | "archived"): void {
    for (const message of messages) {
      if (message.visibility !== visibility) this.#table.setVisibility(message.row, visibility, this.#kernel.now);
    }
  }
}
