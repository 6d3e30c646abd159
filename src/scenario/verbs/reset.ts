import { keyed } from "../sheet/field.js";
import { downTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `reset`: resets the relayer app. */
export const reset = verb({
  name: "reset",
  about: "The relayer app is reset: its table of messages is emptied, and it starts again.",
  example: "{ at: 1h, reset: { of: clinic/3, down: 2m } }",
  args: keyed({ of: ofHandsets, down: downTime }),
  toInput: ({ of, down }, step) => toWorld({ verb: "reset", of: step.resolveHandsets(of, "of"), downMs: down }),
});
