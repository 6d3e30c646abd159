import type { ClockStatus, Happening } from "../lab/index.js";
import type { LedgerReport } from "../ledger/index.js";
import type { HandEntry } from "../scenario/index.js";
import type { AccountLists, EventLog, Losses } from "../store/index.js";
import type { CallEventType } from "../wire/index.js";
import type { Loaded } from "./account/load-source.js";
import type { HandsetReader, PersonReader } from "./phones-port.js";
import type { SnapshotNote } from "./snapshots.js";
import type { StoryControl } from "./story-port.js";
import type { PastReader } from "./past-port.js";
import type { AccountReader } from "./account-port.js";

/** Operations of the lab behind the control API. Virtual instants are milliseconds since the lab's start. */
export interface Control {
  /** Undefined: there is no recording that could be looked at. */
  readonly past: PastReader | undefined;
  /** The instant 0 of virtual time, in milliseconds since 1970. */
  readonly startsAtMs: number;
  readonly lists: AccountLists;
  readonly log: EventLog;
  /** Texts and calls that were lost. */
  readonly losses: Losses;
  /** Single handsets and people. */
  readonly handsetReader: HandsetReader;
  readonly personReader: PersonReader;
  /** What the REST API does not tell about the account. */
  readonly account: AccountReader;
  /** The current token of an administrator of the REST API. */
  apiToken(): string;
  readonly names: LabNames;
  readonly chains: ChainReader;
  readonly channels: ChannelControl;
  readonly snapshots: SnapshotControl;
  /** Whether an attempt at an event has failed and another one follows or is under way. */
  isRetried(event: { readonly channel: number; readonly number: number }): boolean;
  status(): LabStatus;
  clock(): ClockStatus;
  /** @throws ControlRefusal */
  changeClock(change: ClockChange): Promise<ClockStatus>;
  readonly verbs: readonly HandEntry[];
  /** For the documentation. */
  readonly exampleNames: ExampleNames;
  readonly story: StoryControl;
  /** Performs a story's step now. @returns a sentence. @throws ControlRefusal */
  perform(verb: string, args: unknown): string;
  handsets(): HandsetStatus[];
  people(): PersonStatus[];
  throttle(): ThrottleStatus;
  changeThrottle(change: {
    readonly limit?: number | null;
    readonly refuse?: number;
    readonly retryAfterS?: number;
  }): void;
  /** Adds an account file or an export to the account. @throws ControlRefusal */
  loadAccount(text: string): Promise<Loaded>;
  /** @throws ControlRefusal */
  emitResthook(slug: string, data: Readonly<Record<string, unknown>>): string;
  /** Adds an act to the live log. */
  notifyOfAct(text: string): void;
  /** Calls `listener` for each entry of the live log. @returns stops the calls */
  follow(listener: (happening: Happening) => void): () => void;
}

/** Names of the lab's handsets and people. */
export interface LabNames {
  /** `clinic/3`. */
  handset(channel: number): string;
  person(phone: string): PersonName;
  /** Where the events of a channel go now; null: nowhere. */
  deliveryUrl(channel: number): string | null;
  /** Channels of the handsets with a selector or a phone number. @throws ControlRefusal */
  channelsOf(of: string): ReadonlySet<number>;
  /** Phone numbers of the people with a selector, or the number itself. @throws ControlRefusal */
  phonesOf(person: string): ReadonlySet<string>;
}

/** How events and messages came about. Ids are those of events (`3/17`), or numbers of messages and calls. */
export interface ChainReader {
  /** Everything that led to it and followed. @throws ControlRefusal 404 */
  chain(id: string): Record<string, unknown>;
  /** A scenario that plays the steps that led to it. @throws ControlRefusal 404; 409 if none can be made */
  scenarioOf(id: string): { readonly yaml: string; readonly notes: readonly string[] };
  /** Sends an event again, as one more attempt. @throws ControlRefusal 400, 404, 409 */
  resend(id: string): { readonly id: string; readonly try: number; readonly url: string };
}

/** Acts on the channels of selected handsets, as the service. `of` is a selector. */
export interface ChannelControl {
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
}

/** What the account was at other moments. */
export interface SnapshotControl {
  /** Sorted by name. */
  list(): readonly SnapshotNote[];
  /** @throws ControlRefusal */
  save(name: string): SnapshotNote;
  /** Restores the account; virtual time continues. @throws ControlRefusal */
  restore(name: string): Promise<void>;
  /** @throws ControlRefusal */
  drop(name: string): void;
}

/** Somebody with a phone number. */
export interface PersonName {
  /** Null: no person of the cast has the number. */
  readonly selector: string | null;
  readonly phone: string;
  /** The contact's or the person's; a handset's selector, where the number is a handset's. Null: they have none. */
  readonly name: string | null;
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

/** A refusal for one argument. @param field - `detail`: for none */
export function refusal(field: string, message: string, status: ControlRefusal["status"] = 400): ControlRefusal {
  return new ControlRefusal(status, [{ field, message }]);
}
