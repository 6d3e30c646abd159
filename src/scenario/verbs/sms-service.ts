import { refusals, smsServiceStates } from "../../world/index.js";
import { failShare } from "../fields/fail-share.js";
import { word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `sms-service`: sets the result of sending texts at the radio. */
export const smsService = verb({
  name: "sms-service",
  about: "What the phones meet when they send a text.",
  example: "{ at: 30m, sms-service: { of: clinic/3, state: generic-failure, for: 10m } }",
  args: keyed({
    of: ofHandsets,
    state: word(
      smsServiceStates,
      "The radio's answer to a text that is sent; silent: it sends and never answers; swallows: it does neither.",
    ).optional(),
    fails: failShare(
      "The share of segments that the radio refuses, or one for each data link; a text fails with the first of them.",
    ).optional(),
    with: word(refusals, "How it refuses them; default: generic-failure.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", ["state", "fails"])),
  toInput: ({ of, state, fails, with: failsWith, for: forMs }, step) => {
    if (state === undefined && fails === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'state' or 'fails'", on: "key" });
    }
    if (failsWith !== undefined && fails === undefined) {
      step.reportProblem(["with"], keyConflict("'with' needs 'fails'", "say the share, such as 'fails: 10%'"));
    }
    return toWorld({ verb: "sms-service", of: step.resolveHandsets(of, "of"), state, fails, failsWith, forMs });
  },
});
