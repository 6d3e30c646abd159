import { filledText, formed } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { verb } from "./verb.js";

/** The verb `beat`: names a moment, and writes it to the log of the run. */
export const beat = verb({
  name: "beat",
  about: "A named moment that a presenter can jump to in the console; it writes a line to the log of the run.",
  example: "{ at: 1h, beat: { name: Power cut, about: Two villages lose their mains } }",
  args: keyed({
    name: formed(
      /^(?=.{1,60}$)\S/u,
      "a name of up to 60 characters",
      "What the moment is called, in up to 60 characters.",
    ),
    about: filledText("What happens then, in a sentence.").optional(),
  }),
  toInput: ({ name, about }) => ({
    to: "log",
    text: about === undefined ? name : `${name}: ${about}`,
    beat: { name, about },
  }),
});
