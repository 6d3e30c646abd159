import type { NativeFlowType, WaitHint } from "./definition.js";
import type { NamedReference } from "./named-reference.js";
import type { SessionContact } from "./contact-state.js";
import type { SprintEvent } from "./events.js";
import type { HttpCall } from "./host.js";
import type { DialOutcome, IncomingMessage, Resume, Trigger } from "./trigger.js";

/** "calling": the host must send the HTTP requests of the sprint and pass their answers to `answerCalls`. */
export type SessionStatus = "active" | "waiting" | "calling" | "completed" | "failed" | "interrupted";

/** Status of one run. A parent stays active while its child waits. */
export type RunStatus = "active" | "waiting" | "completed" | "expired" | "failed" | "interrupted";

/** One visit to a node. */
export interface PathStep {
  readonly uuid: string;
  readonly node: string;
  readonly arrivedAtMs: number;
  /** The exit that the run took; missing when it is still at the node, or ended there. */
  exit?: string;
}

/** The last value saved under a result's slug. */
export interface SavedResult {
  readonly name: string;
  readonly value: string;
  /** As authored; empty when there is none. */
  readonly category: string;
  readonly categoryLocalized?: string;
  readonly node: string;
  /** The operand as text; missing when there was none, as for set_run_result. */
  readonly input?: string;
  /** JSON text, kept as it came so that numbers keep their digits. */
  readonly extraJson?: string;
  readonly createdAtMs: number;
}

/** One line of the append-only log of results (docs/reference/flows.md#flow-events). */
export interface ResultEntry {
  /** Name of the result. */
  readonly label: string;
  readonly category: string;
  readonly value: string;
  /** Whether a router saved it, or an HTTP call whose node has a router. */
  readonly isRuleSet: boolean;
  /** Text of the message that was handled; empty when there was none. */
  readonly text: string;
  readonly node: string;
  readonly atMs: number;
  /** When the run arrived at the node. */
  readonly arrivedAtMs: number;
}

/** The outcome of a webhook or resthook, for `@webhook`. */
export interface WebhookValue {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if it is JSON. One that is too large for the extra of a result is dropped when the session waits. */
  readonly json?: string;
  /** Name of the result that the call has saved. */
  readonly result?: string;
  /** Such as `POST https://example.org/`. */
  readonly call?: string;
}

/** One contact's passage through one flow. */
export interface Run {
  readonly uuid: string;
  readonly flow: NamedReference;
  /** Index in the session's runs. */
  readonly parent?: number;
  status: RunStatus;
  readonly path: PathStep[];
  readonly results: Record<string, SavedResult>;
  readonly answers: ResultEntry[];
  readonly createdAtMs: number;
  modifiedAtMs: number;
  exitedAtMs?: number;
  /** The run has handled a message of the contact. */
  hasInput: boolean;
  webhook?: WebhookValue;
  locals?: Record<string, string>;
}

/** The message that is being handled. */
export interface Input extends IncomingMessage {
  readonly uuid: string;
  readonly createdAtMs: number;
}

/** What a waiting session waits for. Instants in milliseconds since 1970. */
export interface Wait {
  readonly type: "msg" | "dial";
  readonly expiresAtMs: number;
  /** When to send a wait_timeout; absent when the wait has no timeout. */
  readonly timeoutAtMs?: number;
  readonly timeoutSeconds?: number;
  readonly hint?: WaitHint;
}

/** The calls of an action that suspended the sprint. */
export interface PendingCalls {
  readonly calls: readonly HttpCall[];
  /** Index of the action in the node where the run is. */
  readonly action: number;
  /** Node visits of the sprint so far. */
  readonly visits: number;
  /** Whether the wait of the first node has yet to be skipped. */
  readonly isFirstNode: boolean;
  /** A flow that an action of the node has entered, by uuid. */
  readonly pushed?: { readonly flow: string; readonly isTerminal: boolean };
}

/** A run and the runs of its sub-flows: plain JSON with all that is needed to continue after a restart. */
export interface Session {
  readonly uuid: string;
  readonly type: NativeFlowType;
  status: SessionStatus;
  readonly trigger: Trigger;
  readonly createdAtMs: number;
  endedAtMs?: number;
  readonly runs: Run[];
  /** Index of the run that waits or calls. */
  currentRun: number;
  wait?: Wait;
  pending?: PendingCalls;
  input?: Input;
  /** What continued the session last. */
  resume?: { readonly type: Resume["type"]; readonly dial?: DialOutcome };
  resumes: number;
}

/** The engine's work between two waits. */
export interface Sprint {
  readonly session: Session;
  readonly contact: SessionContact;
  readonly events: readonly SprintEvent[];
  /** Set while the session's status is "calling". */
  readonly calls?: readonly HttpCall[];
  /** Units of work that the sprint spent (`WorkBudget`). */
  readonly work: number;
}
