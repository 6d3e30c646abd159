import * as z from "zod";
import type { StatusSet } from "../../wire/index.js";
import type { PhoneOwner, PhonePattern } from "../../world/index.js";
import type { Pattern } from "../scenario.js";
import type { DiagnosticCode } from "../sheet/diagnostic.js";
import { type Field, field, oneOrMore, type TextInput, textShape } from "../sheet/field.js";
import type { Read } from "../sheet/raw-value.js";
import { number, ranged, spelled, whole } from "./spelling.js";
import { readDuration } from "./values/duration.js";
import { readStart, readTimestamp, readZone } from "./values/instant.js";
import { type Bounds, readCount } from "./values/number.js";
import { readPattern } from "./values/pattern.js";
import { readPhone, readPhoneOrWithheld, readSender } from "./values/phone.js";
import { readRate } from "./values/rate.js";
import { distinctListOf, listOf, readFilledText, readText } from "./values/scalar.js";
import { namePattern, readPeopleChoice, readSelection, type Selection } from "./values/selector.js";
import { readPercent, readShare } from "./values/share.js";
import { readStatuses } from "./values/statuses.js";
import { readTimes } from "./values/times.js";
import { readUrl, urlPattern } from "./values/url.js";
import { readFlag, readWord } from "./values/word.js";

/** The schema of a text that matches a pattern, with examples for editors. */
export function formShape(pattern: RegExp | string, ...examples: readonly string[]): z.ZodString {
  const shape = z.string().regex(new RegExp(pattern));
  return examples.length === 0 ? shape : shape.meta({ examples });
}

/** The schema of a text that matches a pattern, or of a number, because YAML reads some of these texts as numbers. */
export function numericShape(pattern: string, ...examples: readonly string[]) {
  return z.union([formShape(pattern), z.number()]).meta({ examples });
}

/** A duration, in whole milliseconds. */
export function duration(
  about: string,
  bounds: { readonly minMs?: number; readonly maxMs?: number } = {},
): Field<number, string> {
  const form = (bounds.minMs ?? 0) < 0 ? spelled.signedDuration : spelled.duration;
  return field(formShape(whole(form), "90s", "5m", "1h30m"), readDuration(bounds), about);
}

/** A list of durations. */
export function durations(about: string): Field<readonly number[], readonly string[]> {
  return field(oneOrMore(formShape(whole(spelled.duration))), listOf(readDuration()), about);
}

/** A share, 0..1. */
export function share(about: string): Field<number, string> {
  return field(formShape(whole(spelled.percent), "25%"), readShare(), about);
}

/** Percentage points. @param options - `max`: default 100 */
export function percent(about: string, { max }: { readonly max?: number } = {}): Field<number, string> {
  const form = max === undefined ? spelled.percent : spelled.anyPercent;
  return field(formShape(whole(form), "25%"), readPercent(max), about);
}

/** A rate, in arrivals per millisecond. */
export function rate(about: string, { zero = false }: { readonly zero?: boolean } = {}): Field<number, string> {
  const form = String.raw`^${zero ? "" : "(?=[0-9.]*[1-9])"}${number}/[smhd]$`;
  return field(formShape(form, "20/s", "300/m"), readRate({ zero }), about);
}

/** How much a network carries, `20/s` or `unlimited`: texts per millisecond, or Infinity. */
export function capacity(about: string): Field<number, string> {
  const form = `^(unlimited|(?=[0-9.]*[1-9])${number}/[smhd])$`;
  return field(formShape(form, "20/s", "unlimited"), orInfinity("unlimited", readRate({ zero: false })), about);
}

/** A duration after which something ends, `2d` or `never`: milliseconds, or Infinity. */
export function expiry(about: string): Field<number, string> {
  const form = `^(never|${spelled.duration})$`;
  return field(formShape(form, "2d", "never"), orInfinity("never", readDuration({ minMs: 1 })), about);
}

function orInfinity(word: string, read: Read<number>): Read<number> {
  return (value, report) => (value === word ? Infinity : read(value, report));
}

/** A factor, such as 2x. */
export function times(about: string): Field<number, string> {
  return field(formShape(`^${number}x$`, "2x", "0.5x"), readTimes(), about);
}

/** A whole number; one in quotes is a number too. */
export function count(about: string, { min, max }: Bounds): Field<number, number> {
  const shape = z.union([z.int().min(min).max(max), formShape("^[+-]?[0-9]+$")]);
  return field(shape, readCount({ min, max }), about);
}

/** true or false. */
export function flag(about: string): Field<boolean, boolean> {
  return field(z.literal([true, false, "true", "false"]), readFlag(), about);
}

/** One of some words. */
export function word<const Word extends string>(
  words: readonly Word[],
  about: string,
  options: { readonly noun?: string; readonly code?: DiagnosticCode } = {},
): Field<Word, Word> {
  // YAML and JSON Schema treat 2017 as a number.
  const spellings = words.flatMap((one) => (/^\d+$/.test(one) ? [one, Number(one)] : [one]));
  return field(z.literal(spellings), readWord(words, options), about);
}

/** Text as it is spelled; may be empty. */
export function text(about: string): Field<string, TextInput> {
  return field(textShape, readText("a text"), about);
}

