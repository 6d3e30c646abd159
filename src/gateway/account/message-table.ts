import type { SimTime } from "../../sim/index.js";
import type { MessageRow, Visibility } from "../journal.js";

/** What there is to know of a message that is acted upon. */
export type KnownMessage = Pick<
  MessageRow,
  "row" | "id" | "phone" | "direction" | "status" | "text" | "visibility" | "contact"
>;

/** Where messages are kept once they are written down. The store implements it. */
export interface MessageTable {
  /** Those of these ids that there are, deleted ones too, in no promised order. */
  byIds(ids: readonly number[]): KnownMessage[];
  hasLabel(row: number, label: number): boolean;
  addLabel(row: number, label: number, atMs: SimTime): void;
  removeLabel(row: number, label: number, atMs: SimTime): void;
  setVisibility(row: number, visibility: Exclude<Visibility, "deleted">, atMs: SimTime): void;
  /** Deletes a message: its text and its labels go; the row stays. */
  erase(row: number, atMs: SimTime): void;
  /** All visible incoming messages of a contact become archived. */
  archiveIncomingOf(contact: number, atMs: SimTime): void;
  /** Deletes all messages of a contact. */
  eraseOf(contact: number, atMs: SimTime): void;
  /** The contacts that have a message of this broadcast, and how many messages it has. */
  ofBroadcast(broadcast: number): { readonly contacts: ReadonlySet<number>; readonly count: number };
}
