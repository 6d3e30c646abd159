import type { JsonSchema } from "../../api/index.js";
import type { Happening } from "../../lab/index.js";
import type { AccountLists, EventLog } from "../../store/index.js";

/** What the control API needs of the lab that it steers. Virtual instants are milliseconds since the lab's start. */
export interface Control {
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly lists: AccountLists;
  readonly log: EventLog;
  status(): LabStatus;
  clock(): ClockStatus;
  /** @throws ControlRefusal */
  changeClock(change: ClockChange): Promise<ClockStatus>;
  readonly verbs: readonly VerbEntry[];
  /** For the documentation. */
  readonly exampleNames: ExampleNames;
  /** Does now what a story's step would do. @returns a sentence. @throws ControlRefusal */
  perform(verb: string, args: unknown): string;
  handsets(): HandsetStatus[];
  people(): PersonStatus[];
  /** Where the events of these channels go from now on; null: nowhere. @throws ControlRefusal */
  setDeliveryUrl(of: string, url: string | null): string;
  /** Raises an alarm as if the service had found a cause. @throws ControlRefusal */
  raiseAlarm(of: string): string;
  /** A call appears in the log of a handset. @throws ControlRefusal */
  logCall(call: {
    readonly of: string;
    readonly phone: string;
    readonly type: CallType;
    readonly durationS: number;
  }): string;
  throttle(): ThrottleStatus;
  changeThrottle(change: {
    readonly limit?: number | null;
    readonly refuse?: number;
    readonly retryAfterS?: number;
  }): void;
  snapshots(): readonly SnapshotStatus[];
  /** @throws ControlRefusal */
  saveSnapshot(name: string): SnapshotStatus;
  /** The account is again what it was; the clock goes on. @throws ControlRefusal */
  restoreSnapshot(name: string): Promise<void>;
  /** @throws ControlRefusal */
  dropSnapshot(name: string): void;
  /** Adds an account file or an export to the account. @throws ControlRefusal */
  loadAccount(text: string): Promise<LoadStatus>;
  /** @throws ControlRefusal */
  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string;
  /** Tells those who follow that somebody has changed something. */
  acted(text: string): void;
  /** Calls back for each thing of the live log; returns how to stop. */
  follow(listener: (happening: Happening) => void): () => void;
}

export const callTypes = ["mo_call", "mo_miss", "mt_call", "mt_miss"] as const;
export type CallType = (typeof callTypes)[number];

export interface LabStatus {
  readonly name: string;
  readonly version: string;
  readonly seed: number;
  /** Where events go when a channel has no delivery URL of its own. */
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
  /** What came into being since the server started, and where it is: by texts, calls, events, attempts. */
  readonly ledger: Readonly<Record<"texts" | "calls" | "events" | "attempts", AccountStatus>>;
}

/** in + copies = delivered + failed + queued + lost + gap. */
export interface AccountStatus {
  readonly in: number;
  /** By cause. */
  readonly copies: Readonly<Record<string, number>>;
  readonly delivered: number;
  readonly failed: number;
  /** What waits somewhere. */
  readonly queued: number;
  /** By cause. */
  readonly lost: Readonly<Record<string, number>>;
  /** What is missing without a cause: not 0 is a defect of the lab. */
  readonly gap: number;
}

export interface ClockStatus {
  readonly nowMs: number;
  /** Virtual milliseconds in each of the wall's; 0: it does not go by the wall's clock, but as the receiver answers. */
  readonly speed: number;
  readonly isPaused: boolean;
}

export interface ClockChange {
  readonly isPaused?: boolean;
  readonly speed?: number;
  /** Only while it is paused: so far it goes on at once. */
  readonly stepMs?: number;
}

/** A verb of stories, for documentation. */
export interface VerbEntry {
  readonly name: string;
  readonly about: string;
  readonly args: JsonSchema;
  /** Arguments that this lab takes. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Whom examples of requests name. */
export interface ExampleNames {
  /** Selector of a handset. */
  readonly handset: string;
  /** Number of somebody else's phone. */
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
  /** The next requests that are refused whatever the limit. */
  readonly refusing: number;
}

export interface SnapshotStatus {
  readonly name: string;
  readonly takenAtMs: number;
  readonly bytes: number;
}

export interface LoadStatus {
  /** How many of each kind. */
  readonly added: Readonly<Record<string, number>>;
  /** What could not be taken, in sentences. */
  readonly problems: readonly string[];
}

/** The lab does not do what it was asked; nothing has changed. */
export class ControlRefusal extends Error {
  /** What is wrong, by argument; `detail` is about no argument. */
  readonly problems: readonly { readonly field: string; readonly message: string }[];
  readonly status: 400 | 404 | 409;

  constructor(status: 400 | 404 | 409, problems: readonly { readonly field: string; readonly message: string }[]) {
    super(problems.map(({ message }) => message).join("; "));
    this.name = "ControlRefusal";
    this.status = status;
    this.problems = problems;
  }
}
