import type { MessageStatus, RecordedMessages, Visibility } from "../../gateway/index.js";
import type { SimTime } from "../../sim/index.js";

/** Changes recorded messages. The store implements it. */
export interface MessageTable extends RecordedMessages {
  hasLabel(row: number, label: number): boolean;
  addLabel(row: number, label: number, atMs: SimTime): void;
  removeLabel(row: number, label: number, atMs: SimTime): void;
  setVisibility(row: number, visibility: Exclude<Visibility, "deleted">, atMs: SimTime): void;
  /** Deletes a message: removes its text and its labels and keeps its row. */
  erase(row: number, atMs: SimTime): void;
  /** Archives all visible incoming messages of a contact. */
  archiveIncomingOf(contact: number, atMs: SimTime): void;
  /** Deletes all messages of a contact. */
  eraseOf(contact: number, atMs: SimTime): void;
  /** Contacts with a message of this broadcast, and the number of its messages. */
  ofBroadcast(broadcast: number): { readonly contacts: ReadonlySet<number>; readonly count: number };
  /** Messages of these broadcasts, counted by their latest status. */
  statusesOfBroadcasts(
    broadcasts: readonly number[],
  ): readonly { readonly broadcast: number; readonly status: MessageStatus; readonly count: number }[];
}
