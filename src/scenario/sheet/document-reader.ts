import type { ZodType } from "zod";
import type { ValueTree } from "./document.js";
import { nearest, suggest } from "./nearest.js";
import type { Problems } from "./problems.js";
import { KeyOrder } from "./key-order.js";
import type { Language } from "./language.js";
import {
  type Hint,
  isList,
  isMap,
  type Path,
  type Location,
  type Problem,
  describeValue,
  type Span,
  type RawValue,
  type RawMap,
} from "./raw-value.js";

/**
 * Reads a file part by part, each by its schema, and reports problems at their positions. After a problem in one part
 * it still checks the others.
 */
export class DocumentReader {
  readonly #tree: ValueTree;
  readonly #problems: Problems;
  readonly #language: Language;
  /** For each map with an unknown key. */
  readonly #orders = new WeakMap<RawMap, KeyOrder>();

  constructor(tree: ValueTree, problems: Problems, language: Language) {
    this.#tree = tree;
    this.#problems = problems;
    this.#language = language;
  }

  /** The value at a path; undefined: none. */
  at(path: Path): RawValue | undefined {
    let value: RawValue | undefined = this.#tree.value;
    for (const key of path) {
      if (isMap(value)) value = value[String(key)];
      else if (isList(value)) value = value[Number(key)];
      else return undefined;
    }
    return value;
  }

  /** The tree at a path; undefined: no value. */
  tree(path: Path): ValueTree | undefined {
    const value = this.at(path);
    const { location, found } = this.#locate(path);
    return value === undefined || !found ? undefined : { value, location };
  }

  /** The keys of the map at a path; empty if there is no map. */
  keys(path: Path): string[] {
    const value = this.at(path);
    return isMap(value) ? Object.keys(value) : [];
  }

  /** The paths of the items of a top-level list; empty if there is none. Reports a value that is not a list. */
  items(key: string): [string, number][] {
    const written = this.at([key]);
    if (written === undefined || written === null) return [];
    if (isList(written)) return written.map((_, place) => [key, place]);
    this.reportProblem([key], {
      code: "wrong-type",
      message: `must be a list, got ${describeValue(written)}`,
      hint: "begin each entry with '- '",
    });
    return [];
  }

  /** 1-based line of the value at a path. */
  line(path: Path): number {
    const { key, span } = this.#locate(path).location;
    const { source, start } = key ?? span;
    return source.positionAt(start).line;
  }

  /** Whether the key at a path is excused: another problem explains its absence. */
  isExcused(path: Path): boolean {
    return this.#problems.isExcused(path);
  }

  /** Suppresses reports that the key at a path is missing, because another problem explains it. */
  excuseMissing(path: Path): void {
    this.#problems.excuse(path);
  }

  /**
   * Reads the value at a path; undefined if it is invalid, which is then reported.
   *
   * @param outer - the keys of the map around it, which may be misplaced inside it
   */
  read<T>(schema: ZodType<T>, path: Path, outer: readonly string[] = []): T | undefined {
    const result = schema.safeParse(this.at(path));
    if (result.success) return result.data;
    const issues: readonly Issue[] = result.error.issues;
    for (const issue of issues) {
      const inner = issue.path.map(plainKey);
      if (issue.code === "unrecognized_keys") this.#reportUnknownKeys(schema, path, inner, { issue, issues, outer });
      else this.#reportIssue([...path, ...inner], issue);
    }
    return undefined;
  }

