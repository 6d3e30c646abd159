import { keyed } from "../sheet/field.js";
import { downTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `reboot`: restarts phones. */
export const reboot = verb({
  name: "reboot",
  about: "The phones shut down and start again with their backlog.",
  example: "{ at: 1h, reboot: { of: clinic/3, down: 2m } }",
  disconnects: true,
  args: keyed({ of: ofHandsets, down: downTime }),
  toInput: ({ of, down }, step) => toWorld({ verb: "reboot", of: step.resolveHandsets(of, "of"), downMs: down }),
});
