import { flag } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { claimedAgain, downTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `reset`: resets the relayer app. */
export const reset = verb({
  name: "reset",
  about: "The relayer app is reset: its table of messages is emptied, and it starts again.",
  example: "{ at: 1h, reset: { of: clinic/3, down: 2m } }",
  args: keyed({
    of: ofHandsets,
    down: downTime,
    releases: flag("Whether the service releases the channel on it, as real ones do; else it keeps it.").optional(),
    "claimed-again": claimedAgain,
  }),
  toInput: ({ of, down, releases, "claimed-again": claimed }, step) => {
    const handsets = step.resolveHandsets(of, "of");
    if (claimed === undefined && releases !== true) return toWorld({ verb: "reset", of: handsets, downMs: down });
    if (releases === false) {
      step.reportProblem(
        ["claimed-again"],
        keyConflict("'claimed-again' needs a reset on which the service releases the channel", "leave 'releases' out"),
      );
    }
    return { to: "gateway", input: { verb: "reset", of: handsets, downMs: down, claimedAgain: claimed } };
  },
});
