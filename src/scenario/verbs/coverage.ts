import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `coverage`: sets whether the carrier reaches phones. */
export const coverage = verb({
  name: "coverage",
  about: "The carrier does not reach the phones: texts wait at the carrier, calls and sends fail.",
  example: "{ at: 1h, coverage: { of: clinic, state: none, for: 15m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    state: word(["none", "ok"], "Whether the carrier reaches them."),
    for: forTime,
  }),
  toInput: ({ of, state, for: forMs }, step) =>
    toWorld({ verb: "coverage", of: step.resolveHandsets(of, "of"), state, forMs }),
});