  /** Reports a problem with the value at a path. */
  reportProblem(path: Path, problem: Problem): void {
    const whole = [...path, ...(problem.path ?? [])];
    const { location, found } = this.#locate(whole);
    const onKey = problem.on === "key" || !found;
    const span = onKey ? (location.key ?? location.span) : partOf(location.span, this.at(whole), problem.within);
    const isEmpty = problem.severity !== "warning" && (this.at(whole) ?? null) === null;
    this.#problems.add(
      span,
      {
        code: problem.code,
        message: problem.whole === true ? problem.message : `'${this.#labelOf(whole)}' ${problem.message}`,
        hint: problem.hint,
        severity: problem.severity,
      },
      isEmpty && problem.code !== "unknown-key" ? whole : undefined,
    );
  }

  /** Reports a problem at a span of another file, one that this file names. The message is a whole sentence. */
  reportProblemAt(span: Span, problem: Pick<Problem, "code" | "message" | "hint">): void {
    this.#problems.add(span, problem);
  }

  #reportIssue(path: Path, issue: Issue): void {
    const problem = issue.params?.["problem"] as Problem | undefined;
    if (this.at(path) === undefined) {
      this.reportMissing(path, problem?.hint);
    } else if (problem !== undefined) {
      this.reportProblem(path, problem);
    } else {
      const wanted = issue.expected === "array" ? "a list" : "a map (key: value)";
      this.reportProblem(path, {
        code: "wrong-type",
        message: `must be ${wanted}, got ${describeValue(this.at(path))}`,
      });
    }
  }

  /** Reports keys that the schema of a map does not have. */
  #reportUnknownKeys(
    schema: unknown,
    path: Path,
    inner: Path,
    { issue, issues, outer }: { issue: Issue; issues: readonly Issue[]; outer: readonly string[] },
  ): void {
    const map = [...path, ...inner];
    const missed = issues.flatMap((one) => {
      const key = one.path.at(-1);
      const isHere =
        one.path.length === inner.length + 1 && inner.every((step, location) => one.path[location] === step);
      return isHere && typeof key === "string" && this.at([...map, key]) === undefined ? [key] : [];
    });
    const around = inner.length === 0 ? outer : Object.keys(shapeOf(schemaAt(schema, inner.slice(0, -1))));
    const valid = issue.message.split(" ");
    for (const key of issue.keys ?? []) {
      const value = this.at([...map, key]);
      const fitting = (): string[] => missed.filter((one) => accepts(schemaAt(schema, [...inner, one]), value));
      this.reportUnknownKey([...map, key], valid, { around, fitting });
    }
  }

  /** Reports that the last key of a path is missing. The report is dropped when the key is excused. */
  reportMissing(path: Path, hint?: Hint): void {
    const parent = path.slice(0, -1);
    const location = parent.length === 0 ? `the ${this.#language.noun}` : `'${this.#labelOf(parent)}'`;
    this.reportProblem(path, {
      code: "missing-key",
      message: `${location} needs '${String(path.at(-1))}'`,
      whole: true,
      hint,
    });
  }

  /**
   * Reports that the last key of a path is unknown.
   *
   * @param valid - the valid keys
   * @param more - `around`: the keys of the map around this one; `fitting`: missing keys whose schema accepts the value
   */
  reportUnknownKey(
    path: Path,
    valid: readonly string[],
    {
      around = [],
      fitting = () => [],
    }: { readonly around?: readonly string[]; readonly fitting?: () => string[] } = {},
  ): void {
    const key = String(path.at(-1));
    const parent = path.slice(0, -1);
    this.reportProblem(path, {
      code: "unknown-key",
      message: `'${key}' is not a key of ${parent.length === 0 ? withArticle(this.#language.noun) : `'${this.#labelOf(parent)}'`}`,
      whole: true,
      on: "key",
      hint: () => this.#hintForKey(key, parent, { valid, around, fitting }),
    });
  }

  #hintForKey(
    key: string,
    parent: Path,
    {
      valid,
      around,
      fitting,
    }: { readonly valid: readonly string[]; readonly around: readonly string[]; readonly fitting: () => string[] },
  ): string {
    if (key === "<<") {
      for (const one of valid) this.excuseMissing([...parent, one]);
      return "merge keys do not work: write the keys out";
    }
    if (around.includes(key)) {
      this.excuseMissing([...parent.slice(0, -1), key]);
      return `put it beside '${String(parent.at(-1))}', not into it`;
    }
    const split = this.#splitByComma(key, parent);
    if (split !== undefined) return split;
    const map = this.at(parent);
    const free = valid.filter((one) => !(isMap(map) && Object.hasOwn(map, one)));
    const close = nearest(key, free) ?? singleOf(fitting());
    if (close !== undefined) {
      this.excuseMissing([...parent, close]);
      return `did you mean '${close}'?`;
    }
    const empty = this.emptyBefore([...parent, key]);
    if (empty !== undefined && valid.includes(empty)) {
      this.excuseMissing([...parent, empty]);
      return `indent it under '${empty}'`;
    }
    return free.length === 0 ? "leave it out" : suggest(key, free);
  }

  /** The nearest key above this one in its map that has no value. */
  emptyBefore(path: Path): string | undefined {
    const parent = path.slice(0, -1);
    const start = this.#locate(path).location.key?.start ?? 0;
    return this.#orderOf(parent)?.emptyBefore(start);
  }

  #orderOf(parent: Path): KeyOrder | undefined {
    const map = this.at(parent);
    if (!isMap(map)) return undefined;
    const known = this.#orders.get(map);
    if (known !== undefined) return known;
    const order = new KeyOrder(map, this.#locate(parent).location);
    this.#orders.set(map, order);
    return order;
  }

  /** The hint if an unquoted comma has split a text, as in `{ body: hello, world }`; undefined: it has not. */
  #splitByComma(key: string, parent: Path): string | undefined {
    const span = this.#locate([...parent, key]).location.key;
    if (span === undefined || this.at([...parent, key]) !== null) return undefined;
    let end = span.start;
    while (end > 0 && /\s/.test(span.source.text.charAt(end - 1))) end--;
    if (span.source.text.charAt(end - 1) !== ",") return undefined;
    const cut = this.#orderOf(parent)?.before(span.start);
    const value = cut === undefined ? undefined : this.at([...parent, cut]);
    if (cut === undefined || typeof value !== "string") return undefined;
    return this.#language.hintForComma(cut, key) ?? `put text that has a comma in quotes: ${cut}: "${value}, ${key}"`;
  }

  /** The name of a value in messages: its key, and its index in a list. */
  #labelOf(path: Path): string {
    const from = path.findLastIndex((key) => typeof key === "string");
    const [last = `the ${this.#language.noun}`, ...places] = path.slice(Math.max(0, from));
    const above = path[from - 1];
    const key = this.#language.qualifiedKeys.has(String(last)) && typeof above === "string" ? `${above}.${last}` : last;
    return `${key}${places.map((location) => `[${location}]`).join("")}`;
  }

  /** The location at a path, or of its deepest ancestor that exists. */
  #locate(path: Path): { location: Location; found: boolean } {
    let location = this.#tree.location;
    for (const key of path) {
      const next = location.inner.get(String(key));
      if (next === undefined) return { location, found: false };
      location = next;
    }
    return { location, found: true };
  }
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/** The schema of an inner value, through maps and lists. */
function schemaAt(schema: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => {
    const { element } = plainSchema(at);
    return typeof key === "number" ? element : shapeOf(at)[key];
  }, schema);
}

