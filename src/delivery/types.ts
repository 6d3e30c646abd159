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

export { attemptOutcomes, type AttemptOutcome } from "../measure/index.js";

/**
 * What came back over the wire, or why nothing did. Exactly one of `status` and `error` is null: an answer that broke
 * off has an error, and no status, whatever its first line said; its headers and the beginning of its body are kept.
 */
export interface Exchange {
  /** Wall milliseconds since the sender was made: when the request was written; null when it never was. */
  readonly sentWallMs: number | null;
  /** The same for when the sender had the request in hand; null when it took none. It may wait for a connection then. */
  readonly postedWallMs: number | null;
  /** Request written to answer read, or to the failure; where nothing was written, from the beginning of the try. */
  readonly durationMs: number;
  readonly status: number | null;
  /** Stable code where there is no usable answer: ECONNREFUSED, ETIMEDOUT, HPE_…, `body-too-large`… (see `Sender`). */
  readonly error: string | null;
  /** `name: value` lines, at most 8 KiB. */
  readonly headers: string | null;
  /** The beginning of the body, at most 64 KiB; decoded from gzip, deflate or br; null when nothing came. */
  readonly body: Uint8Array | null;
  /** Length of the whole body as it came. */
  readonly bodyBytes: number;
  /** Other addresses that were asked because of redirects, in order. */
  readonly redirects: readonly string[];
}

/** One attempt, complete: what is recorded. */
export interface Attempt extends Exchange {
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
