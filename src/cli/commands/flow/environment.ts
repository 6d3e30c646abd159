import {
  ArrayValue,
  type DateFormat,
  DateTimeValue,
  defaultNumberFormat,
  type Environment,
  ErrorValue,
  ObjectValue,
  toDateTime,
  type Value,
} from "../../../expression/index.js";
import { isTimezone, readIsoTime } from "../../../wire/index.js";

const dateFormats: readonly DateFormat[] = ["YYYY-MM-DD", "DD-MM-YYYY", "MM-DD-YYYY"];
const timeFormats: readonly string[] = ["tt:mm", "tt:mm:ss", "h:mm aa", "hh:mm aa", "h:mm:ss aa", "hh:mm:ss aa"];

/**
 * The environment of a line: its keys `environment` and `now`, with defaults for those that are missing.
 *
 * @param clock - now, unless the line says it
 * @throws Error when a value is invalid
 */
export function readEnvironment(line: ObjectValue, clock: DateTimeValue): Environment {
  const settings = line.get("environment") ?? new ObjectValue({});
  if (!(settings instanceof ObjectValue)) throw new Error("'environment' must be an object");
  const country = settings.get("default_country");
  const environment = {
    timezone: oneOf(settings, "timezone", "UTC", isTimezone),
    dateFormat: oneOf(settings, "date_format", "YYYY-MM-DD", (text) => dateFormats.some((each) => each === text)),
    timeFormat: oneOf(settings, "time_format", "tt:mm", (text) => timeFormats.includes(text)),
    allowedLanguages: languagesIn(settings.get("allowed_languages") ?? null),
    defaultCountry: typeof country === "string" && country !== "" ? country : undefined,
    numberFormat: numberFormatIn(settings.get("number_format") ?? null),
    random: Math.random,
  };
  const base = { ...environment, dateFormat: environment.dateFormat as DateFormat, now: () => clock };
  const now = nowIn(base, line.get("now") ?? null);
  return now === undefined ? base : { ...base, now: () => now };
}

function oneOf(settings: ObjectValue, key: string, otherwise: string, isValid: (text: string) => boolean): string {
  const value = settings.get(key) ?? otherwise;
  if (typeof value === "string" && isValid(value)) return value;
  throw new Error(`'${key}' is not valid: ${JSON.stringify(value)}`);
}

function languagesIn(value: Value): readonly string[] {
  if (value === null) return [];
  const languages = value instanceof ArrayValue ? value.items.filter((item) => typeof item === "string") : undefined;
  if (languages === undefined) throw new Error("'allowed_languages' must be an array of texts");
  return languages;
}

function numberFormatIn(value: Value): Environment["numberFormat"] {
  if (!(value instanceof ObjectValue)) return defaultNumberFormat;
  const symbol = (key: string, otherwise: string): string => {
    const text = value.get(key);
    return typeof text === "string" ? text : otherwise;
  };
  return {
    decimal: symbol("decimal_symbol", defaultNumberFormat.decimal),
    grouping: symbol("digit_grouping_symbol", defaultNumberFormat.grouping),
  };
}

/** A time without an offset is a local one; in a template it would be a date only. */
function nowIn(environment: Environment, value: Value): DateTimeValue | undefined {
  if (value === null) return undefined;
  const time = typeof value === "string" ? readIsoTime(value) : undefined;
  if (time !== undefined && time.offsetMs === undefined) {
    return DateTimeValue.fromLocal(time.localMs, Math.round(time.fractionMs * 1000) * 1000, environment.timezone);
  }
  const now = toDateTime(environment, value);
  if (now instanceof ErrorValue) throw new Error("'now' must be a datetime in ISO 8601");
  return now;
}
