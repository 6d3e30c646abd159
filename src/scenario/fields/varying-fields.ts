import type { Distribution } from "../../sim/index.js";
import { type Extra, type Field, field, type JsonShape, type TextInput, withDefault } from "../sheet/field.js";
import { number, ranged, scalarTypes, spelled, whole } from "./spelling.js";
import { fakeLocale, fakePath, readDistribution, type Varying } from "./values/distribution.js";
import { readDuration } from "./values/duration.js";
import { readText } from "./values/scalar.js";
import { readPercent } from "./values/share.js";

/** A value that may vary, in the typed builder: plain, a range `5m..40m`, a list of equally likely ones, or a form. */
export type VaryingInput<One extends TextInput = TextInput> =
  | One
  | readonly VaryingInput<One>[]
  | { readonly exp: One }
  | { readonly normal: readonly [mean: One, deviation: One] }
  | { readonly lognormal: readonly [mean: One, deviation: One] }
  | { readonly pick: readonly VaryingInput<One>[] }
  | { readonly weighted: Readonly<Record<string, number>> }
  | { readonly csv: string; readonly column?: string | undefined }
  | { readonly fake: string; readonly locale?: string | undefined };

const columnShape = { type: "string", description: "The column of the file; default: its first one." };

/** What may stand for a varying value; of nested values it is told only how plain ones are spelled. */
function varyingShape(one: JsonShape, kinds: { readonly numeric: boolean; readonly fake: boolean }): JsonShape {
  const form = (key: string, value: JsonShape, more: JsonShape = {}): JsonShape => ({
    type: "object",
    properties: { [key]: value, ...more },
    required: [key],
    additionalProperties: false,
  });
  const { examples: _, ...plain } = one;
  const pair = { type: "array", items: plain, minItems: 2, maxItems: 2, description: "Mean and deviation." };
  const choices = {
    type: "array",
    items: { anyOf: [plain, { type: "object" }, { type: "array" }] },
    minItems: 1,
    description: "Each item is as likely as any other.",
  };
  return {
    anyOf: [
      one,
      choices,
      ...(kinds.numeric
        ? [form("exp", { ...plain, description: "Mean." }), form("normal", pair), form("lognormal", pair)]
        : []),
      form("pick", choices),
      form("weighted", {
        type: "object",
        minProperties: 1,
        ...(typeof one["pattern"] === "string" && { propertyNames: { pattern: one["pattern"] } }),
        additionalProperties: { type: ["number", "string"], minimum: 0, pattern: whole(number) },
        description: "Values and their weights.",
      }),
      form(
        "csv",
        { type: "string", description: "A file beside the scenario; each row is as likely as any other." },
        { column: columnShape },
      ),
      ...(kinds.fake
        ? [
            form(
              "fake",
              {
                type: "string",
                pattern: fakePath.source,
                description: "A method of faker.",
                examples: ["lorem.sentence", "person.firstName"],
              },
              { locale: { type: "string", pattern: fakeLocale.source, default: "en", examples: ["fr", "ar", "ja"] } },
            ),
          ]
        : []),
    ],
  };
}

/** A text that may vary. */
export function texts(about: string): Field<Distribution<string>, VaryingInput> {
  const varying: Varying<string> = { read: readText("a text"), of: "text", noun: "a text" };
  return field(readDistribution(varying), about, varyingShape({ type: scalarTypes }, { numeric: false, fake: true }));
}

/** A span of time that may vary, in milliseconds. With `signed` it may be negative, and is bounded. */
export function span(
  about: string,
  { signed = false, ...extra }: Extra & { readonly signed?: boolean } = {},
): Field<Distribution<number>, VaryingInput<string>> {
  const varying: Varying<number> = {
    read: readDuration(signed ? { minMs: -maxSkewMs, maxMs: maxSkewMs } : {}),
    of: "number",
    signed,
    noun: "a duration",
  };
  const pattern = ranged(signed ? spelled.signedDuration : spelled.duration);
  const shape = varyingShape({ type: "string", pattern, examples: ["5m", "5m..40m"] }, { numeric: true, fake: false });
  return field(readDistribution(varying), about, { ...shape, ...withDefault(extra) });
}

/** Ten years: a phone that has lost its clock believes in 1970 or 2000, but a scenario need not go further. */
const maxSkewMs = 3650 * 86_400_000;

/** A percentage that may vary. */
export function percents(about: string, extra: Extra = {}): Field<Distribution<number>, VaryingInput<string>> {
  const varying: Varying<number> = { read: readPercent(), of: "number", noun: "a percentage" };
  const one = { type: "string", pattern: ranged(spelled.percent), examples: ["55%", "55%..100%"] };
  const shape = varyingShape(one, { numeric: true, fake: false });
  return field(readDistribution(varying), about, { ...shape, ...withDefault(extra) });
}
