import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `airplane`: turns on airplane mode. */
export const airplane = verb({
  name: "airplane",
  about: "Airplane mode: no data, no texts, no calls, until it ends.",
  example: "{ at: 1h, airplane: { of: clinic/3, for: 30m } }",
  args: keyed({ of: ofHandsets, for: forTime }),
  toInput: ({ of, for: forMs }, step) => toWorld({ verb: "airplane", of: step.resolveHandsets(of, "of"), forMs }),
});
