import type { SimTime } from "../sim/index.js";
import type { DeviceStatus } from "../wire/index.js";
import type { Message } from "./message.js";
import type { ChannelRow } from "./journal.js";
import type { Registration } from "./registration.js";

/** What a gateway continues from when a database is served again. The store reads it. */
export interface ContinuedState {
  /** The last recorded instant: the kernel must be at it, or later. */
  readonly atMs: SimTime;
  /** Recorded rows of each kind: new rows are numbered after them. */
  readonly rows: { readonly messages: number; readonly calls: number; readonly events: number };
  /** By id. Channels without an entry start empty. */
  readonly channels: ReadonlyMap<number, ContinuedChannel>;
  /** Messages with status Q, oldest first. Each one's channel must be among the gateway's. */
  readonly queued: readonly (Omit<Message, "isOffered" | "sentEvent" | "deliveredEvent"> & {
    readonly channel: number;
  })[];
}

/** The recorded state of a channel. */
export interface ContinuedChannel {
  readonly lastSeenMs: SimTime;
  readonly shownSeenMs: SimTime;
  readonly hasSynced: boolean;
  readonly device: DeviceStatus;
  /** The highest numbers given out within the channel. */
  readonly messageCount: number;
  readonly callCount: number;
  readonly eventCount: number;
  /** Absent: its registration never changed. */
  readonly changed?:
    | (Pick<ChannelRow, "relayer" | "uuid" | "phone" | "isActive" | "createdAtMs" | "claimAfterMs"> & {
        /** Oldest first. */
        readonly registrations: readonly Registration[];
      })
    | undefined;
}
