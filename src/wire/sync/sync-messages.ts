import type { CallEventType, PhoneValues } from "../events/event.js";
import type { ReportOrigin } from "./report-origin.js";

/**
 * One exchange between a handset and the service: a report goes up, commands come down
 * (docs/reference/handset.md#sync-protocol). The shapes follow the relayer's sync protocol, so that a real server or a
 * real relayer app can replace either side.
 */
export interface SyncReport {
  /** When the phone made the request, by its own clock: milliseconds since 1970. See `ServicePreset.clockWindowMs`. */
  readonly clockAtMs: number;
  readonly status: DeviceStatus;
  /**
   * How the phone is registered; absent: as at the start, claimed under its channel's number
   * (docs/reference/handset.md#registration).
   */
  readonly registration?: PhoneRegistration | undefined;
  /** Oldest queued first; a report's `p_id` is its position in this list, counted from 1. */
  readonly reports: readonly Report[];
  /** Simulator only, not part of the protocol: the origin of each report, in the same order. */
  readonly origins?: readonly ReportOrigin[];
}

/**
 * What a phone reports of a call: `unk` for a row of the call log that is neither an incoming, an outgoing nor a missed
 * call (docs/reference/handset.md#call-log).
 */
export type ReportedCallType = CallEventType | "unk";

/** What a phone knows of its registration at the service (docs/reference/handset.md#registration). */
export interface PhoneRegistration {
  /** The id by which the service knows it; 0: the phone is not registered, and its request is a registration. */
  readonly relayer: number;
  /** Id of the organisation that has claimed it; 0: none, as far as the phone knows. */
  readonly org: number;
  /** Counts the installations of the app on this phone, from 0: each has a UUID of its own. */
  readonly install: number;
  /** The app knows only the push system of before 2019 (docs/reference/handset.md#registration). */
  readonly hasRetiredPush?: boolean;
}

/** The id in the answer to a phone that cannot register: no channel has it. */
export const NO_RELAYER = -1;

/** Id of the organisation whose account the service is; every other id is that of another organisation. */
export const OWN_ORG = 1;

/** The phone's state, part of every sync (docs/reference/handset.md#status-report). */
export interface DeviceStatus extends PhoneValues {
  /** Ids of messages that wait for their first try or for the radio's answer. */
  readonly pending: readonly number[];
  /** Ids of messages whose last try failed and that wait for the next. */
  readonly retry: readonly number[];
}

/** The status of a phone that knows nothing of itself. */
export const unknownStatus: DeviceStatus = {
  powerSource: "BAT",
  powerStatus: "UNK",
  powerLevel: -1,
  networkType: "",
  pending: [],
  retry: [],
};

/**
 * One thing that a phone reports (docs/reference/handset.md#reports). The phone keeps it until the service acknowledges
 * it, so a lost answer causes a repeat. `timeMs` is milliseconds since 1970, by the phone's clock.
 */
export type Report =
  /** A text came in. `phone` is the sender as the network gave it: E.164, a short code or a name. */
  | { readonly type: "mo_sms"; readonly phone: string; readonly text: string; readonly timeMs: number }
  /** The outcome of the text that the service requested under `id`: sent, delivered, failed for good. */
  | { readonly type: "mt_sent" | "mt_dlvd" | "mt_fail"; readonly id: number; readonly timeMs: number }
  /** An entry of the call log; `durationS` is time talked, in whole seconds. */
  | {
      readonly type: "call";
      readonly call: ReportedCallType;
      readonly phone: string;
      readonly timeMs: number;
      readonly durationS: number;
    }
  /** The app was reset. `releases`: the service releases the channel, as real ones do; else it keeps the channel. */
  | { readonly type: "reset"; readonly releases?: boolean | undefined };

/** The service's answer to a sync. */
export type SyncAnswer =
  | { readonly accepted: true; readonly commands: readonly Command[] }
  /**
   * `old-request`: the phone's clock is off by more than the preset's window; no report was applied
   * (docs/reference/handset.md#sync-errors).
   */
  | { readonly accepted: false; readonly error: "old-request" }
  /**
   * HTTP status 500: the service failed (docs/reference/handset.md#sync-errors). Simulator only: why, and how many of
   * the reports have taken effect.
   */
  | {
      readonly accepted: false;
      readonly error: "server-error";
      readonly why: "service-failed" | "poison-command";
      readonly applied: number;
    };

/**
 * A command of the service to a phone; acks come first, in the order of the reports
 * (docs/reference/handset.md#commands).
 */
export type Command =
  /** The report at this position (counted from 1) was applied. */
  | { readonly type: "ack"; readonly report: number }
  | RegistrationCommand
  /** Send this text to this phone. The same `id` may be offered again until the phone lists it as pending or retry. */
  | { readonly type: "send"; readonly id: number; readonly phone: string; readonly text: string };

/** A command about the phone's registration (docs/reference/handset.md#registration). */
export type RegistrationCommand =
  /** The phone is registered under this id, and not claimed. */
  | { readonly type: "reg"; readonly relayer: number }
  /** The organisation with this id has claimed the phone. */
  | { readonly type: "claim"; readonly org: number }
  /** The channel is released, or unknown: the phone forgets its registration and empties its table. */
  | { readonly type: "rel" };
