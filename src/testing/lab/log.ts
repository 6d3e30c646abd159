import type { PartialEvent } from "../../wire/index.js";

/** One attempt to bring an event to the receiver. */
export interface LabAttempt {
  /** 1 for the first. */
  readonly try: number;
  /** Virtual milliseconds since the lab's start. */
  readonly atMs: number;
  /** Undefined: there is no answer yet, or none came. */
  readonly status: number | undefined;
  /** The beginning of the answer's body. */
  readonly answer: string;
  /** Why no answer came, such as `ETIMEDOUT` or `delivery:answers-lost`. */
  readonly error: string | undefined;
  /**
   * What the service made of it: `accepted`, `retried`, `refused`, `failed`, `timeout`, `connection`; `answered` while the
   * answer has not taken effect yet, `sent` while there is none.
   */
  readonly outcome: string;
  /** Real milliseconds until the answer. */
  readonly tookMs: number | undefined;
  /** What a handler in this process threw. */
  readonly thrown: unknown;
}

/** An event of the service, and what became of it. */
export interface LabEvent {
  /** `CHANNEL/NUMBER`. */
  readonly id: string;
  readonly type: string;
  /** Virtual milliseconds since the lab's start. */
  readonly atMs: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The handset that reported it: `clinic/0`. */
  readonly handset: string;
  /** The form-encoded text that the receiver gets. */
  readonly body: string;
  /** The body's fields by their names in the library, whatever the spelling: docs/events.md lists them. */
  readonly event: PartialEvent;
  /** `delivered`: the receiver accepted it; `waiting`: an attempt is under way or to come; `failed`: given up. */
  readonly state: "delivered" | "waiting" | "failed" | "not-sent";
  readonly attempts: readonly LabAttempt[];
}

/** A text that a person's phone has shown. */
export interface Heard {
  readonly text: string;
  /** Virtual milliseconds since the lab's start. */
  readonly atMs: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** The person's number. */
  readonly person: string;
  /** The handset that sent it: `clinic/0`. */
  readonly handset: string;
}
