import type { KnownMessage } from "../gateway/index.js";
import type { Kernel } from "../sim/index.js";
import type { LabelRow } from "./labels.js";
import type { MessageTable } from "./tables/message-table.js";

/**
 * Actions of API clients on recorded messages (docs/reference/service-api.md#message-actions). The caller has checked
 * that each message permits them.
 */
export class MessageActions {
  readonly #kernel: Kernel;
  readonly #table: MessageTable;

  constructor(options: { kernel: Kernel; table: MessageTable }) {
    this.#kernel = options.kernel;
    this.#table = options.table;
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
    this.#setVisibility(messages, "archived");
  }

  restore(messages: readonly KnownMessage[]): void {
    this.#setVisibility(messages, "visible");
  }

  /** Deletes messages. Cannot be undone. */
  remove(messages: readonly KnownMessage[]): void {
    for (const { row } of messages) this.#table.erase(row, this.#kernel.now);
  }

  #setVisibility(messages: readonly KnownMessage[], visibility: "visible" | "archived"): void {
    for (const message of messages) {
      if (message.visibility !== visibility) this.#table.setVisibility(message.row, visibility, this.#kernel.now);
    }
  }
}
