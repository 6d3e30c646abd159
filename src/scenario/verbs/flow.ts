import * as z from "zod";
import { keyed } from "../sheet/field.js";
import { count, filledText, formed, peopleChoice, selection, text, timestamp } from "../fields/fields.js";
import { verb } from "./verb.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The verb `flow`: a person reaches an API action of a flow. */
export const flow = verb({
  name: "flow",
  about: "A person has come to an API action of a flow: a flow event with what they have answered so far.",
  example:
    "{ at: 2h, flow: { of: clinic/3, person: farmers/3, flow: 12, name: Harvest, values: [{ label: crop, text: maize }] } }",
  args: keyed({
    of: selection("The handset whose channel runs the flow."),
    person: peopleChoice("Who has come to the action: people, or a phone number."),
    flow: count("The flow's id.", { min: 1, max: Number.MAX_SAFE_INTEGER }),
    name: filledText("The flow's name."),
    language: formed(
      /^[a-z]{3}$/,
      "a language code of three letters such as eng",
      "The flow's base language.",
    ).prefault("eng"),
    step: formed(uuid, "a UUID", "The step's UUID; without it, one that the seed determines.").optional(),
    values: z
      .array(
        keyed({
          label: filledText("The rule set's label."),
          category: text("How the answer was categorised; default: the value.").optional(),
          value: text("What was read from the answer; default: its text.").optional(),
          text: text("The answer as it was written."),
          time: timestamp("When it was given; default: the instant of the step.").optional(),
        }),
      )
      .describe("The answers collected so far, the oldest first.")
      .optional(),
  }),
  toInput: ({ of, person, flow: id, name, language, step: uuidOfStep, values = [] }, step) => ({
    to: "gateway",
    input: {
      verb: "flow",
      of: step.resolveHandsets(of, "of"),
      person: step.resolveChoice(person, "person"),
      flow: id,
      name,
      language,
      step: uuidOfStep,
      values: values.map(({ label, category, value, text: answer, time }) => ({
        label,
        category: category ?? value ?? answer,
        value: value ?? answer,
        text: answer,
        timeMs: time,
      })),
    },
  }),
});
