import { plugs } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `power`: switches the mains on or off. */
export const power = verb({
  name: "power",
  about: "The mains go off or come back: phones live on their batteries, or charge.",
  example: "{ at: 1h, power: { of: clinic/0..19, mains: off, for: 40m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    mains: word(["on", "off", ...plugs], "Whether there is power, or what the phones charge from; on: as before."),
    for: forTime,
  }),
  toInput: ({ of, mains, for: forMs }, step) =>
    toWorld({
      verb: "power",
      of: step.resolveHandsets(of, "of"),
      mains: mains !== "off",
      plug: mains === "on" || mains === "off" ? undefined : mains,
      forMs,
    }),
});
