import { keyed } from "../sheet/field.js";
import { duration, selection } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `reboot`. */
export interface RebootArgs {
  readonly of: string;
  readonly down?: string | undefined;
}

/** Phones restart. */
export const reboot: Verb<RebootArgs> = verb({
  name: "reboot",
  about: "The phones shut down and start again with their backlog.",
  example: "{ at: 1h, reboot: { of: clinic/3, down: 2m } }",
  args: keyed({
    of: selection("The handsets."),
    down: duration("How long it takes until they run again.", { default: "2m" }).optional(),
  }),
  toInput: ({ of, down }, step) => ({
    to: "world",
    input: { verb: "reboot", of: step.handsets(of, "of"), downMs: down ?? 120_000 },
  }),
});
