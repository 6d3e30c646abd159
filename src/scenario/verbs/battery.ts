import { keyed } from "../sheet/field.js";
import { batteryLevel } from "./varying-arguments.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `battery`: sets battery levels. */
export const battery = verb({
  name: "battery",
  about: "The batteries jump to a level, from where they drain or charge on.",
  example: "{ at: 20m, battery: { of: clinic/3, level: 9% } }",
  args: keyed({ of: ofHandsets, level: batteryLevel }),
  toInput: ({ of, level }, step) => toWorld({ verb: "battery", of: step.resolveHandsets(of, "of"), level }),
});
