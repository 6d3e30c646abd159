import type { HttpSender } from "../http/index.js";
import type { Kernel, SimTime } from "../sim/index.js";
import type { ServicePreset, Tally } from "../wire/index.js";
import type { DeliveryTroubles } from "./trouble/delivery-troubles.js";
import type { Trouble } from "./trouble/trouble.js";
import type { Attempt, Posting } from "./types.js";

/** Where Delivery reports attempts and errors. */
export interface DeliveryPorts {
  /**
   * A retry is about to be made, a copy, or an attempt that was held back. Write-ahead: the recording has the intent
   * before the request leaves.
   */
  beforeRetry?(posting: Posting, tryNumber: number): void;
  /** An attempt meets trouble on the way. Called when it is drawn, before the attempt is held back or made. */
  troubled?(posting: Posting, tryNumber: number, trouble: Trouble): void;
  /**
   * An attempt takes effect. Called before the ledger closes it and before a retry is scheduled. Some fields of
   * `attempt` are getters: read them by name, a spread does not copy them.
   */
  attempted(attempt: Attempt): void;
  /** Paced: the run ended while this attempt was due and unanswered. Instants as in `Attempt.sentWallMs`. */
  unanswered?(attempt: { readonly dueMs: number; readonly writtenMs: number | null; readonly untilMs: number }): void;
  /**
   * `attempted`, `catchUp` or the recording threw. Delivery does not rethrow: the error would surface in the event
   * handler of a socket. The caller must end the run.
   */
  failed(error: unknown): void;
}

/** The part of a recording that Delivery needs. */
export interface FlushedRecording {
  /** Calls `then` when everything recorded so far is durable: at once, or later from the event loop. */
  whenFlushed(then: () => void): void;
}

/** What a `Delivery` is made of. */
export interface DeliveryOptions {
  readonly kernel: Kernel;
  /**
   * Follows redirects as the preset says. Undefined: nothing is posted, and the ledger counts events as lost by the
   * cause `no-receiver`.
   */
  readonly sender: HttpSender | undefined;
  readonly preset: ServicePreset;
  /**
   * Lockstep: virtual milliseconds from an attempt to its effect, however fast the answer came. Undefined:
   * an answer takes effect when it comes.
   */
  readonly answersAfterMs: number | undefined;
  /** A clock that never goes back, in milliseconds. */
  readonly wall: () => number;
  /**
   * Paced: wall time at which this virtual instant is due (intended time). Latency counts from it, and the attempt is
   * not sent before it. Called once for each attempt.
   */
  readonly dueWallMs?: (atMs: SimTime) => number;
  /** Not lockstep: brings the kernel up to the wall clock before an answer takes effect. */
  readonly catchUp?: () => void;
  /**
   * Attempts wait for `dispatchAttempts`, which sends them when the recording is durable: a resumed run knows of every
   * request that was sent. Absent: each attempt is sent when it is made.
   */
  readonly recording?: FlushedRecording;
  /**
   * Whether the attempt being made is in the recording of a run that was cut off, which may have sent it. Default: no.
   */
  readonly isRepeat?: () => boolean;
  /** Whether the recording holds the next row already: the run is re-executed. Default: no. */
  readonly isReexecuting?: () => boolean;
  /** Trouble between the service and the receiver; absent: none. */
  readonly troubles?: DeliveryTroubles;
  readonly tally: Tally;
  /**
   * Adds `X-Handset-Event: channel/number`, `X-Handset-Attempt: n` and `X-Handset-Time: virtual milliseconds`, and
   * `X-Handset-Repeat: 1` when the attempt may have been sent before.
   */
  readonly marks: boolean;
  readonly ports: DeliveryPorts;
}

/** A recorded attempt, which took effect before the run was cut off. */
export type FinishedAttempt = Omit<Attempt, "posting" | "url" | "outcome" | "postedWallMs" | "trouble" | "isCopy">;
