import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `airplane`: turns airplane mode on or off. */
export const airplane = verb({
  name: "airplane",
  about: "Airplane mode: no data, no texts, no calls, until it ends.",
  example: "{ at: 1h, airplane: { of: clinic/3, for: 30m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    state: word(["on", "off"], "off: airplane mode ends.").prefault("on"),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "airplane", of: step.resolveHandsets(of, "of"), state, forMs }),
});
