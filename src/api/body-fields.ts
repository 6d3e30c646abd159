import { ownValue } from "../wire/index.js";
import { type ApiRequest } from "./api-request.js";
import { InvalidValue, type FieldMessages } from "./error.js";
import { type JsonSchema, schema } from "../schema/index.js";

/** A type of value in a request body: how it is parsed, and its schema. */
export interface ValueType<T> {
  readonly schema: JsonSchema;
  /**
   * How forms spell it: one value, a repeated key, or keys in brackets (docs/reference/service-api.md#content-types).
   */
  readonly shape: "one" | "list" | "dict";
  /** Parses and validates a value. @throws InvalidValue with the message for the client */
  parse(value: unknown, request: ApiRequest): T;
}

/** A field of a request body. */
export interface RequestField<T> {
  readonly type: ValueType<unknown>;
  readonly about: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Phantom property: it carries the type of the parsed value and is never set. */
  readonly value?: T;
}

/** The fields of a request body, by name. */
export type BodyFields = Readonly<Record<string, RequestField<unknown>>>;

/** The parsed fields of a body: absent optional fields are undefined. */
export type BodyValues<F extends BodyFields> = {
  readonly [Name in keyof F]: F[Name] extends RequestField<infer T> ? T : never;
};

export function required<T>(kind: ValueType<T>, about: string): RequestField<T> {
  return { type: kind, about, isRequired: true, isNullable: false };
}

export function optional<T>(kind: ValueType<T>, about: string): RequestField<T | undefined> {
  return { type: kind, about, isRequired: false, isNullable: false };
}

/** An optional field that `null` clears. */
export function clearable<T>(kind: ValueType<T>, about: string): RequestField<T | null | undefined> {
  return { type: kind, about, isRequired: false, isNullable: true };
}

/** Items in a posted list or dictionary, at most (docs/reference/service-api.md#limits). */
export const ITEMS_MAX = 100;

/** Text, trimmed and not blank. Lengths are in code points. */
export function textType(options: { max: number; min?: number }): ValueType<string> {
  const { max, min = 1 } = options;
  return {
    schema: { type: "string", minLength: min, maxLength: max },
    shape: "one",
    parse(value) {
      const trimmed = parseText(value).trim();
      if (trimmed === "") throw new InvalidValue("This field may not be blank.");
      const length = Array.from(trimmed).length;
      if (length > max) throw new InvalidValue(`Ensure this field has no more than ${max} characters.`);
      if (length < min) throw new InvalidValue(`Ensure this field has at least ${min} characters.`);
      return trimmed;
    },
  };
}

/** A text, not trimmed. Numbers are accepted as text. @throws InvalidValue for other types */
export function parseText(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw new InvalidValue("Not a valid string.");
  return requireStorable(value);
}

/** @throws InvalidValue for text with NUL characters or lone surrogates */
export function requireStorable(value: string): string {
  if (value.includes("\0")) throw new InvalidValue("Null characters are not allowed.");
  if (!value.isWellFormed()) throw new InvalidValue("Not a valid string.");
  return value;
}

/** A whole number; text of digits and a float without fraction are accepted, too. */
export function integerType(options: { min?: number; max?: number } = {}): ValueType<number> {
  const { min = -0x8000_0000, max = 0x7fff_ffff } = options;
  return {
    schema: { type: "integer", minimum: min, maximum: max },
    shape: "one",
    parse(value) {
      const number = parseInteger(value);
      if (number === undefined) throw new InvalidValue("A valid integer is required.");
      if (number > max) throw new InvalidValue(`Ensure this value is less than or equal to ${max}.`);
      if (number < min) throw new InvalidValue(`Ensure this value is greater than or equal to ${min}.`);
      return number;
    },
  };
}

