import { SerializationError } from "./errors.js";
import { Instant } from "./instant.js";
import { WrittenAsFloat } from "./python-json.js";

/** The two behaviours of the official client: up to 2.6.1 a missing field is an error, from 2.7.0 it is null. */
export type Era = "old" | "new";

/** How one field of a record is read (docs/reference/service-api.md#python-client-types). */
export interface Kind<T> {
  /** @throws SerializationError when the value is not of this kind; `where` is its place, for the message */
  readonly read: (value: unknown, era: Era, where: string) => T;
  /** May be missing even in the old era. */
  readonly isOptional?: true;
}

/** What a kind reads. */
export type Read<K> = K extends Kind<infer T> ? T : never;

/** Any value; the type parameter is unchecked, as in the real client. */
export function simple<T = unknown>(): Kind<T> {
  return { read: (value) => value as T };
}

export const integer: Kind<number | null> = {
  read: (value, era, where) => {
    if (value === null) return null;
    if (typeof value === "boolean" && era === "new") return Number(value); // a boolean is an integer in Python
    if (typeof value !== "number" || !Number.isInteger(value)) throw wrong(value, "an integer", where);
    return value;
  },
};

export const boolean: Kind<boolean | null> = {
  read: (value, _era, where) => {
    if (value !== null && typeof value !== "boolean") throw wrong(value, "a boolean", where);
    return value;
  },
};

export function list<T = unknown>(): Kind<T[] | null> {
  return {
    read: (value, _era, where) => {
      if (value !== null && !Array.isArray(value)) throw wrong(value, "a list", where);
      return value as T[] | null;
    },
  };
}

export const timestamp: Kind<Instant | null> = {
  read: (value, _era, where) => {
    if (value === null || value === "") return null;
    const instant = typeof value === "string" ? Instant.parse(value) : undefined;
    if (instant === undefined) throw wrong(value, "an ISO 8601 moment", where);
    return instant;
  },
};

/** Records that came from the service; as a parameter such an object stands for its identifier. */
const fromService = new WeakSet<object>();

/** Whether a value is a record that the service sent. */
export function isRecord(value: object): boolean {
  return fromService.has(value);
}

type Fields = Readonly<Record<string, Kind<unknown>>>;

/** A record with these fields; others are ignored. */
export type Reader<F extends Fields> = Kind<{ readonly [K in keyof F]: Read<F[K]> }>;

export function record<F extends Fields>(fields: F): Reader<F> {
  const read = (value: unknown, era: Era, where: string): { readonly [K in keyof F]: Read<F[K]> } => {
    if (!isObject(value)) throw wrong(value, "an object", where);
    const entries = Object.entries(fields).map(([name, kind]) => {
      if (Object.hasOwn(value, name)) return [name, kind.read(value[name], era, `${where}.${name}`)];
      if (era === "new") return [name, kind.read(null, era, `${where}.${name}`)];
      if (kind.isOptional) return [name, null];
      throw new SerializationError(`${where} lacks the field ${name}: ${JSON.stringify(value).slice(0, 200)}`);
    });
    const result = Object.fromEntries(entries) as { readonly [K in keyof F]: Read<F[K]> };
    fromService.add(result);
    return result;
  };
  return { read };
}

/** May be missing in the old era too. */
export function optional<T>(kind: Kind<T>): Kind<T | null> {
  return { ...kind, isOptional: true };
}

/** An object or null. */
export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  return { read: (value, era, where) => (value === null ? null : kind.read(value, era, where)) };
}

/** An array of objects; never null, never absent. */
export function listOf<T>(kind: Kind<T>): Kind<T[]> {
  return {
    read: (value, era, where) => {
      if (!Array.isArray(value)) throw wrong(value, "a list of objects", where);
      return value.map((item, index) => kind.read(item, era, `${where}[${index}]`));
    },
  };
}

/** An object of objects; never null, never absent. */
export function dictionaryOf<T>(kind: Kind<T>): Kind<Record<string, T>> {
  return {
    read: (value, era, where) => {
      if (!isObject(value)) throw wrong(value, "a dictionary of objects", where);
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, kind.read(item, era, `${where}.${key}`)]),
      );
    },
  };
}

/** `{uuid, name}`, as references come back. */
export const reference = record({ uuid: simple<string>(), name: simple<string | null>() });

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof WrittenAsFloat);
}

function wrong(value: unknown, expected: string, where: string): SerializationError {
  return new SerializationError(`${where} should be ${expected}, got ${JSON.stringify(value)?.slice(0, 100)}`);
}
