import { smsServiceStates } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `sms-service`: sets the result of sending texts at the radio. */
export const smsService = verb({
  name: "sms-service",
  about: "What the phones meet when they send a text.",
  example: "{ at: 30m, sms-service: { of: clinic/3, state: generic-failure, for: 10m } }",
  args: keyed({
    of: ofHandsets,
    state: word(smsServiceStates, "The radio's answer to a text that is sent."),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "sms-service", of: step.resolveHandsets(of, "of"), state, forMs }),
});
