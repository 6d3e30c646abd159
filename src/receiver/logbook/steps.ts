import type { FormPair } from "../../wire/index.js";
import type { LogbookRecords } from "./records.js";

/** One request to the logbook. */
export interface LogbookRequest {
  readonly method: string;
  /** Path and query as received. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Length of the part of the body that came first. */
  readonly firstBytes: number;
}

/** An event as the logbook reads it, whatever its spelling. */
export interface LogbookEvent {
  readonly pairs: readonly FormPair[];
  /** Empty: the body names none. */
  readonly type: string;
  readonly relayer: string;
  /** Id of the message or call; empty: it has none. */
  readonly id: string;
  readonly phone: string;
  readonly text: string;
  /** Milliseconds since 1970; null: no time, or one that cannot be read. */
  readonly timeMs: number | null;
  /** Seconds. */
  readonly duration: number;
  /** The first value of a field. */
  readonly field: (name: string) => string | undefined;
}

/** What the logbook answers. */
export interface LogbookAnswer {
  readonly status: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `close`: the connection closes after the answer, without notice. `hang`: no answer ever comes. `cut`: no answer, the connection closes. */
  readonly connection?: "close" | "hang" | "cut";
}

/** How one event ended, before it is answered. */
export interface LogbookOutcome {
  readonly event: LogbookEvent;
  /** Whether the logbook has acted on the event before. */
  readonly isKnown: boolean;
  /** A text to the event's phone. */
  readonly reply: string | undefined;
}

/**
 * The steps of the logbook, in the order in which a request passes them. A built-in bug replaces one of them
 * (`src/receiver/bugs/`). A step that throws ends the request with status 500.
 */
export interface LogbookSteps {
  /** Looks at the request before its body is read. An answer refuses it. */
  readonly admit: (request: LogbookRequest) => LogbookAnswer | undefined | Promise<LogbookAnswer | undefined>;
  /** Bytes into pairs. */
  readonly decode: (request: LogbookRequest) => readonly FormPair[];
  /** Pairs into an event. */
  readonly read: (pairs: readonly FormPair[]) => LogbookEvent;
  /** The idempotency key (docs/reference/webhook.md#retries); null: it has none, and is always new. */
  readonly identify: (event: LogbookEvent) => string | null;
  /** Whether the event is new; from now on it is known. Null keys are always new. */
  readonly claim: (key: string | null) => boolean | Promise<boolean>;
  /** Writes the effects of a new event. If it throws, the event is new again. */
  readonly apply: (event: LogbookEvent) => void | Promise<void>;
  /** The text to send to the event's phone. */
  readonly reply: (event: LogbookEvent) => string | undefined;
  readonly answer: (outcome: LogbookOutcome) => LogbookAnswer;
}

/** Makes steps that share records. A step that is left out stays as it is. */
export type ChangeSteps = (steps: LogbookSteps, records: LogbookRecords) => Partial<LogbookSteps>;
