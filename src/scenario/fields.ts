import * as z from "zod";
import type { Distribution } from "../sim/index.js";
import type { StatusSet } from "../wire/index.js";
import type { PhonePattern } from "../world/index.js";
import type { DiagnosticCode } from "./diagnostic.js";
import type { Pattern } from "./scenario.js";
import { fakeLocale, fakePath, readDistribution, type Varying } from "./values/distribution.js";
import { readDuration } from "./values/duration.js";
import { readStart, readTimestamp, readZone } from "./values/instant.js";
import { type Bounds, readCount } from "./values/number.js";
import { readPattern } from "./values/pattern.js";
import { readPhone, readSender } from "./values/phone.js";
import { readRate } from "./values/rate.js";
import { listOf, readFilledText, readText } from "./values/scalar.js";
import { namePattern, readSelection, type Selection } from "./values/selector.js";
import { readPercent, readShare } from "./values/share.js";
import { readStatuses } from "./values/statuses.js";
import { readTimes } from "./values/times.js";
import { readUrl } from "./values/url.js";
import { readFlag, readWord } from "./values/word.js";
import type { Problem, Read, Written } from "./written.js";

/**
 * The kinds of value that a scenario's keys may have, each as a zod schema: what it is read as (`Out`), what the typed
 * builder takes (`In`), and what an editor is told of it. `about` is one sentence for people.
 */
export type Field<Out, In> = z.ZodType<Out, In>;

/** A part of a JSON Schema. */
export type JsonShape = Readonly<Record<string, unknown>>;

/** A text in the typed builder: numbers and flags are taken as they are spelled. */
export type TextInput = string | number | boolean;

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

/** Makes a schema of a reader. */
export function field<Out, In>(read: Read<Out>, about: string, json: JsonShape): Field<Out, In> {
  return z
    .custom<In>(() => true)
    .transform((value, context): Out => {
      let told = false;
      const tell = (problem: Problem): void => {
        told = true;
        context.addIssue({
          code: "custom",
          message: problem.message,
          path: [...(problem.path ?? [])],
          params: { problem: { ...problem, path: [] } },
        });
      };
      const out = read(value as Written | undefined, tell);
      if (out !== undefined) return out;
      if (!told) tell({ code: "bad-value", message: "cannot be understood" });
      return z.NEVER;
    })
    .meta({ description: about, ...hidden(json) });
}

/** Keywords that zod drops from the JSON Schema of values that are read into something else. */
const dropped = ["default", "examples"] as const;

function hidden(json: JsonShape): JsonShape {
  const keys = Object.entries(json).map(([key, value]) => [
    dropped.some((one) => one === key) ? `x-${key}` : key,
    value,
  ]);
  return Object.fromEntries(keys) as JsonShape;
}

const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "maxLength"],
  integer: ["minimum", "maximum"],
  number: ["minimum", "maximum"],
};

/** A part of a JSON Schema that allows several types, as a choice of parts with one each: strict validators want that. */
export function splitTypes(json: Record<string, unknown>): void {
  const { type, ...rest } = json;
  if (!Array.isArray(type)) return;
  const bound = new Set(Object.values(keywordsOf).flat());
  const anyOf = (type as readonly string[]).map((one) => ({
    type: one,
    ...Object.fromEntries(Object.entries(rest).filter(([key]) => keywordsOf[one]?.includes(key) === true)),
  }));
  for (const key of Object.keys(json)) if (key === "type" || bound.has(key)) Reflect.deleteProperty(json, key);
  json["anyOf"] = anyOf;
}

/** Gives a part of a JSON Schema the keywords back that were hidden from zod. */
export function unhide(json: Record<string, unknown>): void {
  for (const key of dropped) {
    const value = json[`x-${key}`];
    if (value === undefined) continue;
    json[key] = value;
    delete json[`x-${key}`];
  }
}

/** A map with these keys and no others. The error lists the valid keys, for the sheet to choose the nearest from. */
export function keyed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(" ");
  return z.strictObject(shape, { error: (issue) => (issue.code === "unrecognized_keys" ? keys : undefined) });
}

/** For the schema: a map that has just one of some keys, or at least one. */
export function keysOf(rule: "oneOf" | "anyOf", keys: readonly string[]): JsonShape {
  return { [rule]: keys.map((key) => having(key)) };
}

/** For the schema: a map that does not have all of some keys. */
export function notTogether(...keys: readonly string[]): JsonShape {
  return { not: having(...keys) };
}

