import { word } from "../fields/fields.js";
import { leastSpan } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `mast`: the mast of a place goes down, or is back. */
export const mast = verb({
  name: "mast",
  about: "The mast is down: no mobile data, texts wait at the carrier, calls and sends fail. Wi-Fi and mains stay.",
  example: "{ at: 1h, mast: { of: clinic/0..19, down: 40m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    down: leastSpan("How long it is down; without it, until a step with state: up. _Varies._").optional(),
    state: word(["down", "up"], "up: the mast works again.").prefault("down"),
  }),
  toInput: ({ of, state, down }, step) => {
    if (down !== undefined && state === "up") {
      step.reportProblem(["down"], keyConflict("a mast that is up again is not down", "leave it out"));
    }
    const input = { verb: "mast", of: step.resolveHandsets(of, "of"), state: state === "up" ? "off" : "on" } as const;
    return toWorld({ ...input, downMs: down });
  },
});
