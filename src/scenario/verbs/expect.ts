import * as z from "zod";
import { eventTypes, isEventType } from "../../wire/index.js";
import { field, type Field, keyed, keysOf, type TextInput } from "../sheet/field.js";
import {
  count as wholeCount,
  duration,
  filledText,
  formed,
  pattern,
  peopleChoice,
  selection,
} from "../fields/fields.js";
import { suggest } from "../sheet/nearest.js";
import type { ComparisonOp, ExpectedCount, StoryExpectation } from "../scenario.js";
import { reportBadValue, scalar } from "../fields/values/scalar.js";
import { checkFilter } from "./event-filter.js";
import { type StepContext, verb } from "./verb.js";
import { keyConflict } from "../sheet/raw-value.js";

/** `3`, or `>= 3`. */
export function countField(about: string): Field<ExpectedCount, TextInput> {
  const wanted = "a count such as 3 or '>= 3'";
  const read = scalar(wanted, (text, report): ExpectedCount | undefined => {
    const [, op, value] = /^(==|!=|<=|>=|<|>)?\s*(\d{1,12})$/.exec(text) ?? [];
    if (value === undefined) return reportBadValue(wanted, text, report);
    if (op === "<" && Number(value) === 0) {
      report({ code: "never-holds", message: `never holds: no count is below 0, got '${text}'`, hint: "write 0" });
      return undefined;
    }
    return { op: (op ?? "==") as ComparisonOp, value: Number(value) };
  });
  const comparison = z.string().regex(/^((==|!=|<=|>=|<|>)?\s*[0-9]{1,12})$/);
  return field(z.union([z.int().min(0), comparison]).meta({ examples: [1, ">= 3"] }), read, about);
}

const mostTimes = 999_999_999_999;

const args = keyed({
  person: peopleChoice("Who hears something or has a result: people, or a phone number.").optional(),
  hears: pattern("What one of their texts must contain or match.").optional(),
  answers: pattern(
    "With 'hears': only replies of the receiver to an mo_sms whose text contains or matches this.",
  ).optional(),
  result: filledText("The name of a flow's result that each of them must have.").optional(),
  is: pattern("What the result's value must be or match; default: any value.").optional(),
  category: filledText("The category that the result must have; default: any.").optional(),
  flow: filledText("The flow of the result: name or UUID; default: the latest run that has it.").optional(),
  group: filledText("A contact group: name or UUID.").optional(),
  contains: peopleChoice("Who must be in the group: people, or a phone number.").optional(),
  lacks: peopleChoice("Who must not be in the group: people, or a phone number.").optional(),
  event: formed(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, "an event type such as mo_sms", "The type of an event.").optional(),
  of: selection("The handsets whose channels it comes from; default: any.").optional(),
  where: z
    .record(z.string(), pattern("What the field must contain or match."))
    .describe("Fields and what they hold.")
    .optional(),
  count: countField("How often it happens, to each person or in all events; default: at least once.").optional(),
  "at-least": wholeCount("It happens so often or more often.", { min: 0, max: mostTimes }).optional(),
  "at-most": wholeCount("It happens so often or less often; 0: never.", { min: 0, max: mostTimes }).optional(),
  within: duration("It happens within this time from the step on; without it: at any time up to the step.").optional(),
}).meta(keysOf("oneOf", ["person", "event", "group"]));

type ExpectArgs = z.output<typeof args>;
type Key = keyof ExpectArgs;

const order = Object.keys(args.shape) as readonly Key[];
const countKeys = ["count", "at-least", "at-most"] as const;

/** The kinds of expectations by the key that tells them, and the keys that go with it. */
const kinds = [
  { key: "event", others: ["of", "where", ...countKeys] },
  { key: "group", others: ["contains", "lacks"] },
  { key: "result", others: ["person", "is", "category", "flow"] },
  { key: "person", others: ["hears", "answers", ...countKeys] },
] as const satisfies readonly { readonly key: Key; readonly others: readonly Key[] }[];

type KindKey = (typeof kinds)[number]["key"];
type Common = Pick<StoryExpectation, "text" | "withinMs">;

/** The verb `expect`: a received text, an event, a result or a group's members. */
export const expect = verb({
  name: "expect",
  about:
    "Somebody hears something, an event comes, a flow has saved a result, or a group has a member: within a time from the step on, or at any time up to it.",
  example: "{ at: 2h, expect: { person: farmers/3, hears: /back/, within: 2m } }",
  args,
  toInput: (given, step) => {
    const common = {
      text: order
        .filter((key) => given[key] !== undefined)
        .map((key) => `${key}: ${step.spellingOf(key)}`)
        .join(", "),
      withinMs: given.within,
    };
    return { to: "expect", expectation: readers[kindOf(given, step)](given, common, step) };
  },
});

