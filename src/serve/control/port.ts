import type { ClockStatus, Happening } from "../../lab/index.js";
import type { LedgerReport } from "../../ledger/index.js";
import type { HandEntry } from "../../scenario/index.js";
import type { AccountLists, EventLog } from "../../store/index.js";
import type { CallEventType } from "../../wire/index.js";
import type { Loaded } from "../account-source.js";
import type { SnapshotNote } from "../snapshots.js";

/** Operations of the lab behind the control API. Virtual instants are milliseconds since the lab's start. */
export interface Control {
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly lists: AccountLists;
  readonly log: EventLog;
  status(): LabStatus;
  clock(): ClockStatus;
  /** @throws ControlRefusal */
  changeClock(change: ClockChange): Promise<ClockStatus>;
  readonly verbs: readonly HandEntry[];
  /** For the documentation. */
  readonly exampleNames: ExampleNames;
  /** Performs a story's step now. @returns a sentence. @throws ControlRefusal */
  perform(verb: string, args: unknown): string;
  handsets(): HandsetStatus[];
  people(): PersonStatus[];
  /** Sets where the events of these channels go from now on; null: nowhere. @throws ControlRefusal */
  setDeliveryUrl(of: string, url: string | null): string;
  /** Raises an alarm as if the service had found a cause. @throws ControlRefusal */
  raiseAlarm(of: string): string;
  /** Logs a call as if a handset had reported it. @throws ControlRefusal */
  logCall(call: {
    readonly of: string;
    readonly phone: string;
    readonly type: CallEventType;
    readonly durationS: number;
  }): string;
  throttle(): ThrottleStatus;
  changeThrottle(change: {
    readonly limit?: number | null;
    readonly refuse?: number;
    readonly retryAfterS?: number;
  }): void;
  snapshots(): readonly SnapshotNote[];
  /** @throws ControlRefusal */
  saveSnapshot(name: string): SnapshotNote;
  /** Restores the account; virtual time continues. @throws ControlRefusal */
  restoreSnapshot(name: string): Promise<void>;
  /** @throws ControlRefusal */
  dropSnapshot(name: string): void;
  /** Adds an account file or an export to the account. @throws ControlRefusal */
  loadAccount(text: string): Promise<Loaded>;
  /** @throws ControlRefusal */
  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string;
  /** Adds an act to the live log. */
  notifyOfAct(text: string): void;
  /** Calls `listener` for each entry of the live log. @returns stops the calls */
  follow(listener: (happening: Happening) => void): () => void;
}

/** The types of call that can be logged. */
export const callTypes = ["mo_call", "mo_miss", "mt_call", "mt_miss"] as const satisfies readonly CallEventType[];

export interface LabStatus {
  readonly name: string;
  readonly version: string;
  readonly seed: number;
  /** Where events go by default; null: nowhere. */
  readonly receiver: string | null;
  /** The database's file; null: it is in memory. */
  readonly database: string | null;
  readonly isStrict: boolean;
  readonly handsets: number;
  readonly people: number;
  readonly events: number;
  readonly accepted: number;
  readonly failures: number;
  readonly inFlight: number;
  readonly retrying: number;
  readonly waitingOnPhones: number;
  /** Since the server started. */
  readonly ledger: LedgerReport;
}

export interface ClockChange {
  readonly isPaused?: boolean;
  readonly speed?: number;
  /** Only while paused: advances by this span at once. */
  readonly stepMs?: number;
}

/** Names for the examples of requests. */
export interface ExampleNames {
  /** Selector of a handset. */
  readonly handset: string;
  /** Phone number of a person. */
  readonly phone: string;
}

export interface HandsetStatus {
  readonly channel: number;
  readonly selector: string;
  readonly phone: string;
  readonly uuid: string;
  readonly url: string | null;
  readonly lastSeenMs: number;
  readonly powerLevel: number;
  readonly powerStatus: string;
  readonly powerSource: string;
  readonly networkType: string;
  readonly pending: number;
  readonly retry: number;
}

export interface PersonStatus {
  readonly selector: string;
  readonly phone: string;
  readonly name: string | null;
}

export interface ThrottleStatus {
  /** Requests an hour and scope; null: no limit. */
  readonly limit: number | null;
  /** Number of the next requests that are refused regardless of the limit. */
  readonly refusing: number;
}

/** The lab refuses a request; nothing has changed. */
export class ControlRefusal extends Error {
  /** Messages by argument; `detail` is for a problem without an argument. */
  readonly problems: readonly { readonly field: string; readonly message: string }[];
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, problems: readonly { readonly field: string; readonly message: string }[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.name = "ControlRefusal";
    this.status = status;
    this.problems = problems;
  }
}
