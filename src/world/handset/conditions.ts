import { type Distribution, sample, type Stream } from "../../sim/index.js";
import type { HandsetGroup } from "../cast/cast.js";
import type { Refusal, SmsServiceState } from "../input.js";
import type { BatteryReports, Plug } from "../phone-words.js";
import type { NetworkType, SendFailShare } from "../network.js";

/** External conditions of a handset. A story step or a hand changes each for good or for a time. */
export interface Conditions {
  mains: boolean;
  /** What the phone charges from while there are mains. */
  plug: Plug;
  batteryReports: BatteryReports;
  /** What a solar panel gives under a sun at the zenith, percentage points an hour; 0: there is none. */
  solar: number;
  /** Cover of the sky above the panel in percent, drawn for each day. */
  clouds: Distribution<number>;
  /** A power cut overrides `mains` and `network`: both are off. */
  powerCut: boolean;
  /** The mast is down: neither mobile data nor coverage, whatever `network` and `coverage` say; Wi-Fi stays. */
  mastDown: boolean;
  network: NetworkType;
  /** Replaces the profile's latency. */
  latency: Distribution<number> | undefined;
  /** Share of exchanges that the first link loses. */
  loses: number;
  /** A captive portal answers in place of every server on the first link. */
  portal: boolean;
  /** The second data link: used while the first is down, or when the app changes to it. */
  second: NetworkType;
  coverage: "none" | "ok";
  /** The SIM of slot 1 is taken out and can come back; a swap changes the SIM itself. */
  simOut: boolean;
  /** The same for slot 2. */
  secondSimOut: boolean;
  smsService: SmsServiceState;
  /** Share of segments that the radio refuses. */
  smsFails: SendFailShare;
  smsFailsWith: Refusal;
  airplane: boolean;
  paused: boolean;
  /** Doze or a battery saver: the app works in maintenance windows only, or when a push or somebody wakes it. */
  dozing: boolean;
  /** Without it the app pauses itself. */
  smsPermission: boolean;
  /** Without it the app reads no call log. */
  callPermission: boolean;
}

const clearSky: Distribution<number> = { kind: "fixed", value: 0 };

/** The conditions in which the handsets of a group start. */
export function conditionsOf(group: HandsetGroup): Conditions {
  const { mains, plug = "ac", batteryReports = "ok", network, secondNetwork = "none" } = group;
  const { smsFails = 0, solar, clouds = clearSky } = group;
  return {
    mains,
    plug,
    batteryReports,
    solar: solar?.kind === "fixed" ? solar.value : 0,
    clouds,
    powerCut: false,
    mastDown: false,
    network,
    latency: undefined,
    loses: 0,
    portal: false,
    second: secondNetwork,
    coverage: "ok",
    simOut: false,
    secondSimOut: false,
    smsService: "ok",
    smsFails,
    smsFailsWith: "generic-failure",
    airplane: false,
    paused: false,
    dozing: false,
    smsPermission: true,
    callPermission: true,
  };
}

/** The charger that a scenario's value of `mains` names; undefined for `on` and `off`, which name none. */
export function plugOf(mains: "on" | "off" | Plug): Plug | undefined {
  return mains === "on" || mains === "off" ? undefined : mains;
}

/**
 * The conditions in which one handset of a group with `varies` starts.
 *
 * @param usual - the group's, see `conditionsOf`
 * @param stream - the handset's stream for these draws, so that its other draws do not change
 */
export function drawConditions(group: HandsetGroup, usual: Readonly<Conditions>, stream: Stream): Readonly<Conditions> {
  const { mains, network, solar } = group.varies ?? {};
  const power = mains && sample(mains, stream);
  return {
    ...usual,
    ...(power !== undefined && { mains: power !== "off", plug: plugOf(power) ?? usual.plug }),
    ...(network !== undefined && { network: sample(network, stream) }),
    ...(solar !== undefined && { solar: sample(solar, stream) }),
  };
}