/** The schema of a text that matches a pattern; YAML's numbers and flags are taken as spelled. */
export function spelledShape(form: RegExp) {
  return z.union([z.string().regex(form), z.number(), z.boolean()]);
}

/** Text that is more than white space. */
export function filledText(about: string): Field<string, TextInput> {
  return field(spelledShape(/\S/), readFilledText("a text"), about);
}

/** A text that matches a pattern. */
export function formed(form: RegExp, wanted: string, about: string): Field<string, TextInput> {
  const read: Read<string> = (value, report) => {
    const given = readFilledText(wanted)(value, report);
    if (given === undefined || form.test(given)) return given;
    report({ code: "bad-value", message: `must be ${wanted}, got '${given}'` });
    return undefined;
  };
  return field(spelledShape(form), read, about);
}

const oneGroupShape = formShape(
  String.raw`^([0-9]+(\.[0-9]+)?%\s+of\s+)?${namePattern}(/[0-9]+(\.\.[0-9]+)?)?(\s+each\s+time)?$`,
  "clinic",
  "clinic/3",
  "clinic/0..19",
  "10% of clinic",
  "10% of clinic each time",
  "all",
);
const selectorShape = z.union([oneGroupShape, z.array(oneGroupShape).min(1)]);

/** What the typed builder takes for a selector. */
type SelectorInput = string | readonly string[];

/** Some handsets or people: `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`, `all`; or a list of them. */
export function selection(about: string): Field<Selection, SelectorInput> {
  return field(selectorShape, readSelection(), about);
}

/** Some people, or the owner of a phone number, who may be outside the cast. */
export function peopleChoice(about: string): Field<Selection | PhoneOwner, SelectorInput> {
  const phoneShape = numericShape(String.raw`^\+[1-9][0-9]{6,14}$`, "+250788000001");
  return field(z.union([selectorShape, phoneShape]), readPeopleChoice(), about);
}

/** A phone number, or the pattern of a group's numbers. */
export function phone(about: string): Field<PhonePattern, string> {
  const form = String.raw`^\+[1-9][0-9]*(\{[0-9]+\}[0-9]*)?$`;
  return field(numericShape(form, "+250788000001", "+2507880{00000}"), readPhone(), about);
}

/** As `phone`, or `withheld`: no number. */
export function phoneOrWithheld(about: string): Field<PhonePattern, string> {
  const form = String.raw`^(withheld|\+[1-9][0-9]*(\{[0-9]+\}[0-9]*)?)$`;
  return field(numericShape(form, "+250788000001", "+2507880{00000}", "withheld"), readPhoneOrWithheld(), about);
}

/** A short code or name; empty: none. */
export function sender(about: string): Field<PhonePattern, TextInput> {
  return field(numericShape(String.raw`^\s*$|\S`, "MTN", "3636"), readSender(), about);
}

/** A `/regular expression/`, or a text that must be contained. */
export function pattern(about: string): Field<Pattern, TextInput | RegExp> {
  return field(textShape.meta({ examples: ["/yes|no/i", "thank you"] }), readPattern(), about);
}

/** An http or https URL, or one of some words. */
export function url(about: string, { words = [] }: { readonly words?: readonly string[] } = {}): Field<string, string> {
  const address = formShape(urlPattern);
  return field(words.length === 0 ? address : z.union([z.literal(words), address]), readUrl(words), about);
}

/** A timestamp, in milliseconds since 1970. */
export function timestamp(about: string): Field<number, string> {
  return field(formShape(whole(spelled.timestamp), "2026-03-04T06:00:00.000Z"), readTimestamp(), about);
}

/** When a scenario starts. */
export function start(about: string): Field<number | "now", string> {
  return field(formShape(whole(`now|${spelled.timestamp}`), "2026-03-04T06:00:00.000Z", "now"), readStart(), about);
}

/** A time zone. */
export function zone(about: string): Field<string, string> {
  return field(formShape("^[A-Za-z][A-Za-z0-9_+/-]*$", "Africa/Kigali"), readZone(), about);
}

/** A set of HTTP statuses. */
export function statuses(about: string): Field<StatusSet, string | number | readonly (string | number)[]> {
  const one = z.union([z.int().min(100).max(999), formShape(ranged("[1-9][0-9]{2}"))]);
  return field(oneOrMore(one.meta({ examples: [404, "500..599"] })), readStatuses(), about);
}

/** A list of words. */
export function words<const Word extends string>(
  valid: readonly Word[],
  about: string,
  options: { readonly noun: string; readonly code: DiagnosticCode },
): Field<readonly Word[], readonly Word[]> {
  return field(oneOrMore(z.literal(valid)), listOf(readWord(valid, options)), about);
}

/** A list of different words, at least one. @param options - `hintEmpty`: what to do instead of an empty list */
export function distinctWords<const Word extends string>(
  valid: readonly Word[],
  about: string,
  options: { readonly noun: string; readonly code: DiagnosticCode; readonly hintEmpty: string },
): Field<readonly Word[], readonly Word[]> {
  const item = z.literal(valid);
  const shape = z.union([item, z.array(item).min(1).meta({ uniqueItems: true })]);
  return field(shape, distinctListOf(readWord(valid, options), options.hintEmpty), about);
}
