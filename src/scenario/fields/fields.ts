import type { StatusSet } from "../../wire/index.js";
import type { PhoneOwner, PhonePattern } from "../../world/index.js";
import type { DiagnosticCode } from "../sheet/diagnostic.js";
import { type Extra, type Field, field, type JsonShape, type TextInput, withDefault } from "../sheet/field.js";
import type { Pattern } from "../scenario.js";
import { number, ranged, scalarTypes, spelled, whole } from "./spelling.js";
import { readDuration } from "./values/duration.js";
import { readStart, readTimestamp, readZone } from "./values/instant.js";
import { type Bounds, readCount } from "./values/number.js";
import { readPattern } from "./values/pattern.js";
import { readPhone, readSender } from "./values/phone.js";
import { readRate } from "./values/rate.js";
import { distinctListOf, listOf, readFilledText, readText } from "./values/scalar.js";
import { namePattern, readPeopleChoice, readSelection, type Selection } from "./values/selector.js";
import { readPercent, readShare } from "./values/share.js";
import { readStatuses } from "./values/statuses.js";
import { readTimes } from "./values/times.js";
import { readUrl } from "./values/url.js";
import { readFlag, readWord } from "./values/word.js";
import type { Read } from "../sheet/written.js";

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

const selectorShape = {
  type: "string",
  pattern: String.raw`^([0-9]+(\.[0-9]+)?%\s+of\s+)?${namePattern}(/[0-9]+(\.\.[0-9]+)?)?$`,
  examples: ["clinic", "clinic/3", "clinic/0..19", "10% of clinic"],
};

/** Some handsets or people: `clinic`, `clinic/3`, `clinic/0..19`, `10% of clinic`. */
export function selection(about: string): Field<Selection, string> {
  return field(readSelection(), about, selectorShape);
}

/** Some people, or the one with a phone number, who need not be in the cast. */
export function peopleChoice(about: string): Field<Selection | PhoneOwner, string> {
  return field(readPeopleChoice(), about, {
    anyOf: [
      selectorShape,
      { type: ["string", "number"], pattern: String.raw`^\+[1-9][0-9]{6,14}$`, examples: ["+250788000001"] },
    ],
  });
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

/** A list of different words, at least one. @param options - `hintEmpty`: what to do instead of an empty list */
export function distinctWords<const Word extends string>(
  valid: readonly Word[],
  about: string,
  options: { readonly noun: string; readonly code: DiagnosticCode; readonly hintEmpty: string },
): Field<readonly Word[], readonly Word[]> {
  const items = { enum: valid };
  return field(distinctListOf(readWord(valid, options), options.hintEmpty), about, {
    anyOf: [items, { type: "array", items, minItems: 1, uniqueItems: true }],
  });
}
