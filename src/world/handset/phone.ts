import type { SimTime, Stream } from "../../sim/index.js";
import type {
  CopyCause,
  Delay,
  DelayReason,
  DeviceStatus,
  PhoneRegistration,
  RegistrationCommand,
  Report,
  ReportedFact,
} from "../../wire/index.js";
import type { Fault } from "../profiles/faults.js";
import type { Refusal, SmsServiceState } from "../input.js";
import type { NetworkPreference, Profile } from "../profiles/profile.js";
import type { WorldContext } from "../world-context.js";

/** The origin of a report. */
export interface ReportContext {
  readonly beganAtMs?: SimTime;
  /** When the report was ready on the phone; absent: now. */
  readonly phoneAtMs?: SimTime;
  readonly delays?: Delay[] | undefined;
  /**
   * Shared by all reports of one fact; absent: this is the only one, or the service recognises it by the message id.
   */
  readonly fact?: ReportedFact | undefined;
  /** Why this report repeats an earlier one; absent for the first report. */
  readonly causeOfCopy?: CopyCause;
}

/** Segments that are refused: their share, and the answer that the app gets for them. */
export interface SendFails {
  readonly share: number;
  readonly state: Refusal;
}

/** The relayer app's interface for its parts. */
export interface App {
  /** True when the user has opened it since the last boot, or it does not require it. */
  readonly isOpened: boolean;
  /** Whether its process lives. */
  readonly isRunning: boolean;
  /** Messages whose last try failed. */
  readonly retryCount: number;
  /** Called for a push: starts the process if it is not running. */
  wake(): void;
  /** Observers of the call log, see fault call-log-observers. */
  readonly observerCount: number;
  /** False when the phone is not registered, or registered again and not claimed as far as it knows. */
  readonly isClaimed: boolean;
  /** Undefined: it never changed, see `SyncReport.registration`. */
  readonly registration: PhoneRegistration | undefined;
  readonly reports: {
    /** Keeps a report until the service has acknowledged it. Does not request a sync. */
    keep(report: Report, context?: ReportContext): void;
  };
  readonly sync: {
    /** Requests a sync; the phone's rules may postpone it. */
    requestSync(options: { readonly forced: boolean; readonly isUrgent?: boolean }): void;
  };
  /** Runs one pass of the outbox: after a sync attempt, or when one is due. */
  runOutbox(): void;
  /** Handles the service's acknowledgement of a report. */
  acknowledged(report: Report): void;
  /** Handles what the service says about the phone's registration. */
  registrationChanged(command: RegistrationCommand): void;
  /** Fault resets-when-refused: empties its table, and registers again. */
  resetItself(): void;
  /** Accepts a text that the service asks the phone to send. */
  acceptMessage(id: number, to: string, text: string): void;
}

/** A text that a handset sends to a number. */
export interface TextToNumber {
  /** The service's id of the message. */
  readonly id: number;
  /** Counts resets of the handset. */
  readonly epoch: number;
  readonly to: string;
  readonly text: string;
  /** True for the segments of a failed text that went out before the failure: a copy without a delivery report. */
  readonly isFragment?: true;
}

/** The handset's interface for the parts of its app (sync, outbox, inbox, call log). */
export interface Phone {
  readonly channel: number;
  readonly profile: Profile;
  readonly context: WorldContext;
  readonly app: App;
  /** The handset's own stream of random numbers. */
  readonly stream: Stream;
  /** Number of switch-offs: work that began in an earlier life is void. */
  readonly life: number;
  /** Switched on and booted. */
  readonly isOn: boolean;
  /** Why the app does not relay now; undefined when it relays. */
  readonly blockedBy: DelayReason | undefined;
  /** By its user, or by itself while it has no SMS permission. */
  readonly isPaused: boolean;
  /** Doze: only urgent syncs start now. */
  readonly isDozing: boolean;
  /** Has the permission to read the call log. */
  readonly canReadCalls: boolean;
  /** Whether the app sends and relays: the phone is on, and the app is open, claimed and not paused. */
  readonly isWorking: boolean;
  /** On, with a data link. */
  readonly hasData: boolean;
  /** Share of exchanges with the service that the link loses. */
  readonly linkLoses: number;
  /** A captive portal answers in place of the service. */
  readonly hasPortal: boolean;
  /** Both data links are up, so the app can change from one to the other. */
  readonly canFlip: boolean;
  /** Changes from one data link to the other. */
  flipLink(): void;
  /** Changes to a link of a kind, if one is up. @returns whether one is */
  usePreferredLink(kind: NetworkPreference): boolean;
  /** Uses the second data link, or the first again. */
  useSecondLink(isSecond: boolean): void;
  /** When a text last came in; -Infinity: never. */
  readonly heardAtMs: number;
  /** When a text last went out; -Infinity: never. */
  readonly sentAtMs: number;
  /** The app turns airplane mode on for a time. */
  toggleAirplane(forMs: number): void;
  /** The radio's answer to a send now. */
  readonly radio: SmsServiceState;
  /** A SIM is in the phone, and not taken out. */
  readonly hasSim: boolean;
  /** Pays a segment from the SIM's credit. @returns false when no credit is left */
  paySegment(): boolean;
  /** The share of segments that the radio or the carrier refuses, and how; undefined: none. */
  readonly sendFails: SendFails | undefined;
  /** The phone's own clock, milliseconds since 1970. */
  readonly clockMs: number;
  /** When a text was last received or sent; -Infinity when never. */
  readonly activeAtMs: number;
  has(fault: Fault): boolean;
  status(): DeviceStatus;
  /** Draws the one-way latency of a request or an answer, milliseconds. */
  latencyMs(): number;
  /** Drains the battery by percentage points; at 0 the phone switches off. */
  drain(percent: number): void;
  /** Puts a text to a person on air. */
  transmitText(text: TextToNumber): void;
}
