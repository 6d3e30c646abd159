import { keyed } from "../sheet/field.js";
import { skewTime } from "./varying-arguments.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `clock`: sets the phones' clocks wrong. */
export const clock = verb({
  name: "clock",
  about: "The phones' clocks are set so far ahead of the true time (behind it: with a minus).",
  example: "{ at: 10m, clock: { of: clinic/3, skew: -20m } }",
  args: keyed({
    of: ofHandsets,
    skew: skewTime,
    for: forTime,
  }),
  toInput: ({ of, skew, for: forMs }, step) =>
    toWorld({ verb: "clock", of: step.resolveHandsets(of, "of"), skewMs: skew, forMs }),
});
