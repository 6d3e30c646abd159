import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `power-cut`: a village loses its mains and its mast, or has them again. */
export const powerCut = verb({
  name: "power-cut",
  about: "The place of the phones has no power: no mains and, as the mast is off, no data network; texts still arrive.",
  example: "{ at: 1h, power-cut: { of: clinic/0..19, for: 40m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    state: word(["on", "off"], "off: the power cut ends.").prefault("on"),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "power-cut", of: step.resolveHandsets(of, "of"), state, forMs }),
});
