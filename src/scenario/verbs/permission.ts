import { permissions } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyed, keysOf } from "../sheet/field.js";
import { keyConflict } from "../sheet/raw-value.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `permission`: the relayer app loses or gets a permission. */
export const permission = verb({
  name: "permission",
  about:
    "The relayer app loses a permission or gets it back: without texts it pauses itself, without calls it reads none.",
  example: "{ at: 1h, permission: { of: clinic/3, lost: sms, for: 2h } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    lost: word(permissions, "What it may no longer do: read and send texts, or read the call log.").optional(),
    granted: word(permissions, "What it may do again; somebody opens the app for that.").optional(),
    for: forTime,
  }).meta(keysOf("oneOf", ["lost", "granted"])),
  toInput: ({ of, lost, granted, for: forMs }, step) => {
    const handsets = step.resolveHandsets(of, "of");
    if (lost !== undefined && granted !== undefined) {
      step.reportProblem(["granted"], keyConflict("'lost' and 'granted' cannot both be", "make two steps of it"));
    }
    const what = lost ?? granted;
    if (what === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'lost' or 'granted'", on: "key" });
    }
    return toWorld({ verb: "permission", of: handsets, what: what ?? "sms", isGranted: lost === undefined, forMs });
  },
});
