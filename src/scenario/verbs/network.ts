import { networkTypes } from "../../world/index.js";
import { share, word } from "../fields/fields.js";
import { span } from "../fields/varying-fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `network`: changes the phones' data link. */
export const network = verb({
  name: "network",
  about: "The phones' data link to the service changes; texts and calls still arrive.",
  example: "{ at: 1h, network: { of: clinic/0..19, type: none, for: 40m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    type: word(networkTypes, "What the link runs over; none: there is no link.").optional(),
    latency: span("How long one way to the service takes.").optional(),
    loses: share("The share of syncs that fail.").optional(),
    for: forTime,
  }).meta(keysOf("anyOf", ["type", "latency", "loses"])),
  toInput: ({ of, type, latency, loses, for: forMs }, step) => {
    if (type === undefined && latency === undefined && loses === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'type', 'latency' or 'loses'", on: "key" });
    }
    return toWorld({ verb: "network", of: step.resolveHandsets(of, "of"), type, latency, loses, forMs });
  },
});
