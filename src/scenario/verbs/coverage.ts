import { keyed } from "../sheet/field.js";
import { duration, selection, word } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `coverage`. */
export interface CoverageArgs {
  readonly of: string;
  readonly state: "none" | "ok";
  readonly for?: string | undefined;
}

/** The carrier reaches the phones or not. */
export const coverage: Verb<CoverageArgs> = verb({
  name: "coverage",
  about: "The carrier does not reach the phones: texts wait at the carrier, calls and sends fail.",
  example: "{ at: 1h, coverage: { of: clinic, state: none, for: 15m } }",
  args: keyed({
    of: selection("The handsets."),
    state: word(["none", "ok"], "Whether the carrier reaches them."),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ of, state, for: forMs }, step) => ({
    to: "world",
    input: { verb: "coverage", of: step.handsets(of, "of"), state, ...(forMs !== undefined && { forMs }) },
  }),
});
