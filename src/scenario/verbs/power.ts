import { keyed } from "../sheet/field.js";
import { duration, selection, word } from "../fields/fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `power`. */
export interface PowerArgs {
  readonly of: string;
  readonly mains: "on" | "off";
  readonly for?: string | undefined;
}

/** The mains come and go. */
export const power: Verb<PowerArgs> = verb({
  name: "power",
  about: "The mains go off or come back: phones live on their batteries, or charge.",
  example: "{ at: 1h, power: { of: clinic/0..19, mains: off, for: 40m } }",
  args: keyed({
    of: selection("The handsets."),
    mains: word(["on", "off"], "Whether there is power in the socket."),
    for: duration("Until it is again as before; without it, it stays.").optional(),
  }),
  toInput: ({ of, mains, for: forMs }, step) => ({
    to: "world",
    input: {
      verb: "power",
      of: step.handsets(of, "of"),
      mains: mains === "on",
      ...(forMs !== undefined && { forMs }),
    },
  }),
});
