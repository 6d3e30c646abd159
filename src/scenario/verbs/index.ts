import type * as z from "zod";
import { ownValue } from "../../wire/index.js";
import { airplane } from "./airplane.js";
import { battery } from "./battery.js";
import { beat } from "./beat.js";
import { call } from "./call.js";
import { callLog } from "./call-log.js";
import { check } from "./check.js";
import { claim } from "./claim.js";
import { carrier } from "./carrier.js";
import { clock } from "./clock.js";
import { coverage } from "./coverage.js";
import { crash } from "./crash.js";
import { doze } from "./doze.js";
import { delivery } from "./delivery.js";
import { credit } from "./credit.js";
import { event } from "./event.js";
import { expect } from "./expect.js";
import { flow } from "./flow.js";
import { mast } from "./mast.js";
import { kill } from "./kill.js";
import { network } from "./network.js";
import { note } from "./note.js";
import { open } from "./open.js";
import { pause } from "./pause.js";
import { permission } from "./permission.js";
import { power } from "./power.js";
import { powerCut } from "./power-cut.js";
import { reboot } from "./reboot.js";
import { receiver } from "./receiver.js";
import { register } from "./register.js";
import { release } from "./release.js";
import { reset } from "./reset.js";
import { send } from "./send.js";
import { service } from "./service.js";
import { sim } from "./sim.js";
import { smsService } from "./sms-service.js";
import { sync } from "./sync.js";
import { solar } from "./solar.js";
import { text } from "./text.js";
import { traffic } from "./traffic.js";
import { unreachable } from "./unreachable.js";
import { upgrade } from "./upgrade.js";
import type { Verb } from "./verb.js";

/** The verbs of the story, in the order in which the documentation lists them. */
export const verbs = {
  text,
  call,
  "call-log": callLog,
  send,
  power,
  "power-cut": powerCut,
  battery,
  solar,
  network,
  coverage,
  mast,
  "sms-service": smsService,
  sim,
  credit,
  sync,
  service,
  carrier,
  unreachable,
  clock,
  airplane,
  pause,
  reboot,
  reset,
  kill,
  crash,
  upgrade,
  open,
  doze,
  permission,
  register,
  claim,
  release,
  flow,
  event,
  traffic,
  receiver,
  delivery,
  note,
  beat,
  expect,
  check,
} as const;

/** The verbs and what the typed builder takes for each. */
export type VerbArgs = { readonly [Name in keyof typeof verbs]: z.input<(typeof verbs)[Name]["args"]> };

/** Whether phones reconnect together after a verb. @param name - of a verb, or any other word */
export function disconnectsPhones(name: string): boolean {
  return ownValue<Verb>(verbs, name)?.disconnects === true;
}