function having(...keys: readonly string[]): JsonShape {
  return { type: "object", properties: Object.fromEntries(keys.map((key) => [key, {}])), required: keys };
}

interface Extra {
  /** What holds when the key is left out, for the schema; the code that uses the value says the same. */
  readonly default?: string | number | boolean;
}

function withDefault(extra: Extra): JsonShape {
  return extra.default === undefined ? {} : { default: extra.default };
}

const number = String.raw`[0-9]+(\.[0-9]+)?`;
/** Something of each unit, the larger first. */
const unsigned = String.raw`(?=[0-9])${["d", "h", "m", "s", "ms"].map((unit) => `(${number}${unit})?`).join("")}`;
/** How values are spelled, for patterns of the schema. */
const spelled = {
  duration: String.raw`\+?${unsigned}`,
  signedDuration: String.raw`[+-]?${unsigned}`,
  percent: String.raw`0*(100(\.0+)?|[0-9]{1,2}(\.[0-9]+)?)%`,
  anyPercent: `${number}%`,
  timestamp: String.raw`[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?Z?`,
} as const;
/** How a duration is spelled, without anchors. */
export const durationForm: string = spelled.duration;
const whole = (form: string): string => `^(${form})$`;
/** One value, or two ends of a range. */
const ranged = (form: string): string => String.raw`^(${form})(\.\.(${form}))?$`;
const scalarTypes = ["string", "number", "boolean"];

/** A span of time, in whole milliseconds. */
export function duration(
  about: string,
  { minMs, maxMs, ...extra }: Extra & { readonly minMs?: number; readonly maxMs?: number } = {},
): Field<number, string> {
  const read = readDuration({ ...(minMs !== undefined && { minMs }), ...(maxMs !== undefined && { maxMs }) });
  const signed = minMs !== undefined && minMs < 0;
  return field(read, about, {
    type: "string",
    pattern: whole(signed ? spelled.signedDuration : spelled.duration),
    examples: ["90s", "5m", "1h30m"],
    ...withDefault(extra),
  });
}

/** A list of spans of time. */
export function durations(about: string): Field<readonly number[], readonly string[]> {
  return field(listOf(readDuration()), about, oneOrMore({ type: "string", pattern: whole(spelled.duration) }));
}

/** A list, or a single item that stands for a list of one. */
function oneOrMore(items: JsonShape): JsonShape {
  return { anyOf: [items, { type: "array", items }] };
}

/** A share, 0..1. */
export function share(about: string, extra: Extra = {}): Field<number, string> {
  return field(readShare(), about, percentShape(spelled.percent, extra));
}

/** Percentage points. @param extra - `max`: default 100 */
export function percent(
  about: string,
  { max, ...extra }: Extra & { readonly max?: number } = {},
): Field<number, string> {
  return field(readPercent(max), about, percentShape(max === undefined ? spelled.percent : spelled.anyPercent, extra));
}

function percentShape(form: string, extra: Extra): JsonShape {
  return { type: "string", pattern: whole(form), examples: ["25%"], ...withDefault(extra) };
}

/** A rate, so many in a millisecond. */
export function rate(about: string, options: { readonly zero?: boolean } = {}): Field<number, string> {
  return field(readRate({ zero: options.zero === true }), about, {
    type: "string",
    pattern: String.raw`^${options.zero === true ? "" : "(?=[0-9.]*[1-9])"}${number}/[smhd]$`,
    examples: ["20/s", "300/m"],
  });
}

/** A factor, such as 2x. */
export function times(about: string): Field<number, string> {
  return field(readTimes(), about, { type: "string", pattern: `^${number}x$`, examples: ["2x", "0.5x"] });
}

/** A whole number. */
export function count(about: string, { min, max, ...extra }: Bounds & Extra): Field<number, number> {
  return field(readCount({ min, max }), about, {
    type: ["integer", "string"], // a number in quotes is one all the same
    minimum: min,
    maximum: max,
    pattern: "^[+-]?[0-9]+$",
    ...withDefault(extra),
  });
}

/** true or false. */
export function flag(about: string, extra: Extra = {}): Field<boolean, boolean> {
  return field(readFlag(), about, { enum: [true, false, "true", "false"], ...withDefault(extra) });
}

/** One of some words. */
export function word<const Word extends string>(
  words: readonly Word[],
  about: string,
  { noun, code, ...extra }: Extra & { readonly noun?: string; readonly code?: DiagnosticCode } = {},
): Field<Word, Word> {
  const read = readWord(words, { ...(noun !== undefined && { noun }), ...(code !== undefined && { code }) });
  return field(read, about, {
    // YAML and JSON Schema take 2017 for a number, wherever it stands.
    enum: words.flatMap((one) => (/^\d+$/.test(one) ? [one, Number(one)] : [one])),
    ...withDefault(extra),
  });
}

