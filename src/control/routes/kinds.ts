import { InvalidValue, parseInteger, type ValueType, shorten, parseText } from "../../api/index.js";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The longest step of the clock: ten years, in milliseconds. */
const LONGEST_MS = 3650 * 86_400_000;

/** A span as scenarios spell it: `90s`, `1h30m`. Milliseconds. */
export const span: ValueType<number> = {
  schema: { type: "string", pattern: "^(\\d+(ms|s|m|h|d))+$", examples: ["10m"] },
  shape: "one",
  parse(value) {
    const text = parseText(value).trim();
    if (!/^(\d+(?:ms|s|m|h|d))+$/.test(text)) {
      throw new InvalidValue(
        `A span is a number with ms, s, m, h or d, such as 90s or 1h30m; got "${shorten(value)}".`,
      );
    }
    let spanMs = 0;
    for (const [, count, unit] of text.matchAll(/(\d+)(ms|s|m|h|d)/g))
      spanMs += Number(count) * (units[unit ?? ""] ?? 0);
    if (!(spanMs <= LONGEST_MS)) throw new InvalidValue("A span is at most ten years, 3650d.");
    return spanMs;
  },
};

/** A speed: a number, or text such as `60x`. */
export const speed: ValueType<number> = {
  schema: {
    anyOf: [
      { type: "number", exclusiveMinimum: 0, maximum: 10_000 },
      { type: "string", pattern: "^\\d+(\\.\\d+)?x?$" },
    ],
  },
  shape: "one",
  parse(value) {
    const number = typeof value === "number" ? value : Number(/^(\d+(?:\.\d+)?)x?$/.exec(parseText(value))?.[1]);
    if (!(number > 0 && number <= 10_000))
      throw new InvalidValue(`A speed is between 0 and 10,000, such as 60; got "${shorten(value)}".`);
    return number;
  },
};

/** A text of 1 to 2000 characters. */
export const words: ValueType<string> = {
  schema: { type: "string", minLength: 1, maxLength: 2000 },
  shape: "one",
  parse(value) {
    const text = parseText(value);
    if (text === "") throw new InvalidValue("This field may not be blank.");
    if (text.length > 2000) throw new InvalidValue("Ensure this field has no more than 2000 characters.");
    return text;
  },
};

/** A name that is safe in a file name. */
export const plainName: ValueType<string> = {
  schema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" },
  shape: "one",
  parse(value) {
    const text = parseText(value);
    if (!/^[A-Za-z0-9][\w-]{0,63}$/.test(text)) {
      throw new InvalidValue("A name has up to 64 letters, digits, - and _, and begins with a letter or digit.");
    }
    return text;
  },
};

/** Whole seconds, 0 to 86,400. */
export const seconds: ValueType<number> = {
  schema: { type: "integer", minimum: 0, maximum: 86_400 },
  shape: "one",
  parse(value) {
    const number = parseInteger(value);
    if (number === undefined || number < 0 || number > 86_400)
      throw new InvalidValue("Seconds are a whole number of 0 to 86400.");
    return number;
  },
};

/** Any JSON object. */
export const anyObject: ValueType<Readonly<Record<string, unknown>>> = {
  schema: { type: "object", additionalProperties: true },
  shape: "one",
  parse(value) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new InvalidValue("Must be a JSON object.");
    return value as Record<string, unknown>;
  },
};
