import { keyed } from "../sheet/field.js";
import { claimedAgain, ofHandsets, verb } from "./verb.js";

/** The verb `register`: installs the relayer app again. */
export const register = verb({
  name: "register",
  about:
    "The app is installed again: its data is gone, and the phone registers under another id, which nobody has claimed.",
  example: "{ at: 1h, register: { of: clinic/3, claimed-again: 9h } }",
  args: keyed({ of: ofHandsets, "claimed-again": claimedAgain }),
  toInput: ({ of, "claimed-again": claimed }, step) => ({
    to: "gateway",
    input: { verb: "register", of: step.resolveHandsets(of, "of"), claimedAgain: claimed },
  }),
});
