import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `open`: somebody opens the relayer app. */
export const open = verb({
  name: "open",
  about: "Somebody opens the relayer app: it runs, reads what it has missed, and syncs.",
  example: "{ at: 8h, open: { of: clinic/3 } }",
  args: keyed({ of: ofHandsets }),
  toInput: ({ of }, step) => toWorld({ verb: "open", of: step.resolveHandsets(of, "of") }),
});
