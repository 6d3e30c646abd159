import type { Distribution } from "../sim/index.js";
import type { CarrierFate } from "./carrier/carrier-fates.js";
import type { CarrierSettings, PhonePattern } from "./cast/cast.js";
import type { SimSlot } from "./handset/sim.js";
import type { NetworkType, SendFailShare } from "./network.js";
import type { BatteryReports, CallEnd, Plug } from "./phone-words.js";
import type { PeopleChoice, Selector } from "./cast/selector.js";

/** How the radio refuses a text (docs/reference/handset.md#message-states). */
export const refusals = ["no-service", "radio-off", "generic-failure", "limit"] as const;
/** One of `refusals`. */
export type Refusal = (typeof refusals)[number];

/**
 * The radio's possible answers to a send. With `silent` and `swallows` it never calls back: `silent` puts the text on
 * air, `swallows` does not (docs/reference/handset.md#faults-of-version-21).
 */
export const smsServiceStates = ["ok", ...refusals, "silent", "swallows"] as const;
/** One of `smsServiceStates`. */
export type SmsServiceState = (typeof smsServiceStates)[number];

/** Whether a radio in this state refuses texts. */
export function isRefusal(state: SmsServiceState): state is Refusal {
  return state !== "ok" && state !== "silent" && state !== "swallows";
}

/** What the owner of a phone can do with the call log. */
export const callLogStates = ["read", "cleared"] as const;
/** One of `callLogStates`. */
export type CallLogState = (typeof callLogStates)[number];

/**
 * An input to the world: a story step or a hand. Spans are milliseconds; without `forMs` a change lasts until the next.
 */
