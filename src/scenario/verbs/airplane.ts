import { keyed } from "../sheet/field.js";
import { duration, selection } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `airplane`. */
export interface AirplaneArgs {
  readonly of: string;
  readonly for?: string | undefined;
}

/** Phones are in airplane mode. */
export const airplane: Verb<AirplaneArgs> = verb({
  name: "airplane",
  about: "Airplane mode: no data, no texts, no calls, until it ends.",
  example: "{ at: 1h, airplane: { of: clinic/3, for: 30m } }",
  args: keyed({
    of: selection("The handsets."),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ of, for: forMs }, step) => ({
    to: "world",
    input: { verb: "airplane", of: step.handsets(of, "of"), ...(forMs !== undefined && { forMs }) },
  }),
});
