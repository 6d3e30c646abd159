import { leastSpan } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `upgrade`: a new version of the relayer app is installed. */
export const upgrade = verb({
  name: "upgrade",
  about: "A new version of the relayer app is installed: the app ends and starts again.",
  example: "{ at: 3h, upgrade: { of: clinic } }",
  disconnects: true,
  args: keyed({ of: ofHandsets, down: leastSpan("How long the installation takes. _Varies._").prefault("30s") }),
  toInput: ({ of, down }, step) => toWorld({ verb: "upgrade", of: step.resolveHandsets(of, "of"), downMs: down }),
});
