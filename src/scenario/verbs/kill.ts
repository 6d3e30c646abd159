import { leastSpan } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `kill`: ends the process of the relayer app. */
export const kill = verb({
  name: "kill",
  about: "Android or somebody ends the relayer app: nothing syncs, sends or reads, until it is opened or a push comes.",
  example: "{ at: 1h, kill: { of: clinic/3, for: 6h } }",
  disconnects: true,
  args: keyed({
    of: ofHandsets,
    for: leastSpan("When somebody opens the app again; without it, nobody does. _Varies._").optional(),
  }),
  toInput: ({ of, for: forMs }, step) => toWorld({ verb: "kill", of: step.resolveHandsets(of, "of"), forMs }),
});