/** The kind of an expectation. Reports keys that belong to another kind. */
function kindOf(given: ExpectArgs, step: StepContext): KindKey {
  const kind = kinds.find(({ key }) => given[key] !== undefined);
  if (kind === undefined) {
    step.reportProblem([], {
      code: "missing-key",
      message: "needs 'person' and 'hears' or 'result', or 'event', or 'group'",
      on: "key",
    });
    return "person";
  }
  const fitting: readonly Key[] = [kind.key, ...kind.others, "within"];
  const foreign = order.find((key) => given[key] !== undefined && !fitting.includes(key));
  if (foreign !== undefined) {
    step.reportProblem([foreign], keyConflict(`'${foreign}' does not go with '${kind.key}'`, "make two steps of it"));
  }
  return kind.key;
}

const readers: Readonly<Record<KindKey, (given: ExpectArgs, common: Common, step: StepContext) => StoryExpectation>> = {
  person: readHears,
  event: readEvent,
  result: readResult,
  group: readGroup,
};

/** Used if the people are missing, which is reported as an error. */
const nobody = { group: "", from: 0, to: 0 };

/** Reads an expectation on the texts of people. */
export function readHears(
  given: Omit<ExpectArgs, "answers"> & Pick<Partial<ExpectArgs>, "answers">,
  common: Common,
  step: StepContext,
): StoryExpectation {
  const { person, hears, answers } = given;
  if (person !== undefined && hears === undefined) {
    step.reportProblem(["person"], {
      code: "missing-key",
      message: "'expect' needs 'hears' or 'result' beside 'person'",
      whole: true,
      on: "key",
    });
  }
  return {
    ...common,
    kind: "hears",
    people: person === undefined ? nobody : step.resolveNumbered(person, "person"),
    pattern: hears ?? { kind: "contains", text: "" },
    ...(answers !== undefined && { answers }),
    count: countOf(given, step),
  };
}

function readResult(given: ExpectArgs, common: Common, step: StepContext): StoryExpectation {
  const { person, result = "", is, category, flow } = given;
  if (person === undefined) {
    step.reportProblem(["result"], {
      code: "missing-key",
      message: "'expect' needs 'person' beside 'result'",
      whole: true,
      on: "key",
    });
  }
  return {
    ...common,
    kind: "result",
    people: person === undefined ? nobody : step.resolveNumbered(person, "person"),
    result,
    value: is,
    category,
    flow,
  };
}

function readGroup(given: ExpectArgs, common: Common, step: StepContext): StoryExpectation {
  const { group = "", contains, lacks } = given;
  if ((contains === undefined) === (lacks === undefined)) {
    const isNone = contains === undefined;
    step.reportProblem([isNone ? "group" : "lacks"], {
      code: isNone ? "missing-key" : "not-together",
      message: isNone ? "'expect' needs 'contains' or 'lacks' beside 'group'" : "'contains' and 'lacks' cannot both be",
      whole: true,
      on: "key",
      hint: isNone ? "write contains: farmers/3" : "make two steps of it",
    });
  }
  const key = contains === undefined ? "lacks" : "contains";
  const people = given[key];
  return {
    ...common,
    kind: "group",
    people: people === undefined ? nobody : step.resolveNumbered(people, key),
    group,
    isMember: contains !== undefined,
  };
}

/** Reads an expectation on events. */
export function readEvent(given: ExpectArgs, common: Common, step: StepContext): StoryExpectation {
  const { event = "", of, where = {} } = given;
  if (!isEventType(event) && step.events?.fieldsPosted(event) === undefined) {
    step.reportProblem(["event"], {
      code: "unknown-event",
      message: `is no type that is known, and no step of the story posts it: '${event}'`,
      hint: suggest(event, eventTypes),
      severity: "warning",
    });
  }
  checkFilter(event, where, step);
  return {
    ...common,
    kind: "event",
    type: event,
    of: of && step.resolveHandsets(of, "of"),
    where: Object.entries(where),
    count: countOf(given, step),
  };
}

/** The required count; undefined: at least 1. */
function countOf(given: ExpectArgs, step: StepContext): ExpectedCount | undefined {
  const [first, second] = countKeys.filter((key) => given[key] !== undefined);
  if (first !== undefined && second !== undefined) {
    step.reportProblem([second], keyConflict(`'${first}' and '${second}' cannot both be`, "make two steps of it"));
  }
  if (given["at-least"] !== undefined) return { op: ">=", value: given["at-least"] };
  if (given["at-most"] !== undefined) return { op: "<=", value: given["at-most"] };
  return given.count;
}
