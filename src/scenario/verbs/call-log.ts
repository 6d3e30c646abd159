import { callLogStates } from "../../world/index.js";
import { word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { ofHandsets, toWorld, verb } from "./verb.js";

/** The verb `call-log`: the owner looks at the call log or clears it. */
export const callLog = verb({
  name: "call-log",
  about: "The owner looks at the call log or clears it: calls that the app has not read yet are never reported.",
  example: "{ at: 2h, call-log: { of: clinic/3, state: read } }",
  args: keyed({
    of: ofHandsets,
    state: word(callLogStates, "What the owner does with the log."),
  }),
  toInput: ({ of, state }, step) => toWorld({ verb: "call-log", of: step.resolveHandsets(of, "of"), state }),
});
