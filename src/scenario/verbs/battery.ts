import { percent } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `battery`: sets battery levels. */
export const battery = verb({
  name: "battery",
  about: "The batteries jump to a level, from where they drain or charge on.",
  example: "{ at: 20m, battery: { of: clinic/3, level: 9% } }",
  args: keyed({ of: ofHandsets, level: percent("The level; at 0% a phone dies.") }),
  toInput: ({ of, level }, step) => toWorld({ verb: "battery", of: step.resolveHandsets(of, "of"), level }),
});
