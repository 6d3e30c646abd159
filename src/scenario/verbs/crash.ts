import { leastSpan } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `crash`: the relayer app crashes, and may start again by itself. */
export const crash = verb({
  name: "crash",
  about: "The relayer app crashes and starts again by itself, or not.",
  example: "{ at: 1h, crash: { of: clinic/3, down: 1m } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    down: leastSpan(
      "How long until it starts again; without it, only a push or its user starts it. _Varies._",
    ).optional(),
  }),
  toInput: ({ of, down: downMs }, step) => toWorld({ verb: "crash", of: step.resolveHandsets(of, "of"), downMs }),
});
