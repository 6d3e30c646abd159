import type { Session } from "../../flow/index.js";
import type { HandledText } from "../../gateway/index.js";
import type { Timer } from "../../sim/index.js";

/** A session that has not ended. Everything except the timer is stored. */
export interface OpenSession {
  /** `SessionRow.id` */
  readonly id: number;
  /** Row of the contact. */
  readonly contact: number;
  session: Session;
  /** Ids of the rows of `session.runs`, by index. */
  readonly runIds: number[];
  /** Id of the flow start; null when there is none. */
  readonly start: number | null;
  /** The `@embed` data of the start; null when there is none. */
  readonly embeddedData: unknown;
  /** Id of the channel through which the contact last wrote or called; null before the first time. */
  channel: number | null;
  /** Row of the message that is being handled; null when there is none. */
  messageRow: number | null;
  /** Number of sprints so far: each draws from its own random stream. */
  sprintCount: number;
  /** Texts that came while the session waited for an HTTP call, oldest first. */
  readonly texts: HandledText[];
  /** Fires when the wait times out or expires. */
  timer: Timer | undefined;
  /** What `saveRuns` stored last, by run, so that only changed runs are written. */
  readonly savedRuns: string[];
}

/** The JSON of a stored session. */
export type StoredState = Pick<
  OpenSession,
  "session" | "runIds" | "start" | "embeddedData" | "channel" | "messageRow" | "sprintCount" | "texts"
>;

export function storedState(live: OpenSession): StoredState {
  const { session, runIds, start, embeddedData, channel, messageRow, sprintCount, texts } = live;
  return { session, runIds, start, embeddedData, channel, messageRow, sprintCount, texts };
}
