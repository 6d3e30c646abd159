import { count } from "../fields/fields.js";
import { slotOf, slotWord } from "../fields/sim-slot.js";
import { unitBounds } from "../parts/credit.js";
import { keyConflict } from "../sheet/raw-value.js";
import { keyed, keysOf } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `credit`: tops up the credit of SIMs, or sets it. */
export const credit = verb({
  name: "credit",
  about: "The credit of the SIMs is topped up or set; each segment that is sent takes one unit.",
  example: "{ at: 2h, credit: { of: clinic/3, adds: 100 } }",
  args: keyed({
    of: ofHandsets,
    adds: count("Units of a top-up.", unitBounds).optional(),
    units: count("Units that are left; 0: each send fails.", unitBounds).optional(),
    slot: slotWord("The slot of the SIM; default: that of the SIM for texts.").optional(),
  }).meta(keysOf("oneOf", ["adds", "units"])),
  toInput: ({ of, adds, units, slot }, step) => {
    if (adds === undefined && units === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'adds' or 'units'", on: "key" });
    }
    if (adds !== undefined && units !== undefined) {
      step.reportProblem(["units"], keyConflict("'adds' and 'units' cannot both be", "keep one of the two"));
    }
    return toWorld({ verb: "credit", of: step.resolveHandsets(of, "of"), adds, units, slot: slotOf(slot) });
  },
});
