import { peopleChoice, selection } from "../fields/fields.js";
import { texts } from "../fields/varying-fields.js";
import { keyed } from "../sheet/field.js";
import { verb } from "./verb.js";

/** The verb `send`: the service sends a message. */
export const send = verb({
  name: "send",
  about: "The service sends a message to each of the people.",
  example: '{ at: 2h, send: { via: clinic/3, to: farmers/3, body: "we are back" } }',
  args: keyed({
    via: selection("The handsets that send it: a person's home handset where it is among them, else one drawn."),
    to: peopleChoice("The people who are written to, or a phone number."),
    body: texts("What the service writes."),
  }),
  toInput: ({ via, to, body }, step) => ({
    to: "gateway",
    input: { verb: "send", via: step.resolveHandsets(via, "via"), to: step.resolveNumbered(to, "to"), body },
  }),
});
