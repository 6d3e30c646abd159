import { keyed } from "../sheet/field.js";
import { duration, selection } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `pause`. */
export interface PauseArgs {
  readonly of: string;
  readonly for?: string | undefined;
}

/** The relayer app is paused. */
export const pause: Verb<PauseArgs> = verb({
  name: "pause",
  about: "The relayer app is paused: it does not sync, send or relay.",
  example: "{ at: 1h, pause: { of: clinic/3, for: 30m } }",
  args: keyed({
    of: selection("The handsets."),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ of, for: forMs }, step) => ({
    to: "world",
    input: { verb: "pause", of: step.handsets(of, "of"), ...(forMs !== undefined && { forMs }) },
  }),
});
