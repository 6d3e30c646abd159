import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `pause`: pauses the relayer app. */
export const pause = verb({
  name: "pause",
  about: "The relayer app is paused: it does not sync, send or relay.",
  example: "{ at: 1h, pause: { of: clinic/3, for: 30m } }",
  args: keyed({ of: ofHandsets, for: forTime }),
  toInput: ({ of, for: forMs }, step) => toWorld({ verb: "pause", of: step.resolveHandsets(of, "of"), forMs }),
});
