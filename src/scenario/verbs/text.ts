import { peopleChoice, selection } from "../fields/fields.js";
import { texts } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { toWorld, verb } from "./verb.js";

/** The verb `text`: people text handsets. */
export const text = verb({
  name: "text",
  about: "Each of the people sends a text to a handset.",
  example: '{ at: 1h5m, text: { from: farmers/3, to: clinic/3, body: "are you there?" } }',
  args: keyed({
    from: peopleChoice("The people who text, or a phone number."),
    to: selection("The handsets texted to: a person's home handset where it is among them, else one drawn."),
    body: texts("What they write."),
  }),
  toInput: ({ from, to, body }, step) =>
    toWorld({ verb: "text", from: step.resolveChoice(from, "from"), to: step.resolveHandsets(to, "to"), body }),
});
