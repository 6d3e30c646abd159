import { peopleChoice, word } from "../fields/fields.js";
import { keyed } from "../sheet/field.js";
import { forTime, toWorld, verb } from "./verb.js";

/** The verb `unreachable`: the phones of people are off. */
export const unreachable = verb({
  name: "unreachable",
  about:
    "The phones of people are off: messages wait at the carrier, calls are not answered, and they write nothing meanwhile.",
  example: "{ at: 1h, unreachable: { person: farmers/0..9, for: 8h } }",
  args: keyed({
    person: peopleChoice("Whose phones: people, or a phone number."),
    state: word(["on", "off"], "off: they are reachable again.").prefault("on"),
    for: forTime,
  }),
  toInput: ({ person, state, for: forMs }, step) =>
    toWorld({ verb: "unreachable", people: step.resolveChoice(person, "person"), state, forMs }),
});
