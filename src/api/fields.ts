import { type Call } from "./call.js";
import { Fault, type FieldMessages } from "./error.js";
import * as schema from "./schema.js";
import type { JsonSchema } from "./schema.js";

/** A kind of value that a request body can hold: how it is read, and its schema. */
export interface Kind<T> {
  readonly schema: JsonSchema;
  /** How forms spell it: one value, a repeated key, or keys in brackets (service-api.md 1.4). */
  readonly shape: "one" | "list" | "dict";
  /**
   * Reads what came.
   *
   * @throws Fault with the words for the client
   */
  read(value: unknown, call: Call): T;
}

/** A named value of a request body. */
export interface Field<T> {
  readonly kind: Kind<unknown>;
  readonly about: string;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Never set: it carries the type of the value. */
  readonly value?: T;
}

/** The fields of a request body, by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What is read from a body: absent optional fields are undefined. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never;
};

export function required<T>(kind: Kind<T>, about: string): Field<T> {
  return { kind, about, isRequired: true, isNullable: false };
}

export function optional<T>(kind: Kind<T>, about: string): Field<T | undefined> {
  return { kind, about, isRequired: false, isNullable: false };
}

/** An optional field that `null` clears. */
export function clearable<T>(kind: Kind<T>, about: string): Field<T | null | undefined> {
  return { kind, about, isRequired: false, isNullable: true };
}

/** Items in a posted list or dictionary, at most (service-api.md 1.14). */
export const ITEMS_MAX = 100;

/** Words, without space around them; never blank. Lengths are in code points. */
export function text(options: { max: number; min?: number }): Kind<string> {
  const { max, min = 1 } = options;
  return {
    schema: { type: "string", minLength: min, maxLength: max },
    shape: "one",
    read(value) {
      const trimmed = textOf(value).trim();
      if (trimmed === "") throw new Fault("This field may not be blank.");
      const length = Array.from(trimmed).length;
      if (length > max) throw new Fault(`Ensure this field has no more than ${max} characters.`);
      if (length < min) throw new Fault(`Ensure this field has at least ${min} characters.`);
      return trimmed;
    },
  };
}

/** A text as it came: numbers count as text, nothing else does. */
export function textOf(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") throw new Fault("Not a valid string.");
  return wellFormed(value);
}

/** @throws Fault for text that no database and no other system would keep */
export function wellFormed(value: string): string {
  if (value.includes("\0")) throw new Fault("Null characters are not allowed.");
  if (!value.isWellFormed()) throw new Fault("Not a valid string.");
  return value;
}

/** A whole number; a text of digits and a float without fraction are taken, too. */
export function integer(options: { min?: number; max?: number } = {}): Kind<number> {
  const { min = -0x8000_0000, max = 0x7fff_ffff } = options;
  return {
    schema: { type: "integer", minimum: min, maximum: max },
    shape: "one",
    read(value) {
      const number = integerOf(value);
      if (number === undefined) throw new Fault("A valid integer is required.");
      if (number > max) throw new Fault(`Ensure this value is less than or equal to ${max}.`);
      if (number < min) throw new Fault(`Ensure this value is greater than or equal to ${min}.`);
      return number;
    },
  };
}

/** A whole number in any of the ways in which clients write it; undefined when it is none. */
export function integerOf(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value !== "string" || !/^\s*[-+]?\d+(?:\.0*)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

const truths: ReadonlySet<unknown> = new Set([true, 1, "1", "true", "True", "TRUE", "t", "T", "yes", "y", "on"]);
const untruths: ReadonlySet<unknown> = new Set([false, 0, "0", "false", "False", "FALSE", "f", "F", "no", "n", "off"]);

/** true or false; 1 and 0 as the Python client sends them, and the words. */
export const boolean: Kind<boolean> = {
  schema: { type: "boolean" },
  shape: "one",
  read(value) {
    if (truths.has(value)) return true;
    if (untruths.has(value)) return false;
    throw new Fault(`"${shown(value)}" is not a valid boolean.`);
  },
};

/** One of a few words. */
export function choice<const Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    schema: schema.oneOf(words),
    shape: "one",
    read(value) {
      const word = words.find((known) => known === value);
      if (word === undefined) throw new Fault(`"${shown(value)}" is not a valid choice.`);
      return word;
    },
  };
}

/**
 * A list; the first bad item is told (service-api.md 1.6).
 *
 * @param faultOf - what is told of a bad item, `index` from 0; default: what its own kind tells
 */
export function list<T>(
  item: Kind<T>,
  faultOf: (fault: Fault, index: number, call: Call) => Fault = (fault) => fault,
): Kind<T[]> {
  return {
    schema: { ...schema.arrayOf(item.schema), maxItems: ITEMS_MAX },
    shape: "list",
    read(value, call) {
      if (!Array.isArray(value)) throw new Fault(`Expected a list of items but got type "${typeName(value)}".`);
      if (value.length > ITEMS_MAX) throw new Fault(`At most ${ITEMS_MAX} items are allowed here.`);
      return value.map((one, index) => {
        try {
          if (one === null) throw new Fault("This field may not be null.");
          return item.read(one, call);
        } catch (error) {
          throw error instanceof Fault ? faultOf(error, index, call) : error;
        }
      });
    },
  };
}

/** A dictionary of any values by name. */
export function dictionary(valueSchema: JsonSchema): Kind<Map<string, unknown>> {
  return {
    schema: { type: "object", additionalProperties: valueSchema, maxProperties: ITEMS_MAX },
    shape: "dict",
    read(value) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        throw new Fault(`Expected a dictionary of items but got type "${typeName(value)}".`);
      }
      const entries = Object.entries(value);
      if (entries.length > ITEMS_MAX) throw new Fault(`At most ${ITEMS_MAX} items are allowed here.`);
      for (const [key] of entries) wellFormed(key);
      return new Map(entries);
    },
  };
}

/** A value in a message to the client, not too long of it. */
export function shown(value: unknown): string {
  const words = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return words.length > 100 ? `${words.slice(0, 100)}…` : words;
}

/** The name of a type as the real system, which is written in Python, says it. */
export function typeName(value: unknown): string {
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

/** Reads a body by its fields; what is not among them is ignored. All that is wrong is told together. */
export function readFields<F extends Fields>(
  fields: F,
  body: Readonly<Record<string, unknown>>,
  call: Call,
): { readonly values: Values<F> } | { readonly errors: Record<string, FieldMessages> } {
  const values: Record<string, unknown> = {};
  const errors: Record<string, FieldMessages> = {};
  for (const name of Object.keys(fields)) {
    const field = fields[name];
    if (field === undefined) continue;
    try {
      values[name] = readField(field, Object.hasOwn(body, name) ? body[name] : undefined, call);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      errors[name] = error.messages;
    }
  }
  return Object.keys(errors).length > 0 ? { errors } : { values: values as Values<F> };
}

function readField(field: Field<unknown>, value: unknown, call: Call): unknown {
  if (value === undefined) {
    if (field.isRequired) throw new Fault("This field is required.");
    return undefined;
  }
  if (value !== null) return field.kind.read(value, call);
  if (!field.isNullable) throw new Fault("This field may not be null.");
  return null;
}
