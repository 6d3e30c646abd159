import { keyed } from "../sheet/field.js";
import { percent, selection } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `battery`. */
export interface BatteryArgs {
  readonly of: string;
  readonly level: string;
}

/** Batteries jump to a level. */
export const battery: Verb<BatteryArgs> = verb({
  name: "battery",
  about: "The batteries jump to a level, from where they drain or charge on.",
  example: "{ at: 20m, battery: { of: clinic/3, level: 9% } }",
  args: keyed({
    of: selection("The handsets."),
    level: percent("The level; at 0% a phone dies."),
  }),
  toInput: ({ of, level }, step) => ({
    to: "world",
    input: { verb: "battery", of: step.handsets(of, "of"), level },
  }),
});
