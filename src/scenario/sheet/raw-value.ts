import type { DiagnosticCode } from "./diagnostic.js";

/**
 * A value of a file before it is interpreted: maps, lists and scalars. Scalars keep their
 * spelling (`12`, `yes`, `1h30m`). `null`: a key or item without a value.
 */
export type RawValue = string | null | readonly RawValue[] | RawMap;

/** A map without a prototype, so every key comes from the file. */
export interface RawMap {
  readonly [key: string]: RawValue;
}

/** The keys and indexes from the top of a file to a value. */
export type Path = readonly (string | number)[];

/** A text that values are read from. */
export interface Source {
  readonly file: string;
  readonly text: string;
  /** Line and column of an offset, both counted from 1. */
  readonly positionAt: (offset: number) => { line: number; column: number };
  /** True for a file that the scenario names: diagnostics quote its line. */
  readonly isNamed?: boolean;
}

/** A range of a source, as offsets in UTF-16 code units. */
export interface Span {
  readonly source: Source;
  readonly start: number;
  readonly end: number;
}

/** The spans of a value and of the values in it; list items are keyed by their index. */
export interface Location {
  readonly span: Span;
  /** Of the key, for a value in a map. */
  readonly key?: Span;
  /** The YAML value of an unquoted scalar that is a number or a flag. */
  readonly plain?: number | boolean;
  readonly inner: Map<string, Location>;
}

/** A correction. A function is called only for problems that are listed. */
export type Hint = string | (() => string);

/** A problem with a value. The message follows the name of its key: `must be …`. */
export interface Problem {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint?: Hint;
  /** Default: error. */
  readonly severity?: "error" | "warning";
  /** The part that is underlined; default: the value. */
  readonly on?: "key" | "value";
  /** The message is a whole sentence and does not follow the key's name. */
  readonly whole?: boolean;
  /** Path from the value that is read to the one with the problem. */
  readonly path?: Path;
  /** The part of the value's text that is wrong. */
  readonly within?: { readonly from: number; readonly to: number };
}

/** Two keys exclude one another: the problem underlines the key. @param message - a whole sentence */
export function keyConflict(message: string, hint: Hint): Problem {
  return { code: "not-together", message, whole: true, on: "key", hint };
}

/** Records a problem. */
export type ReportProblem = (problem: Problem) => void;

/** Interprets one value. It reports a problem before it returns undefined. */
export type Read<T> = (value: RawValue | undefined, report: ReportProblem) => T | undefined;

/** True for a map, false for lists and plain values. */
export function isMap(value: RawValue | undefined): value is RawMap {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for a list. */
export function isList(value: RawValue | undefined): value is readonly RawValue[] {
  return Array.isArray(value);
}

/** A value for a message: shortened and in quotes, or its kind. */
export function describeValue(value: RawValue | undefined): string {
  if (value === undefined || value === null) return "nothing";
  if (isMap(value)) return "a map";
  if (isList(value)) return "a list";
  return `'${value.length > 40 ? `${value.slice(0, 39)}…` : value}'`;
}