/** Parses a whole number in each spelling that clients send; undefined for anything else. */
export function parseInteger(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value !== "string" || !/^\s*[-+]?\d+(?:\.0*)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

const trueValues: ReadonlySet<unknown> = new Set([true, 1, "1", "true", "True", "TRUE", "t", "T", "yes", "y", "on"]);
const falseValues: ReadonlySet<unknown> = new Set([
  false,
  0,
  "0",
  "false",
  "False",
  "FALSE",
  "f",
  "F",
  "no",
  "n",
  "off",
]);

/** true or false; also 1 and 0, which the Python client sends, and words such as `yes` and `off`. */
export const booleanType: ValueType<boolean> = {
  schema: { type: "boolean" },
  shape: "one",
  parse(value) {
    if (trueValues.has(value)) return true;
    if (falseValues.has(value)) return false;
    throw new InvalidValue(`"${shorten(value)}" is not a valid boolean.`);
  },
};

/** One of the given words. */
export function choiceType<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  return {
    schema: schema.oneOf(words),
    shape: "one",
    parse(value) {
      const word = words.find((known) => known === value);
      if (word === undefined) throw new InvalidValue(`"${shorten(value)}" is not a valid choice.`);
      return word;
    },
  };
}

/**
 * A list; only its first invalid item is reported (docs/reference/service-api.md#error-bodies).
 *
 * @param faultOf - makes the error of an invalid item, `index` from 0; default: the error of the item's type
 */
export function listType<T>(
  item: ValueType<T>,
  faultOf: (fault: InvalidValue, index: number, request: ApiRequest) => InvalidValue = (fault) => fault,
): ValueType<T[]> {
  return {
    schema: { ...schema.arrayOf(item.schema), maxItems: ITEMS_MAX },
    shape: "list",
    parse(value, request) {
      if (!Array.isArray(value))
        throw new InvalidValue(`Expected a list of items but got type "${pythonTypeName(value)}".`);
      if (value.length > ITEMS_MAX) throw new InvalidValue(`At most ${ITEMS_MAX} items are allowed here.`);
      return value.map((one, index) => {
        try {
          if (one === null) throw new InvalidValue("This field may not be null.");
          return item.parse(one, request);
        } catch (error) {
          throw error instanceof InvalidValue ? faultOf(error, index, request) : error;
        }
      });
    },
  };
}

/** A dictionary of any values by name. */
export function dictionaryType(valueSchema: JsonSchema): ValueType<Map<string, unknown>> {
  return {
    schema: { type: "object", additionalProperties: valueSchema, maxProperties: ITEMS_MAX },
    shape: "dict",
    parse(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new InvalidValue(`Expected a dictionary of items but got type "${pythonTypeName(value)}".`);
      }
      const entries = Object.entries(value);
      if (entries.length > ITEMS_MAX) throw new InvalidValue(`At most ${ITEMS_MAX} items are allowed here.`);
      for (const [key] of entries) requireStorable(key);
      return new Map(entries);
    },
  };
}

/** A value for an error message, cut at 100 characters. */
export function shorten(value: unknown): string {
  const words = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return words.length > 100 ? `${words.slice(0, 100)}…` : words;
}

/** The name of a value's type in Python, which the real system's messages contain. */
export function pythonTypeName(value: unknown): string {
  if (value === null) return "NoneType";
  if (Array.isArray(value)) return "list";
  switch (typeof value) {
    case "string":
      return "str";
    case "number":
      return Number.isInteger(value) ? "int" : "float";
    case "boolean":
      return "bool";
    default:
      return "dict";
  }
}

/** Parses the fields of a body and reports all errors together; unknown fields are ignored. */
export function parseFields<F extends BodyFields>(
  fields: F,
  body: Readonly<Record<string, unknown>>,
  request: ApiRequest,
): { readonly values: BodyValues<F> } | { readonly errors: Record<string, FieldMessages> } {
  const values: Record<string, unknown> = {};
  const errors: Record<string, FieldMessages> = {};
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    try {
      values[name] = parseField(field, ownValue(body, name), request);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[name] = error.messages;
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { values: values as BodyValues<F> };
}

function parseField(field: RequestField<unknown>, value: unknown, request: ApiRequest): unknown {
  if (value === undefined) {
    if (field.isRequired) throw new InvalidValue("This field is required.");
    return undefined;
  }
  if (value !== null) return field.type.parse(value, request);
  if (!field.isNullable) throw new InvalidValue("This field may not be null.");
  return null;
}
