import * as z from "zod";
import { eventFields, eventTypes, namesIn, spellings } from "../../wire/index.js";
import { field, type Field, keyed, keysOf, type TextInput } from "../sheet/field.js";
import { count as wholeCount, duration, formed, pattern, selection } from "../fields/fields.js";
import { nearest, suggest } from "../sheet/nearest.js";
import type { ComparisonOp, ExpectedCount } from "../scenario.js";
import { reportBadValue, scalar } from "../fields/values/scalar.js";
import { type StepContext, verb } from "./verb.js";

/** `3`, or `>= 3`. */
function countField(about: string): Field<ExpectedCount, TextInput> {
  const wanted = "a count such as 3 or '>= 3'";
  const read = scalar(wanted, (text, report): ExpectedCount | undefined => {
    const [, op, value] = /^(==|!=|<=|>=|<|>)?\s*(\d{1,12})$/.exec(text) ?? [];
    if (value === undefined) return reportBadValue(wanted, text, report);
    return { op: (op ?? "==") as ComparisonOp, value: Number(value) };
  });
  const comparison = z.string().regex(/^((==|!=|<=|>=|<|>)?\s*[0-9]{1,12})$/);
  return field(z.union([z.int().min(0), comparison]).meta({ examples: [1, ">= 3"] }), read, about);
}

const mostTimes = 999_999_999_999;

const args = keyed({
  person: selection("Who hears something.").optional(),
  hears: pattern("What one of their texts must contain or match.").optional(),
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
}).meta(keysOf("oneOf", ["person", "event"]));

/** The names of a known event's fields, in all spellings. */
function fieldsOf(type: string): string[] | undefined {
  const known = eventTypes.find((one) => one === type);
  if (known === undefined) return undefined;
  const names = eventFields[known].flatMap((field) => spellings.flatMap((spelling) => namesIn(field, spelling)));
  return [...new Set(names)];
}

/** The verb `expect`: an event or a received text, at any time up to the step or within a time after it. */
export const expect = verb({
  name: "expect",
  about: "Somebody hears something, or an event comes: within a time from the step on, or at any time up to it.",
  example: "{ at: 2h, expect: { person: farmers/3, hears: /back/, within: 2m } }",
  args,
  toInput: (given, step) => {
    const { person, hears, event, of, where = {}, within } = given;
    const order = ["person", "hears", "event", "of", "where", ...countKeys, "within"] as const;
    const count = countOf(given, step);
    const common = {
      text: order
        .filter((key) => given[key] !== undefined)
        .map((key) => `${key}: ${step.spellingOf(key)}`)
        .join(", "),
      withinMs: within,
    };
    const foreign = order.filter(
      (key) => given[key] !== undefined && (event === undefined ? ["of", "where"] : ["person", "hears"]).includes(key),
    );
    if (person === undefined && event === undefined) {
      step.reportProblem([], { code: "missing-key", message: "needs 'person' and 'hears', or 'event'", on: "key" });
    } else if (foreign[0] !== undefined) {
      step.reportProblem([foreign[0]], {
        code: "not-together",
        message: `'${foreign[0]}' does not go with '${event === undefined ? "person" : "event"}'`,
        whole: true,
        on: "key",
        hint: "make two steps of it",
      });
    }
    if (event === undefined) {
      if (person !== undefined && hears === undefined) {
        step.reportProblem(["person"], {
          code: "missing-key",
          message: "'expect' needs 'hears' beside 'person'",
          whole: true,
          on: "key",
        });
      }
      return {
        to: "expect",
        expectation: {
          ...common,
          kind: "hears",
          people: person === undefined ? { group: "", from: 0, to: 0 } : step.resolvePeople(person, "person"),
          pattern: hears ?? { kind: "contains", text: "" },
          count,
        },
      };
    }
    const close = eventTypes.some((type) => type === event) ? undefined : nearest(event, eventTypes);
    if (close !== undefined) {
      step.reportProblem(["event"], {
        code: "unknown-event",
        message: `is no type that is known: '${event}'`,
        hint: `did you mean '${close}'?`,
        severity: "warning",
      });
    }
    for (const field of Object.keys(where)) {
      const known = fieldsOf(event);
      if (known === undefined || known.includes(field)) continue;
      step.reportProblem(["where", field], {
        code: "unknown-event",
        message: `is no field of ${event} that is known`,
        on: "key",
        hint: suggest(field, known),
        severity: "warning",
      });
    }
    return {
      to: "expect",
      expectation: {
        ...common,
        kind: "event",
        type: event,
        of: of && step.resolveHandsets(of, "of"),
        where: Object.entries(where),
        count,
      },
    };
  },
});

const countKeys = ["count", "at-least", "at-most"] as const;

/** The required count; undefined: at least 1. */
function countOf(
  given: {
    readonly count?: ExpectedCount | undefined;
    readonly "at-least"?: number | undefined;
    readonly "at-most"?: number | undefined;
  },
  step: StepContext,
): ExpectedCount | undefined {
  const [first, second] = countKeys.filter((key) => given[key] !== undefined);
  if (first !== undefined && second !== undefined) {
    const message = `'${first}' and '${second}' cannot both be`;
    step.reportProblem([second], {
      code: "not-together",
      message,
      whole: true,
      on: "key",
      hint: "make two steps of it",
    });
  }
  if (given["at-least"] !== undefined) return { op: ">=", value: given["at-least"] };
  if (given["at-most"] !== undefined) return { op: "<=", value: given["at-most"] };
  return given.count;
}
