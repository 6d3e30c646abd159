import type { HttpResult } from "../http/index.js";
import type { AttemptOutcome } from "../measure/index.js";
import type { SimTime } from "../sim/index.js";

/** One event that is to be brought to a receiver. */
export interface Posting {
  readonly channel: number;
  readonly number: number;
  readonly type: string;
  /** When the event came into being: the due time of its first attempt. */
  readonly atMs: SimTime;
  readonly url: string;
  /** Form-encoded; the same for every attempt. */
  readonly body: string;
  /** Its place among all events, and the row of the contact that it tells of; for those who measure. */
  readonly row?: number;
  readonly contact?: number | null;
}

/** One attempt, complete: what is recorded. */
export interface Attempt extends HttpResult {
  readonly posting: Posting;
  /** Of the event. */
  readonly channel: number;
  /** The event's within the channel. */
  readonly number: number;
  /** Where it was sent; redirects are apart. */
  readonly url: string;
  /** 1 for the first. */
  readonly try: number;
  readonly dueAtMs: SimTime;
  /** When its outcome takes effect in the gateway. */
  readonly effectAtMs: SimTime;
  readonly outcome: AttemptOutcome;
  /** Wall milliseconds from the due time to the answer; equals `durationMs` in lockstep. */
  readonly latencyMs: number;
  /** Paced: wall milliseconds from the due time until the attempt was made, by our own doing; null in lockstep. */
  readonly latenessMs: number | null;
  /** An earlier run was cut off while this try was out: the receiver may have it twice. */
  readonly isRepeat: boolean;
}
