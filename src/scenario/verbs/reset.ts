import { keyed } from "../sheet/field.js";
import { duration, selection } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `reset`. */
export interface ResetArgs {
  readonly of: string;
  readonly down?: string | undefined;
}

/** The relayer app is reset. */
export const reset: Verb<ResetArgs> = verb({
  name: "reset",
  about: "The relayer app is reset: its table of messages is emptied, and it starts again.",
  example: "{ at: 1h, reset: { of: clinic/3, down: 2m } }",
  args: keyed({
    of: selection("The handsets."),
    down: duration("How long it takes until they run again.", { default: "2m" }).optional(),
  }),
  toInput: ({ of, down }, step) => ({
    to: "world",
    input: { verb: "reset", of: step.handsets(of, "of"), downMs: down ?? 120_000 },
  }),
});
