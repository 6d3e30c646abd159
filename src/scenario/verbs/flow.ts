import * as z from "zod";
import { type Field, field, keyed } from "../sheet/field.js";
import { dataMap } from "../account/account-fields.js";
import { filledText, formed, peopleChoice, selection, text, timestamp } from "../fields/fields.js";
import { readFilledText } from "../fields/values/scalar.js";
import { readCount } from "../fields/values/number.js";
import { keyConflict, type Read } from "../sheet/raw-value.js";
import type { StoryInput } from "../scenario.js";
import { type StepContext, verb } from "./verb.js";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A number is the id in an event by hand, any other text the name or UUID of a flow of the account. */
type FlowChoice = { readonly id: number } | { readonly reference: string };

const flowShape = z.union([z.int().min(1).max(Number.MAX_SAFE_INTEGER), z.string().regex(/\S/)]);

const readFlowChoice: Read<FlowChoice> = (value, report) => {
  if (typeof value === "string" && /^\s*[+-]?\d+(\.\d*)?\s*$/.test(value)) {
    const id = readCount({ min: 1, max: Number.MAX_SAFE_INTEGER })(value, report);
    return id === undefined ? undefined : { id };
  }
  const reference = readFilledText("a flow's name, UUID or id")(value, report)?.trim();
  return reference === undefined ? undefined : { reference };
};

const flowChoice: Field<FlowChoice, string | number> = field(
  flowShape,
  readFlowChoice,
  "The flow that starts: name or UUID; or the id in an event by hand.",
);

const args = keyed({
  of: selection("The handset whose channel runs the flow; an event by hand needs it.").optional(),
  person: peopleChoice("Whom it is started for, or who has come to the action: people, or a phone number."),
  flow: flowChoice,
  extra: dataMap("Parameters of the start, which the flow reads as @trigger.params.").optional(),
  name: filledText("The flow's name, which an event by hand needs.").optional(),
  language: formed(
    /^[a-z]{3}$/,
    "a language code of three letters such as eng",
    "By hand: the flow's base language.",
  ).prefault("eng"),
  step: formed(uuid, "a UUID", "By hand: the step's UUID; without it, one that the seed determines.").optional(),
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
    .describe("By hand: the answers collected so far, the oldest first.")
    .optional(),
});

type FlowArgs = z.output<typeof args>;

/** The verb `flow`: starts a flow of the account, or emits a flow event by hand. */
export const flow = verb({
  name: "flow",
  about:
    "Starts a flow of the account for people; or, with an id and a name, emits a flow event by hand: a person has come to an API action.",
  example:
    "{ at: 2h, flow: { of: clinic/3, person: farmers/3, flow: 12, name: Harvest, values: [{ label: crop, text: maize }] } }",
  args,
  toInput: (given, step) =>
    "id" in given.flow ? eventInput(given, given.flow.id, step) : startInput(given, given.flow.reference, step),
});

function startInput({ of, person }: FlowArgs, reference: string, step: StepContext): StoryInput {
  for (const key of ["name", "language", "step", "values"]) {
    if (!step.isWritten(key)) continue;
    step.reportProblem(
      [key],
      keyConflict(
        `'${key}' belongs to an event by hand, whose 'flow' is a number`,
        "leave it out: the flow itself says it",
      ),
    );
  }
  return {
    to: "account",
    input: {
      verb: "flow",
      person: step.resolveNumbered(person, "person"),
      of: of && step.resolveHandsets(of, "of"),
      flow: reference,
      extra: step.plainValueOf("extra"),
    },
  };
}

function eventInput(given: FlowArgs, id: number, step: StepContext): StoryInput {
  const { of, person, name, language, step: uuidOfStep, values = [] } = given;
  for (const key of ["of", "name"] as const) {
    if (given[key] !== undefined) continue;
    step.reportProblem(["flow"], {
      code: "missing-key",
      message: `a flow's number is for an event by hand, which needs '${key}'`,
      whole: true,
      hint: `write ${key}: …, or name the flow that is to start`,
    });
  }
  if (step.isWritten("extra")) {
    step.reportProblem(
      ["extra"],
      keyConflict(
        "'extra' belongs to the start of a flow, not to an event by hand",
        "name the flow by its name or UUID to start it",
      ),
    );
  }
  return {
    to: "gateway",
    input: {
      verb: "flow",
      of: of === undefined ? { group: "", from: 0, to: 0 } : step.resolveHandsets(of, "of"),
      person: step.resolveNumbered(person, "person"),
      flow: id,
      name: name ?? "",
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
  };
}
