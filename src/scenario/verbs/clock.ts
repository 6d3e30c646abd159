import { keyed } from "../sheet/field.js";
import { duration, selection } from "../fields/fields.js";
import { longestMs } from "../fields/values/duration.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `clock`. */
export interface ClockArgs {
  readonly of: string;
  readonly skew: string;
}

/** The phones' clocks go wrong. */
export const clock: Verb<ClockArgs> = verb({
  name: "clock",
  about: "The phones' clocks are set so far ahead of the true time (behind it: with a minus).",
  example: "{ at: 10m, clock: { of: clinic/3, skew: -20m } }",
  args: keyed({
    of: selection("The handsets."),
    skew: duration("How far ahead; 0s: right again.", { minMs: -longestMs }),
  }),
  toInput: ({ of, skew }, step) => ({
    to: "world",
    input: { verb: "clock", of: step.handsets(of, "of"), skewMs: skew },
  }),
});
