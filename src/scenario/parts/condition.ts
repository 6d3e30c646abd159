import * as z from "zod";
import type { CastNames } from "../cast-names.js";
import { exitTypes } from "../../wire/index.js";
import { filledText, formed, pattern, peopleChoice, selection, word } from "../fields/fields.js";
import { reportBadValue, scalar } from "../fields/values/scalar.js";
import type { ComparisonOp, ExpectedCount, StepWait, StoryCondition } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { field, type Field, keyed, keysOf } from "../sheet/field.js";
import { keyConflict, type Path } from "../sheet/raw-value.js";
import { countField, readEvent, readHears } from "../verbs/expect.js";
import { formatOnOneLine, stepContext } from "./read-verb.js";

/** `< 15%`: a comparison with a percentage. */
function levelField(about: string): Field<ExpectedCount, string> {
  const wanted = "a bound such as '< 15%'";
  const form = /^(==|!=|<=|>=|<|>)\s*(\d{1,3}(?:\.\d+)?)%$/;
  const read = scalar(wanted, (text, report): ExpectedCount | undefined => {
    const [, op, value] = form.exec(text) ?? [];
    if (op === undefined) return reportBadValue(wanted, text, report, 'quote it: battery: "< 15%"');
    const bound = { op: op as ComparisonOp, value: Number(value) };
    if (holdsSomewhere(bound)) return bound;
    report({ code: "never-holds", message: `never holds: a level is 0% to 100%, got '${text}'` });
    return undefined;
  });
  return field(
    z
      .string()
      .regex(form)
      .meta({ examples: ["< 15%"] }),
    read,
    about,
  );
}

/** Whether a level of 0 to 100 keeps a bound. */
function holdsSomewhere({ op, value }: ExpectedCount): boolean {
  if (op === "<") return value > 0;
  if (op === ">") return value < 100;
  return op === "==" || op === ">=" ? value <= 100 : true;
}

const kinds = ["event", "hears", "queue", "battery", "flow", "broadcast"] as const;

/** The condition that a step waits for. */
export const conditionSchema = keyed({
  event: formed(
    /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/,
    "an event type such as alarm",
    "An event of this type comes.",
  ).optional(),
  where: z
    .record(z.string(), pattern("What the field must contain or match."))
    .describe("With 'event': fields and what they hold.")
    .optional(),
  hears: pattern("A text that contains or matches this reaches one of 'person'.").optional(),
  flow: filledText("One of 'person' begins this flow of the account: name or UUID.").optional(),
  ends: word(exitTypes, "With 'flow': the run ends in this way; default: it begins.").optional(),
  broadcast: pattern("The account sends a broadcast whose text contains or matches this.").optional(),
  person: peopleChoice("With 'hears' and 'flow': people, or a phone number.").optional(),
  queue: countField("The number of texts and reports that wait on a phone, such as '> 20'.").optional(),
  battery: levelField("The level of a phone's battery, such as '< 15%'.").optional(),
  of: selection("The handsets, one of which is enough; with 'event' default: any.").optional(),
}).meta(keysOf("oneOf", kinds));

/** Used if the people are missing, which is reported as an error. */
const nobody = { group: "", from: 0, to: 0 };

/** The keys that may stand beside the key of each kind. */
const companions: Readonly<Record<(typeof kinds)[number], readonly string[]>> = {
  event: ["of", "where"],
  hears: ["person"],
  queue: ["of"],
  battery: ["of"],
  flow: ["person", "ends"],
  broadcast: [],
};

/** Reads the condition of a step; undefined if it is invalid, which is then reported. */
export function readCondition(
  reader: DocumentReader,
  path: Path,
  names: CastNames,
): Pick<StepWait, "condition" | "text"> | undefined {
  const given = reader.read(conditionSchema, path);
  if (given === undefined) return undefined;
  const step = stepContext(reader, path, names);
  const [kind, second] = kinds.filter((key) => given[key] !== undefined);
  if (kind === undefined) {
    step.reportProblem([], {
      code: "missing-key",
      message: "needs 'event', 'hears', 'queue', 'battery', 'flow' or 'broadcast'",
      on: "key",
    });
    return undefined;
  }
  const foreign = second ?? reader.keys(path).find((key) => key !== kind && !companions[kind].includes(key));
  if (foreign !== undefined) {
    step.reportProblem([foreign], keyConflict(`'${foreign}' does not go with '${kind}'`, "make two steps of it"));
    return undefined;
  }
  const needed = {
    event: undefined,
    hears: "person",
    flow: "person",
    queue: "of",
    battery: "of",
    broadcast: undefined,
  } as const;
  const missing = needed[kind];
  if (missing !== undefined && given[missing] === undefined) {
    const hint = missing === "of" ? "write of: clinic/3" : "write person: farmers/3";
    reader.reportMissing([...path, missing], hint);
    return undefined;
  }
  const text = reader
    .keys(path)
    .map((key) => `${key}: ${formatOnOneLine(reader.at([...path, key]))}`)
    .join(", ");
  return { condition: conditionOf(kind, given, step, text), text };
}

function conditionOf(
  kind: (typeof kinds)[number],
  given: z.output<typeof conditionSchema>,
  step: ReturnType<typeof stepContext>,
  text: string,
): StoryCondition {
  if (kind === "event") return readEvent(given, { text }, step) as StoryCondition;
  if (kind === "hears") return readHears(given, { text }, step) as StoryCondition;
  if (kind === "broadcast") return { kind, pattern: given.broadcast ?? { kind: "contains", text: "" } };
  if (kind === "flow") {
    const people = given.person === undefined ? nobody : step.resolveNumbered(given.person, "person");
    return { kind, flow: given.flow ?? "", people, ...(given.ends !== undefined && { ends: given.ends }) };
  }
  const { op, value } = given[kind] ?? { op: ">" as const, value: 0 };
  const of = given.of === undefined ? { group: "", from: 0, to: 0 } : step.resolveHandsets(given.of, "of");
  return { kind, of, op, value };
}
