import type { CutPlace, LosingTrouble, TroubleKind } from "../../wire/index.js";

/** The trouble that one attempt meets, drawn when it is made. Empty properties: it does not meet that. */
export interface Trouble {
  /** All that it meets, in the order of `troubleNames`. */
  readonly met: readonly MetTrouble[];
  /** Virtual milliseconds by which it leaves later. */
  readonly delayMs?: number;
  /** Number of later events of its channel that leave first. */
  readonly overtakenBy?: number;
  /** Number of requests, the first included; >= 2. */
  readonly copies?: number;
  /** Why it gets no answer. */
  readonly loss?: LosingTrouble;
  /** With `loss` `cut`. */
  readonly cut?: CutPlace;
  /** Bytes of the request in a second. */
  readonly bytesPerS?: number;
}

/** One trouble of an attempt, as it is recorded: `value` is its size in words, empty where there is none. */
export interface MetTrouble {
  readonly kind: TroubleKind;
  readonly value: string;
}

/**
 * How long an event is held at most until others have overtaken it: the service's job sends those that are still
 * pending after 5 minutes (docs/reference/webhook.md#retries).
 */
export const LONGEST_HOLD_MS = 300_000;
