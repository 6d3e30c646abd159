import {
  DateTimeValue,
  Decimal,
  type Environment,
  toDateTime,
  toNumber,
  toText,
  type Value,
} from "../../expression/index.js";
import { type Chance, textOfPattern } from "./pattern-text.js";

/** The inputs from which texts for a test are made. */
export interface TestTexts extends Chance {
  readonly environment: Environment;
  /** The test's name. */
  readonly test: string;
  /** Its arguments, evaluated. */
  readonly args: readonly Value[];
  /** Names of places that people may write, for tests of locations. */
  readonly places: readonly string[];
}

const words = ["hello", "yes please", "I think so", "good morning", "maybe tomorrow", "thank you", "no idea", "fine"];

/**
 * Texts that a test probably accepts, best first. They are proposals: an earlier case may match first, so the caller
 * routes each one to check. Empty when no text can satisfy the test.
 */
export function textsFor(source: TestTexts): readonly string[] {
  const { test, args, environment } = source;
  const [first = null, second = null] = args;
  const argument = textOf(environment, first);
  switch (test) {
    case "has_text":
    case "has_value":
      return [pick(source, words), ...words];
    case "has_any_word":
      return shuffled(
        source,
        argument.split(/\s+/).filter((word) => word !== ""),
      );
    case "has_all_words":
    case "has_only_phrase":
    case "has_only_text":
    case "has_category":
      return [argument];
    case "has_phrase":
      return [argument, `I say ${argument}`];
    case "has_beginning":
      return [argument.trim(), `${argument.trim()} and more`];
    case "has_pattern": {
      const made = [0, 1, 2, 3].flatMap(() => textOfPattern(argument, source) ?? []);
      return [...made, ...words, "1", "12", "123", "a", "A1"];
    }
    case "has_number":
      return [String(whole(source, 1, 100))];
    case "has_number_eq":
    case "has_number_lte":
    case "has_number_gte":
    case "has_number_lt":
    case "has_number_gt":
      return numbersFor(source, toNumber(environment, first));
    case "has_number_between":
      return numbersBetween(source, toNumber(environment, first), toNumber(environment, second));
    case "has_date":
    case "has_date_lt":
    case "has_date_eq":
    case "has_date_gt":
      return datesFor(source, first);
    case "has_time":
      return [`${whole(source, 6, 21)}:${String(whole(source, 0, 59)).padStart(2, "0")}`];
    case "has_phone":
      return phonesFor(textOf(environment, first) || (environment.defaultCountry ?? ""));
    case "has_email":
      return ["ann@example.org"];
    case "has_state":
    case "has_district":
    case "has_ward":
      return shuffled(source, source.places);
    default:
      return [];
  }
}

/** Texts that hardly any test accepts. */
export function nonsense(chance: Chance): readonly string[] {
  return shuffled(chance, ["xqzt", "???", "blah blah blah", "hmmm 🙂", "999999999", "-1", "qwerty uiop", "i dont no"]);
}

function numbersFor({ test, ...source }: TestTexts, bound: unknown): readonly string[] {
  if (!(bound instanceof Decimal)) return [];
  const near = (steps: number): string => bound.plus(steps).toFixed();
  const drawn = source.random();
  const far = 2 + Math.floor(drawn * 19);
  const [below, above] = [numbersBelow(bound, drawn), numbersAbove(bound, drawn)];
  if (test === "has_number_lt") return [...below, near(-far), near(-1), bound.minus("0.5").toFixed(), near(-1000)];
  if (test === "has_number_gt") return [...above, near(far), near(1), bound.plus("0.5").toFixed(), near(1000)];
  if (test === "has_number_lte") return [...below, near(-far), near(0), near(-1), near(-1000)];
  if (test === "has_number_gte") return [...above, near(far), near(0), near(1), near(1000)];
  return [near(0)];
}

/** The smallest range in which people prefer some numbers: for an age below 120 they do not answer 119. */
const WIDE_SPAN = 30;

/**
 * A place in a span from 0, below 1. In a wide span it is triangular with its mode at 0.3: people are 20 to 60, have few
 * acres and many goats.
 */
function likely(drawn: number, span: number): number {
  if (span < WIDE_SPAN) return drawn;
  const mode = 0.3;
  return drawn < mode ? Math.sqrt(drawn * mode) : 1 - Math.sqrt((1 - drawn) * (1 - mode));
}

/** Whole numbers below a bound: a likely one, then one of the upper half, because earlier tests may have lower bounds. */
function numbersBelow(bound: Decimal, drawn: number): readonly string[] {
  if (bound.lessThan(WIDE_SPAN)) return [];
  return [likely(drawn, WIDE_SPAN), 0.5 + 0.4 * drawn].map((part) => bound.times(part).floor().toFixed());
}

/** A whole number above a bound, at most twice as large. */
function numbersAbove(bound: Decimal, drawn: number): readonly string[] {
  const span = Decimal.max(20, bound.abs());
  return [bound.plus(1).plus(span.times(drawn)).floor().toFixed()];
}

function numbersBetween(chance: Chance, low: unknown, high: unknown): readonly string[] {
  if (!(low instanceof Decimal) || !(high instanceof Decimal) || low.greaterThan(high)) return [];
  const first = low.ceil();
  const span = high.floor().minus(first).toNumber();
  const drawn = span < 0 ? [] : [first.plus(Math.floor(likely(chance.random(), span) * (span + 1))).toFixed()];
  return [...drawn, low.toFixed(), high.toFixed(), low.plus(high).dividedBy(2).toFixed()];
}

/** Days around the argument, or around today. */
function datesFor(source: TestTexts, argument: Value): readonly string[] {
  const { environment, test } = source;
  const bound = test === "has_date" ? environment.now() : toDateTime(environment, argument);
  if (!(bound instanceof DateTimeValue)) return [];
  const days = 1 + Math.floor(source.random() * 20);
  const steps = test === "has_date_lt" ? [-days, -1, -400] : test === "has_date_gt" ? [days, 1, 400] : [0];
  return steps.map((step) => dateText(environment, bound.epochMs + step * 86_400_000));
}

function dateText({ dateFormat, timezone }: Environment, epochMs: number): string {
  const { year, month, day } = new DateTimeValue(epochMs, 0, timezone).date;
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(year),
    MM: String(month).padStart(2, "0"),
    DD: String(day).padStart(2, "0"),
  };
  return dateFormat.replace(/YYYY|MM|DD/g, (part) => parts[part] ?? part);
}

/** A valid phone number of the country, if the table below has one. */
function phonesFor(country: string): readonly string[] {
  const known: Readonly<Record<string, string>> = {
    RW: "+250788123456",
    KE: "+254712345678",
    UG: "+256772123456",
    NG: "+2348021234567",
    US: "+12065550142",
    GB: "+447400123456",
    IN: "+918123456789",
    BR: "+5511961234567",
  };
  return [...(known[country.toUpperCase()] === undefined ? [] : [known[country.toUpperCase()] ?? ""]), "+12065550142"];
}

function textOf(environment: Environment, value: Value): string {
  const text = toText(environment, value);
  return typeof text === "string" ? text : "";
}

function whole(chance: Chance, least: number, most: number): number {
  return least + Math.floor(chance.random() * (most - least + 1));
}

function pick(chance: Chance, list: readonly string[]): string {
  return list[Math.floor(chance.random() * list.length)] ?? "";
}

function shuffled(chance: Chance, list: readonly string[]): readonly string[] {
  return list
    .map((item) => ({ item, order: chance.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
