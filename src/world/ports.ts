import type { SimTime } from "../sim/index.js";
import type { SyncReport } from "../wire/index.js";

/** What the world tells those outside it. All calls happen at the kernel's `now`. */
export interface WorldPorts {
  /**
   * A report has reached the service. The answer comes back by `World.answer(channel, sync, answer)`, at once or
   * later; a sync that is never answered times out on the phone.
   */
  uplink(channel: number, sync: number, report: SyncReport): void;
  /** Traffic asks the service to send a text through a channel. */
  send(channel: number, phone: string, text: string): void;
  /** A person's phone has shown a text. `person` is the place in the list of all people; `message` is the service's id. */
  heard(person: number, text: string, channel: number, atMs: SimTime, message: number): void;
}
