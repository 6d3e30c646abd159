import { filledText } from "../fields/fields.js";
import { verb } from "./verb.js";

/** The verb `note`: writes a line to the log of the run. */
export const note = verb({
  name: "note",
  about: "A line for the log of the run.",
  example: "{ at: 1h, note: the storm begins }",
  args: filledText("The text."),
  toInput: (text) => ({ to: "log", text }),
});