function shapeOf(schema: unknown): Readonly<Record<string, unknown>> {
  return plainSchema(schema).shape ?? {};
}

interface PlainSchema {
  readonly shape?: Readonly<Record<string, unknown>>;
  readonly element?: unknown;
}

/** Removes wrappers for optional values and defaults from a schema. */
function plainSchema(schema: unknown): PlainSchema {
  let at = schema as (PlainSchema & { readonly unwrap?: () => unknown }) | undefined;
  while (at?.shape === undefined && at?.element === undefined && typeof at?.unwrap === "function") {
    at = at.unwrap() as typeof at;
  }
  return at ?? {};
}

function accepts(schema: unknown, value: RawValue | undefined): boolean {
  return value !== null && (schema as ZodType | undefined)?.safeParse(value).success === true;
}

function singleOf(words: readonly string[]): string | undefined {
  return words.length === 1 ? words[0] : undefined;
}

function plainKey(key: PropertyKey): string | number {
  return typeof key === "symbol" ? String(key) : key;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The span of a part of a scalar's text, if the source has the text unchanged. */
function partOf(span: Span, value: RawValue | undefined, within: Problem["within"]): Span {
  if (within === undefined || typeof value !== "string") return span;
  const offset = span.source.text.slice(span.start, span.end).indexOf(value);
  if (offset < 0) return span;
  const start = span.start + offset;
  return { source: span.source, start: start + within.from, end: start + Math.max(within.to, within.from + 1) };
}
