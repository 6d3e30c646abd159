import type { SimTime } from "../sim/index.js";
import type { DeviceStatus } from "../wire/index.js";
import type { Message } from "./message.js";

/** What a gateway goes on from, where messages were written down already. The store reads it. */
export interface ResumeState {
  /** The last instant that was written down: the kernel must stand there, or later. */
  readonly atMs: SimTime;
  /** How many rows there are of each kind: numbering goes on behind them. */
  readonly rows: { readonly messages: number; readonly calls: number; readonly events: number };
  /** By id. Channels that are not there begin from nothing. */
  readonly channels: ReadonlyMap<number, ResumedChannel>;
  /** Messages that wait to be sent, the oldest first. Their channels must be there. */
  readonly queued: readonly (Omit<Message, "isOffered" | "sentEvent" | "deliveredEvent"> & {
    readonly channel: number;
  })[];
}

/** What is known of a channel. */
export interface ResumedChannel {
  readonly lastSeenMs: SimTime;
  readonly shownSeenMs: SimTime;
  readonly hasSynced: boolean;
  readonly device: DeviceStatus;
  /** The highest numbers that were given out within the channel. */
  readonly messageCount: number;
  readonly callCount: number;
  readonly eventCount: number;
}
