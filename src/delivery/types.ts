import type { HttpResult } from "../http/index.js";
import type { AttemptOutcome } from "../measure/index.js";
import type { SimTime } from "../sim/index.js";
import type { Trouble } from "./trouble/trouble.js";

/** One event to deliver to a receiver. */
export interface Posting {
  readonly channel: number;
  readonly number: number;
  readonly type: string;
  /** When the event was created: the due time of its first attempt. */
  readonly atMs: SimTime;
  readonly url: string;
  /** Form-encoded; the same for every attempt. */
  readonly body: string;
  /** Row of the event in the recording, and of the contact that it is about; for measurement only. */
  readonly row?: number;
  readonly contact?: number | null;
}

/** One complete attempt, as it is recorded. */
export interface Attempt extends HttpResult {
  readonly posting: Posting;
  /** Channel id of the event. */
  readonly channel: number;
  /** Number of the event within the channel. */
  readonly number: number;
  /** URL of the first request; `redirects` has the others. */
  readonly url: string;
  /** 1 for the first. */
  readonly try: number;
  readonly dueAtMs: SimTime;
  /** When its outcome takes effect in the gateway. */
  readonly effectAtMs: SimTime;
  readonly outcome: AttemptOutcome;
  /** Wall milliseconds from the due time to the answer; equals `durationMs` in lockstep. */
  readonly latencyMs: number;
  /**
   * Paced: wall milliseconds from the due time until the HTTP client accepted the request, a delay that this program
   * causes; null in lockstep.
   */
  readonly latenessMs: number | null;
  /** The run was cut off while this attempt was in flight: the receiver may get it twice. */
  readonly isRepeat: boolean;
  /** Trouble on the way to the receiver; undefined: none. */
  readonly trouble: Trouble | undefined;
  /** It is a copy that trouble on the way made of another attempt. */
  readonly isCopy: boolean;
}
