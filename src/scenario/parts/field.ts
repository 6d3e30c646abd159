import * as z from "zod";
import type { CastNames } from "../cast-names.js";
import { filledText, formed } from "../fields/fields.js";
import type { FieldFailure, MetricExpectation, Step } from "../scenario.js";
import type { DocumentReader } from "../sheet/document-reader.js";
import { field, type Field, keyed, oneOrMore } from "../sheet/field.js";
import { isList, isMap, type Path } from "../sheet/raw-value.js";
import { listOf, scalar } from "../fields/values/scalar.js";
import { expect } from "../verbs/expect.js";
import { metricField } from "./metrics.js";
import { readVerb } from "./read-verb.js";

const sourceForm = /^docs\/reference\/[a-z-]+\.md#[a-z0-9-]+$/;

const sources: Field<readonly string[], string | readonly string[]> = field(
  oneOrMore(z.string().regex(sourceForm)),
  listOf(
    scalar("a section of the reference", (text, report) => {
      if (sourceForm.test(text)) return text;
      report({
        code: "bad-value",
        message: `must be a section of the reference, got '${text}'`,
        hint: "write docs/reference/handset.md#retry-ladder",
      });
      return undefined;
    }),
  ),
  "The section of the reference that describes the failure; or a list.",
);

const bug = formed(
  /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  "a name such as dedupe-by-id",
  "The bug of the bundled receiver that breaks 'right'.",
);

const needs = filledText("What 'control' shows, as the end of 'needs a receiver that …'.");

const judged = z.union([metricField, expect.args]);

const shape = keyed({
  source: sources,
  bug,
  right: z.array(judged).min(1).describe("What a right receiver does: bounds as in 'expect', or maps as in the verb."),
  control: expect.args.describe("What shows that the receiver can be judged by 'right' at all.").optional(),
  needs: needs.optional(),
});

/** The key `field`: where the failure is described, and how a receiver is judged by it. */
export const fieldSchema: z.ZodType = shape;

/** The key `field` in the typed builder. */
export type FieldInput = z.input<typeof shape>;

const keys = Object.keys(shape.shape);

/** What the key `field` adds to a scenario. */
export interface ReadField {
  readonly field: FieldFailure;
  /** Expectations at the end of the scenario. */
  readonly steps: readonly Step[];
  readonly bounds: readonly MetricExpectation[];
}

/** Reads the key `field`; undefined: there is none, or it is not sound. */
export function readField(
  reader: DocumentReader,
  context: { readonly names: CastNames; readonly lastsMs: number | undefined; readonly steps: number },
): ReadField | undefined {
  const written = reader.at(["field"]);
  if (written === undefined) return undefined;
  if (!isMap(written)) {
    reader.reportProblem(["field"], {
      code: "wrong-type",
      message: "must be a map",
      hint: "write { source, bug, right }",
    });
    return undefined;
  }
  for (const key of reader.keys(["field"])) if (!keys.includes(key)) reader.reportUnknownKey(["field", key], keys);
  for (const key of ["source", "bug", "right"]) {
    if (written[key] === undefined) reader.reportMissing(["field", key], `'field' needs ${key}`);
  }
  const { control: writtenControl, needs: writtenNeeds } = written;
  if ((writtenControl === undefined) !== (writtenNeeds === undefined)) {
    const [one, other] = writtenControl === undefined ? ["needs", "control"] : ["control", "needs"];
    reader.reportProblem(["field", one], { code: "missing-key", message: `needs '${other}' beside it`, on: "key" });
  }
  const source = written["source"] === undefined ? undefined : reader.read(sources, ["field", "source"]);
  const name = written["bug"] === undefined ? undefined : reader.read(bug, ["field", "bug"]);
  const words = writtenNeeds === undefined ? undefined : reader.read(needs, ["field", "needs"]);
  const steps: Step[] = [];
  const bounds: MetricExpectation[] = [];
  const right: string[] = [];
  const readStep = (path: Path): string | undefined => {
    const input = readVerb(reader, path, { verb: expect, names: context.names });
    if (input?.to !== "expect") return undefined;
    if (reader.at([...path, "within"]) !== undefined) {
      reader.reportProblem([...path, "within"], {
        code: "not-together",
        message: "is of steps of the story: here the whole run counts",
        on: "key",
      });
    }
    const place = context.steps + steps.length;
    steps.push({ atMs: context.lastsMs ?? 0, line: reader.line(path), input, place });
    return input.expectation.text;
  };
  const entries = written["right"];
  if (entries !== undefined && !isList(entries)) {
    reader.reportProblem(["field", "right"], {
      code: "wrong-type",
      message: "must be a list",
      hint: "write right: [never-twice]",
    });
  }
  for (const [index, entry] of (isList(entries) ? entries : []).entries()) {
    const path = ["field", "right", index];
    if (isMap(entry) && entry["that"] === undefined) {
      const text = readStep(path);
      if (text !== undefined) right.push(text);
      continue;
    }
    const bound = reader.read(metricField, path);
    if (bound === undefined) continue;
    bounds.push(bound);
    right.push(bound.text);
  }
  const control = writtenControl === undefined ? undefined : readStep(["field", "control"]);
  if (source === undefined || name === undefined) return undefined;
  return {
    field: {
      sources: source,
      bug: name,
      right,
      ...(control !== undefined && words !== undefined && { control: { text: control, needs: words } }),
    },
    steps,
    bounds,
  };
}
