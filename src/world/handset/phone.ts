import type { SimTime, Stream } from "../../sim/index.js";
import type { CopyCause, Delay, DelayReason, DeviceStatus, ReportedFact, Report } from "../../wire/index.js";
import type { Fault } from "../profiles/faults.js";
import type { SmsServiceState } from "../input.js";
import type { Profile } from "../profiles/profile.js";
import type { WorldContext } from "../world-context.js";

/** Where a report comes from. */
export interface ReportContext {
  readonly beganAtMs?: SimTime;
  /** Absent: now. */
  readonly phoneAtMs?: SimTime;
  readonly delays?: Delay[] | undefined;
  /** Shared with another report of the same; absent: there is none, or the service knows by the message's id. */
  readonly fact?: ReportedFact | undefined;
  /** Why there is a second report; absent: this is the first. */
  readonly causeOfCopy?: CopyCause;
}

/** Takes the reports of outbox, inbox and call log to the service. */
export interface ReportQueue {
  /** Keeps a report until the service has acknowledged it. Does not request a sync. */
  keepReport(report: Report, origin?: ReportContext): void;
  /** Requests a sync; the phone's rules may put it off. */
  requestSync(options: { readonly forced: boolean }): void;
}

/** What the parts of a handset (sync, outbox, inbox, call log) see of the handset that they are in. */
export interface Phone {
  readonly channel: number;
  readonly profile: Profile;
  readonly context: WorldContext;
  readonly sync: ReportQueue;
  /** The handset's own stream of random numbers. */
  readonly stream: Stream;
  /** Counts switch-offs: what was under way in an earlier life is void. */
  readonly life: number;
  /** Switched on and booted. */
  readonly isOn: boolean;
  /** What keeps the app from relaying now; undefined: nothing. */
  readonly blockedBy: DelayReason | undefined;
  readonly isPaused: boolean;
  /** Since the last boot somebody has opened the app, or it needs no opening. */
  readonly isOpened: boolean;
  /** On, not paused and opened: the app sends and relays. */
  readonly isWorking: boolean;
  /** Data gets through. */
  readonly hasData: boolean;
  /** Share of exchanges with the service that the link loses. */
  readonly linkLoses: number;
  /** What sending meets at the radio now. */
  readonly radio: SmsServiceState;
  /** The phone's own clock, milliseconds since 1970. */
  readonly clockMs: number;
  /** When a text last came or went; -Infinity: never. */
  readonly activeAtMs: number;
  has(fault: Fault): boolean;
  status(): DeviceStatus;
  /** Draws how long a request or an answer is on its way, milliseconds. */
  latencyMs(): number;
  /** Takes so many percentage points from the battery; the phone may die of it. */
  drain(percent: number): void;
  /** A sync attempt is over, or a pass over the outbox is due. */
  runOutbox(): void;
  /** The service has acknowledged a report. */
  acknowledged(report: Report): void;
  /** The service asks for a text to be sent. */
  acceptMessage(id: number, to: string, text: string): void;
  /** A text is on air to a person. */
  transmitText(id: number, to: string, text: string): void;
}
