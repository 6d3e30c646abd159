import { keyed } from "../sheet/field.js";
import { peopleChoice, selection } from "../fields/fields.js";
import { texts, type VaryingInput } from "../fields/varying-fields.js";
import { type Verb, verb } from "./verb.js";

/** Arguments of `text`. */
export interface TextArgs {
  readonly from: string;
  readonly to: string;
  readonly body: VaryingInput;
}

/** People text handsets. */
export const text: Verb<TextArgs> = verb({
  name: "text",
  about: "Each of the people sends a text to a handset.",
  example: '{ at: 1h5m, text: { from: farmers/3, to: clinic/3, body: "are you there?" } }',
  args: keyed({
    from: peopleChoice("The people who text, or a phone number."),
    to: selection("The handsets texted to: a person's home handset where it is among them, else one drawn."),
    body: texts("What they write."),
  }),
  toInput: ({ from, to, body }, step) => ({
    to: "world",
    input: { verb: "text", from: step.choice(from, "from"), to: step.handsets(to, "to"), body },
  }),
});
