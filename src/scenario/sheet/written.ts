import type { DiagnosticCode } from "./diagnostic.js";

/**
 * What a scenario file says, before anything is understood: maps, lists and plain values, the latter as they are
 * spelled (`12`, `yes`, `1h30m`), so that a text stays as it was written. `null` where a value was left out.
 */
export type Written = string | null | readonly Written[] | WrittenMap;

/** Without a prototype: every key is the file's own. */
export interface WrittenMap {
  readonly [key: string]: Written;
}

/** A way from the top of a scenario to one of its values. */
export type Path = readonly (string | number)[];

/** What a value was read from. */
export interface Source {
  readonly file: string;
  readonly text: string;
  /** Place of an offset, both counted from 1. */
  readonly positionAt: (offset: number) => { line: number; column: number };
  /** It is a file that the scenario names: remarks on it bring the line that they are about. */
  readonly isNamed?: boolean;
}

/** A stretch of a source, as offsets in UTF-16 code units. */
export interface Spot {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** Where a value and the values in it stand; lists are keyed by the place in the list. */
export interface Place {
  readonly spot: Spot;
  /** Of the key, for a value in a map. */
  readonly key?: Spot;
  /** What YAML takes a plain value for that is no text: `12` without quotes is a number. */
  readonly plain?: number | boolean;
  readonly inner: Map<string, Place>;
}

/** What to do; a function where finding it costs work, which is done only for problems that are listed. */
export type Hint = string | (() => string);

/** Something that is wrong with a value. The message goes on after the name of its key: `must be …`. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: Hint;
  /** Default: error. */
  readonly severity?: "error" | "warning";
  /** What is underlined: default the value. */
  readonly on?: "key" | "value";
  /** The message is a whole sentence that names what it is about. */
  readonly whole?: boolean;
  /** From the value at hand to the one that is wrong. */
  readonly path?: Path;
  /** The part of the value's text that is wrong. */
  readonly within?: { readonly from: number; readonly to: number };
}

/** Takes down a problem. */
export type Tell = (problem: Problem) => void;

/** Understands one written value; a problem was told where it returns undefined. */
export type Read<T> = (value: Written | undefined, tell: Tell) => T | undefined;

/** True for a map, false for lists and plain values. */
export function isMap(value: Written | undefined): value is WrittenMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a list. */
export function isList(value: Written | undefined): value is readonly Written[] {
  return Array.isArray(value);
}

/** A value in the words of a message: short, in quotes, or what kind of thing it is. */
export function shown(value: Written | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (isMap(value)) return "a map";
  if (isList(value)) return "a list";
  return `'${value.length > 40 ? `${value.slice(0, 39)}…` : value}'`;
}