/** Text as it is spelled; may be empty. */
export function text(about: string, extra: Extra = {}): Field<string, TextInput> {
  return field(readText("a text"), about, { type: scalarTypes, ...withDefault(extra) });
}

/** Text that says something. */
export function filledText(about: string, extra: Extra = {}): Field<string, TextInput> {
  return field(readFilledText("a text"), about, { type: scalarTypes, pattern: String.raw`\S`, ...withDefault(extra) });
}

/** Text of a certain form. */
export function formed(form: RegExp, wanted: string, about: string, extra: Extra = {}): Field<string, TextInput> {
  const read: Read<string> = (value, tell) => {
    const given = readFilledText(wanted)(value, tell);
    if (given === undefined || form.test(given)) return given;
    tell({ code: "bad-value", message: `must be ${wanted}, got '${given}'` });
    return undefined;
  };
  return field(read, about, { type: scalarTypes, pattern: form.source, ...withDefault(extra) });
}

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

const selectorShape = {
  type: "string",
  pattern: String.raw`^([0-9]+(\.[0-9]+)?%\s+of\s+)?${namePattern}(/[0-9]+(\.\.[0-9]+)?)?$`,
  examples: ["clinic", "clinic/3", "clinic/0..19", "10% of clinic"],
};

/** Some handsets or people: `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`. */
export function selection(about: string): Field<Selection, string> {
  return field(readSelection(), about, selectorShape);
}

/** A phone number, or the pattern of a group's. */
export function phone(about: string): Field<PhonePattern, string> {
  return field(readPhone(), about, {
    type: ["string", "number"],
    pattern: String.raw`^\+[1-9][0-9]*(\{[0-9]+\}[0-9]*)?$`,
    examples: ["+250788000001", "+2507880{00000}"],
  });
}

/** A short code or name. */
export function sender(about: string): Field<PhonePattern, TextInput> {
  return field(readSender(), about, { type: ["string", "number"], pattern: String.raw`\S`, examples: ["MTN", "3636"] });
}

/** A `/regular expression/`, or a text that must be contained. */
export function pattern(about: string): Field<Pattern, TextInput | RegExp> {
  return field(readPattern(), about, { type: scalarTypes, examples: ["/yes|no/i", "thank you"] });
}

/** An http or https URL, or one of some words. */
export function url(
  about: string,
  { words = [], ...extra }: Extra & { readonly words?: readonly string[] } = {},
): Field<string, string> {
  return field(readUrl(words), about, {
    anyOf: [...(words.length > 0 ? [{ enum: words }] : []), { type: "string", pattern: "^[hH][tT][tT][pP][sS]?://" }],
    ...withDefault(extra),
  });
}

/** A timestamp, in milliseconds since 1970. */
export function timestamp(about: string): Field<number, string> {
  return field(readTimestamp(), about, {
    type: "string",
    pattern: whole(spelled.timestamp),
    examples: ["2026-03-04T06:00:00.000Z"],
  });
}

/** When a scenario starts. */
export function start(about: string, extra: Extra = {}): Field<number | "now", string> {
  return field(readStart(), about, {
    type: "string",
    pattern: whole(`now|${spelled.timestamp}`),
    examples: ["2026-03-04T06:00:00.000Z", "now"],
    ...withDefault(extra),
  });
}

/** A time zone. */
export function zone(about: string, extra: Extra = {}): Field<string, string> {
  return field(readZone(), about, {
    type: "string",
    pattern: "^[A-Za-z][A-Za-z0-9_+/-]*$",
    examples: ["Africa/Kigali"],
    ...withDefault(extra),
  });
}

/** A set of HTTP statuses. */
export function statuses(about: string): Field<StatusSet, string | number | readonly (string | number)[]> {
  const status = "[1-9][0-9]{2}";
  const one = {
    type: ["integer", "string"],
    minimum: 100,
    maximum: 999,
    pattern: ranged(status),
    examples: [404, "500..599"],
  };
  return field(readStatuses(), about, oneOrMore(one));
}

/** A list of words. */
export function words<const Word extends string>(
  valid: readonly Word[],
  about: string,
  options: { readonly noun: string; readonly code: DiagnosticCode },
): Field<readonly Word[], readonly Word[]> {
  return field(listOf(readWord(valid, options)), about, oneOrMore({ enum: valid }));
}
