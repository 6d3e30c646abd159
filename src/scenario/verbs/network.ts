import { networkTypes, type NetworkType } from "../../world/index.js";
import { keyed, keysOf } from "../sheet/field.js";
import { duration, selection, share, word } from "../fields/fields.js";
import { span, type VaryingInput } from "../fields/varying-fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `network`. */
export interface NetworkArgs {
  readonly of: string;
  readonly type?: NetworkType | undefined;
  readonly latency?: VaryingInput<string> | undefined;
  readonly loses?: string | undefined;
  readonly for?: string | undefined;
}

/** The phones' data link changes. */
export const network: Verb<NetworkArgs> = verb({
  name: "network",
  about: "The phones' data link to the service changes; texts and calls still arrive.",
  example: "{ at: 1h, network: { of: clinic/0..19, type: none, for: 40m } }",
  args: keyed({
    of: selection("The handsets."),
    type: word(networkTypes, "What the link runs over; none: there is no link.").optional(),
    latency: span("How long one way to the service takes.").optional(),
    loses: share("The share of syncs that fail.").optional(),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }).meta(keysOf("anyOf", ["type", "latency", "loses"])),
  toInput: ({ of, type, latency, loses, for: forMs }, step) => {
    if (type === undefined && latency === undefined && loses === undefined) {
      step.tell([], { code: "missing-key", message: "needs 'type', 'latency' or 'loses'", on: "key" });
    }
    return {
      to: "world",
      input: {
        verb: "network",
        of: step.handsets(of, "of"),
        ...(type !== undefined && { type }),
        ...(latency !== undefined && { latency }),
        ...(loses !== undefined && { loses }),
        ...(forMs !== undefined && { forMs }),
      },
    };
  },
});