export type WorldInput =
  | { readonly verb: "text"; readonly from: PeopleChoice; readonly to: Selector; readonly body: Distribution<string> }
  | {
      readonly verb: "call";
      /** Who dials. */
      readonly by: "person" | "handset";
      readonly people: PeopleChoice;
      readonly handsets: Selector;
      /** At most one of `rings` (unanswered) and `talks` (answered); with neither, `picksUp` decides. */
      readonly rings?: Distribution<number>;
      readonly talks?: Distribution<number>;
      /** Only for `by: person` and without `talks`: how the call ends, which the phone reports as `unk`. */
      readonly ends?: CallEnd;
    }
  | { readonly verb: "call-log"; readonly of: Selector; readonly state: CallLogState }
  | {
      readonly verb: "power";
      readonly of: Selector;
      readonly mains: boolean;
      /** What they charge from; absent: as before. */
      readonly plug?: Plug;
      readonly forMs?: number;
    }
  /** `perHour`: see `Conditions.solar`; `clouds`: see `Conditions.clouds`. At least one of the two. */
  | {
      readonly verb: "solar";
      readonly of: Selector;
      readonly perHour?: number;
      readonly clouds?: Distribution<number>;
      readonly forMs?: number;
    }
  | {
      readonly verb: "battery";
      readonly of: Selector;
      readonly level?: number;
      readonly reports?: BatteryReports;
      /** How long `reports` lasts; `level` is set once. */
      readonly forMs?: number;
    }
  | {
      readonly verb: "network";
      readonly of: Selector;
      readonly type?: NetworkType;
      readonly latency?: Distribution<number>;
      /** Share of syncs that fail. */
      readonly loses?: number;
      /** A captive portal: nothing gets through. */
      readonly portal?: boolean;
      /** The second data link. */
      readonly second?: NetworkType;
      readonly forMs?: number;
    }
  | { readonly verb: "coverage"; readonly of: Selector; readonly state: "none" | "ok"; readonly forMs?: number }
  | {
      readonly verb: "sms-service";
      readonly of: Selector;
      readonly state?: SmsServiceState;
      /** Share of segments that the radio refuses, and how. */
      readonly fails?: SendFailShare;
      readonly failsWith?: Refusal;
      readonly forMs?: number;
    }
  | { readonly verb: "sync"; readonly of: Selector; readonly loses: "request" | "response"; readonly times: number }
  | { readonly verb: "sync"; readonly of: Selector; readonly now: true }
  | {
      readonly verb: "carrier";
      readonly of: Selector;
      readonly fate: CarrierFate;
      /** Texts of people to the handsets, or messages from them. */
      readonly way: "texts" | "messages";
      readonly times: number;
    }
  | {
      readonly verb: "carrier-settings";
      /** Its name. */
      readonly carrier: string;
      readonly changes: Partial<CarrierSettings>;
      readonly forMs?: number;
    }
  | {
      /** Switches the phones of people off. */
      readonly verb: "unreachable";
      readonly people: PeopleChoice;
      /** `on`: they are unreachable; `off`: reachable again. Absent: on. */
      readonly state?: "on" | "off";
      readonly forMs?: number;
    }
  | {
      readonly verb: "credit";
      readonly of: Selector;
      /** The new credit. Either this or `adds`. */
      readonly units?: number;
      /** A top-up. */
      readonly adds?: number;
      /** Absent: the SIM for texts. */
      readonly slot?: SimSlot;
    }
  | {
      readonly verb: "sim";
      readonly of: Selector;
      /** Default: 1. */
      readonly slot?: SimSlot;
      /** The SIM with this number is put into the slot. */
      readonly phone?: PhonePattern;
      /** With `phone` only, see `SimSpec`. */
      readonly carrier?: string;
      /** With `phone` only, see `SimSpec`. */
      readonly credit?: number;
      /** `none`: the SIM of the slot is taken out; `ok`: it is back. */
      readonly state?: "none" | "ok";
      /** The slot from which texts go out. */
      readonly sendsWith?: SimSlot;
      /** How long `state` lasts. */
      readonly forMs?: number;
    }
  | { readonly verb: "clock"; readonly of: Selector; readonly skewMs: number; readonly forMs?: number }
  | {
      readonly verb: "traffic";
      /**
       * Indexes in the cast's traffic; absent for all traffic, whose change multiplies with those of single entries.
       */
      readonly entries?: readonly number[];
      readonly change: TrafficChange;
      readonly forMs?: number;
    }
  | { readonly verb: "mast"; readonly of: Selector; readonly state: "on" | "off"; readonly downMs?: number }
  | {
      readonly verb: "power-cut" | "airplane" | "pause";
      readonly of: Selector;
      /** Absent: on. */
      readonly state?: "on" | "off";
      readonly forMs?: number;
    }
  | { readonly verb: "reboot" | "upgrade"; readonly of: Selector; readonly downMs: number }
  | { readonly verb: "doze"; readonly of: Selector; readonly state?: "on" | "off"; readonly forMs?: number }
  /** `forMs`: after this time the user opens the app; absent: nobody does. */
  | { readonly verb: "kill"; readonly of: Selector; readonly forMs?: number }
  /** `downMs`: after this time the system starts the app again; absent: it does not. */
  | { readonly verb: "crash"; readonly of: Selector; readonly downMs?: number }
  | { readonly verb: "open"; readonly of: Selector }
  | {
      readonly verb: "permission";
      readonly of: Selector;
      readonly what: Permission;
      readonly isGranted: boolean;
      readonly forMs?: number;
    }
  | {
      readonly verb: "reset";
      readonly of: Selector;
      readonly downMs: number;
      /** Whether the service releases the channel when it gets the report of the reset. */
      readonly releases?: boolean;
    }
  /** The user installs the app again: it loses its data, and registers under another id. */
  | { readonly verb: "register"; readonly of: Selector };

/** Permissions that the app needs: to read and send texts, to read the call log. */
export const permissions = ["sms", "calls"] as const;
/** One of `permissions`. */
export type Permission = (typeof permissions)[number];

/** An input whose `of` selects handsets. The others select people, traffic or a carrier. */
export type HandsetInput = Exclude<
  WorldInput,
  { readonly verb: "text" | "call" | "traffic" | "carrier-settings" | "unreachable" }
>;

/** States of traffic. Stopped traffic never starts again. */
export const trafficStates = ["running", "paused", "stopped"] as const;
export type TrafficState = (typeof trafficStates)[number];

/** A change of traffic while it runs. */
export type TrafficChange =
  /** Multiple of the scenario's rate, above 0. */
  | { readonly times: number }
  /** For single entries only: a constant rate of the whole entry, in place of the scenario's. */
  | { readonly perMs: number }
  | { readonly state: TrafficState };
