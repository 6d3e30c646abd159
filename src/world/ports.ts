import type { SimTime } from "../sim/index.js";
import type { SyncAnswer, SyncReport } from "../wire/index.js";

/** The world's outputs. All calls happen at the kernel's `now`. */
export interface WorldPorts {
  /**
   * Gives the service a report that has reached it, and returns its answer, which then travels down to the phone.
   * After undefined (no answer) the phone waits until its timeout.
   */
  uplink(channel: number, report: SyncReport): SyncAnswer | undefined;
  /** Traffic asks the service to send a text through a channel. */
  send(channel: number, phone: string, text: string): void;
  /**
   * A person's phone has shown a text. `person` is the place in the list of all people; `message` is the service's id.
   */
  heard(person: number, text: string, channel: number, atMs: SimTime, message: number): void;
  /**
   * Called after `heard` for a person whose group has `answers`. Returns whether the text belongs to a question of a
   * flow: the caller then plans the answer (`World.planText`), and `replies` do not apply. Absent: no flow asks.
   */
  asked?(person: number, channel: number): boolean;
}
