import * as z from "zod";
import { type Distribution, lowerBound } from "../../sim/index.js";
import { type Field, field, type TextInput, textShape } from "../sheet/field.js";
import type { Read } from "../sheet/raw-value.js";
import { number, ranged, spelled, whole } from "./spelling.js";
import { fakeLocale, fakePath, readDistribution } from "./values/distribution.js";
import { longestSkewMs, readDuration } from "./values/duration.js";
import { type Recurrence, readRecurrence, weekdaySpelling } from "./values/weekday.js";
import { clockSpelling, readMoment, readMoments, type StoryClock } from "./values/moment.js";
import { readText } from "./values/scalar.js";
import { readPercent } from "./values/share.js";
import { readWord } from "./values/word.js";

/** A distribution in the typed builder: a plain value, a range `5m..40m`, a list of equally likely ones, or a form. */
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

/** The forms that text and numbers share. @param plain - a value that does not vary; nested ones have no schema */
function choiceShapes(plain: z.ZodType, weightedKey: z.ZodString): z.ZodType[] {
  const choices = z
    .array(z.union([plain, z.looseObject({}), z.array(z.unknown())]))
    .min(1)
    .describe("Each item is as likely as any other.");
  const weight = z.union([z.number().min(0), z.string().regex(new RegExp(whole(number)))]);
  const weighted = z.record(weightedKey, weight).meta({ minProperties: 1, description: "Values and their weights." });
  const csv = z.string().describe("A file beside the scenario; each row is as likely as any other.");
  const column = z.string().describe("The column of the file; default: its first one.").optional();
  return [choices, z.strictObject({ pick: choices }), z.strictObject({ weighted }), z.strictObject({ csv, column })];
}

/** A distribution of texts. */
export function texts(about: string): Field<Distribution<string>, VaryingInput> {
  const fake = z
    .string()
    .regex(fakePath)
    .meta({ description: "A method of faker.", examples: ["lorem.sentence", "person.firstName"] });
  const locale = z
    .string()
    .regex(fakeLocale)
    .meta({ examples: ["fr", "ar", "ja"] });
  const shape = z.union([
    textShape,
    ...choiceShapes(textShape, z.string()),
    z.strictObject({ fake, locale: locale.prefault("en") }),
  ]);
  return field(shape, readTexts(), about);
}

/** Reads what `texts` accepts. */
export function readTexts(): Read<Distribution<string>> {
  return readDistribution({ read: readText("a text"), of: "text", noun: "a text" });
}

/** A distribution of some words. */
export function varyingWord<const Word extends string>(
  words: readonly Word[],
  about: string,
): Field<Distribution<Word>, Word | VaryingInput<string>> {
  const plain = z.literal(words);
  const shape = z.union([plain, ...choiceShapes(plain, z.string())]);
  const read = readDistribution<Word>({ read: readWord(words), of: "word", noun: words.join(" or ") });
  return field(shape, read, about);
}

/** The schema of a distribution of numbers. @param form - the pattern of one number; `examples` include a range */
function numberShape(form: string, examples: readonly string[]) {
  const plain = z.string().regex(new RegExp(ranged(form)));
  const moments = z.array(plain).length(2).describe("Mean and deviation.");
  return z.union([
    plain.meta({ examples }),
    ...choiceShapes(plain, plain),
    z.strictObject({ exp: plain.describe("Mean.") }),
    z.strictObject({ normal: moments }),
    z.strictObject({ lognormal: moments }),
  ]);
}

/** One moment of a story, read as milliseconds from the start. */
export function moment(about: string, clock: StoryClock): Field<number, string> {
  const form = z.string().regex(new RegExp(whole(momentSpelling)));
  return field(form.meta({ examples: ["30d", "19:30", "2026-03-31T00:00:00Z"] }), readMoment(clock), about);
}

/** When a step recurs: `1d`, `monday`, `monday..friday`, `[mon, wed, fri]`. */
export function recurrence(about: string): Field<Recurrence, string | readonly string[]> {
  const days = z.string().regex(new RegExp(ranged(weekdaySpelling)));
  const one = z.string().regex(new RegExp(`${whole(spelled.duration)}|${ranged(weekdaySpelling)}`));
  const shape = z.union([one.meta({ examples: ["1d", "monday", "monday..friday"] }), z.array(days).min(1)]);
  return field(shape, readRecurrence(), about);
}

const momentSpelling = `${spelled.duration}|${clockSpelling}|${spelled.timestamp}`;

/** A distribution of moments of a story, in milliseconds from the start. */
export function moments(about: string, clock: StoryClock): Field<Distribution<number>, VaryingInput<string>> {
  const examples = ["1h30m", "19:30", "day 2 07:00", "monday 07:00", "2026-03-05T07:00:00Z", "1h..2h"];
  return field(numberShape(momentSpelling, examples), readMoments(clock), about);
}

/** A distribution of durations, in milliseconds. With `signed` they may be negative, and are bounded. */
export function span(
  about: string,
  { signed = false }: { readonly signed?: boolean } = {},
): Field<Distribution<number>, VaryingInput<string>> {
  return field(spanShape(signed), readSpan({ signed }), about);
}

/** Reads what `span` accepts. */
export function readSpan({ signed = false }: { readonly signed?: boolean } = {}): Read<Distribution<number>> {
  const read = readDuration(signed ? { minMs: -longestSkewMs, maxMs: longestSkewMs } : {});
  return readDistribution({ read, of: "number", signed, noun: "a duration" });
}

function spanShape(signed: boolean) {
  return numberShape(signed ? spelled.signedDuration : spelled.duration, ["5m", "5m..40m"]);
}

/** A distribution of percentages. */
export function percents(about: string): Field<Distribution<number>, VaryingInput<string>> {
  return field(percentShape(), readPercents(), about);
}

/** Reads what `percents` accepts. */
export function readPercents(): Read<Distribution<number>> {
  return readDistribution({ read: readPercent(), of: "number", noun: "a percentage" });
}

function percentShape() {
  return numberShape(spelled.percent, ["55%", "55%..100%"]);
}

/** Accepts what `span` accepts; its value is the shortest duration that can be drawn. See `varying-arguments.ts`. */
export function leastSpan(
  about: string,
  { signed = false }: { readonly signed?: boolean } = {},
): Field<number, VaryingInput<string>> {
  return field(spanShape(signed), least(readSpan({ signed })), about);
}

/** Accepts what `percents` accepts; its value is the least percentage that can be drawn. See `varying-arguments.ts`. */
export function leastPercent(about: string): Field<number, VaryingInput<string>> {
  return field(percentShape(), least(readPercents()), about);
}

function least(read: Read<Distribution<number>>): Read<number> {
  return (value, report) => {
    const values = read(value, report);
    return values && lowerBound(values);
  };
}
