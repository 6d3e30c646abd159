import type { SimTime } from "../sim/index.js";
import type { SyncAnswer, SyncReport } from "../wire/index.js";

/** The world's outputs. All calls happen at the kernel's `now`. */
export interface WorldPorts {
  /**
   * Passes a report that has reached the service, and returns the service's answer, which then travels to the phone.
   * Undefined means no answer: the phone waits until its timeout.
   */
  uplink(channel: number, report: SyncReport): SyncAnswer | undefined;
  /** Asks the service to send a text through a channel, on behalf of traffic. */
  send(channel: number, phone: string, text: string): void;
  /**
   * Tells that a person's phone has shown a text. `person` is the place in the list of all people; `message` is the
   * service's id.
   */
  heard(person: number, text: string, channel: number, atMs: SimTime, message: number): void;
  /**
   * Called after `heard` for a text whose segments a person's phone has shown in another order. `order`: their places
   * in the text, from 1, as shown. Absent: the order is not recorded.
   */
  disordered?(channel: number, message: number, order: readonly number[]): void;
  /**
   * Called after `heard` for a person whose group has `answers`. Returns whether the text belongs to a question of a
   * flow: the caller then plans the answer (`World.planText`), and `replies` do not apply. Absent: no flow asks.
   */
  asked?(person: number, channel: number): boolean;
}
