import { smsServiceStates, type SmsServiceState } from "../../world/index.js";
import { keyed } from "../sheet/field.js";
import { duration, selection, word } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `sms-service`. */
export interface SmsServiceArgs {
  readonly of: string;
  readonly state: SmsServiceState;
  readonly for?: string | undefined;
}

/** What sending meets at the radio. */
export const smsService: Verb<SmsServiceArgs> = verb({
  name: "sms-service",
  about: "What the phones meet when they send a text.",
  example: "{ at: 30m, sms-service: { of: clinic/3, state: generic-failure, for: 10m } }",
  args: keyed({
    of: selection("The handsets."),
    state: word(smsServiceStates, "The radio's answer to a text that is sent."),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ of, state, for: forMs }, step) => ({
    to: "world",
    input: { verb: "sms-service", of: step.handsets(of, "of"), state, ...(forMs !== undefined && { forMs }) },
  }),
});
