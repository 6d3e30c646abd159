import type { TextInput } from "../sheet/field.js";
import type { Verb } from "./verb.js";
import { airplane, type AirplaneArgs } from "./airplane.js";
import { battery, type BatteryArgs } from "./battery.js";
import { call, type CallArgs } from "./call.js";
import { clock, type ClockArgs } from "./clock.js";
import { coverage, type CoverageArgs } from "./coverage.js";
import { event, type EventArgs } from "./event.js";
import { expect, type ExpectArgs } from "./expect.js";
import { flow, type FlowArgs } from "./flow.js";
import { network, type NetworkArgs } from "./network.js";
import { note } from "./note.js";
import { pause, type PauseArgs } from "./pause.js";
import { power, type PowerArgs } from "./power.js";
import { reboot, type RebootArgs } from "./reboot.js";
import { receiver, type ReceiverArgs } from "./receiver.js";
import { reset, type ResetArgs } from "./reset.js";
import { send, type SendArgs } from "./send.js";
import { smsService, type SmsServiceArgs } from "./sms-service.js";
import { sync, type SyncArgs } from "./sync.js";
import { text, type TextArgs } from "./text.js";
import { traffic, type TrafficArgs } from "./traffic.js";

/** The verbs and what the typed builder takes for each. */
export interface VerbArgs {
  readonly text: TextArgs;
  readonly call: CallArgs;
  readonly send: SendArgs;
  readonly power: PowerArgs;
  readonly battery: BatteryArgs;
  readonly network: NetworkArgs;
  readonly coverage: CoverageArgs;
  readonly "sms-service": SmsServiceArgs;
  readonly sync: SyncArgs;
  readonly clock: ClockArgs;
  readonly airplane: AirplaneArgs;
  readonly pause: PauseArgs;
  readonly reboot: RebootArgs;
  readonly reset: ResetArgs;
  readonly flow: FlowArgs;
  readonly event: EventArgs;
  readonly traffic: TrafficArgs;
  readonly receiver: ReceiverArgs;
  readonly note: TextInput;
  readonly expect: ExpectArgs;
}

/** The verbs of the story, in the order in which the documentation lists them. */
export const verbs: { readonly [Name in keyof VerbArgs]: Verb<VerbArgs[Name]> } = {
  text,
  call,
  send,
  power,
  battery,
  network,
  coverage,
  "sms-service": smsService,
  sync,
  clock,
  airplane,
  pause,
  reboot,
  reset,
  flow,
  event,
  traffic,
  receiver,
  note,
  expect,
};
