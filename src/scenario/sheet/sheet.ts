import type { ZodType } from "zod";
import type { Tree } from "./document.js";
import { nearest, suggest } from "./nearest.js";
import type { Problems } from "./problems.js";
import { KeyOrder } from "./key-order.js";
import type { Language } from "./language.js";
import {
  type Hint,
  isList,
  isMap,
  type Path,
  type Place,
  type Problem,
  shown,
  type Spot,
  type Written,
  type WrittenMap,
} from "./written.js";

/**
 * A scenario, or an account, as written, read part by part: each part by its schema, so that a fault in one of them does not keep
 * the others from being checked.
 */
export class Sheet {
  readonly #tree: Tree;
  readonly #problems: Problems;
  readonly #language: Language;
  /** Of each map that had an unknown key. */
  readonly #orders = new WeakMap<WrittenMap, KeyOrder>();

  constructor(tree: Tree, problems: Problems, language: Language) {
    this.#tree = tree;
    this.#problems = problems;
    this.#language = language;
  }

  /** What stands at a path; undefined where nothing does. */
  at(path: Path): Written | undefined {
    let value: Written | undefined = this.#tree.value;
    for (const key of path) {
      if (isMap(value)) value = value[String(key)];
      else if (isList(value)) value = value[Number(key)];
      else return undefined;
    }
    return value;
  }

  /** The tree at a path; undefined where nothing stands. */
  tree(path: Path): Tree | undefined {
    const value = this.at(path);
    const { place, found } = this.#placeAt(path);
    return value === undefined || !found ? undefined : { value, place };
  }

  /** The keys of the map at a path; none where there is no map. */
  keys(path: Path): string[] {
    const value = this.at(path);
    return isMap(value) ? Object.keys(value) : [];
  }

  /** 1-based line of the value at a path. */
  line(path: Path): number {
    const { key, spot } = this.#placeAt(path).place;
    const { source, start } = key ?? spot;
    return source.positionAt(start).line;
  }

  /** Whether a key that was told to be unknown was most likely meant to be the one at a path. */
  isMeant(path: Path): boolean {
    return this.#problems.isMeant(path);
  }

  /** The key at a path needs no further word: what was told explains it. */
  explain(path: Path): void {
    this.#problems.meant(path);
  }

  /**
   * Reads the value at a path; undefined when it does not fit, and the problems say why.
   *
   * @param outer - the keys of the map around it, which may have slipped into it
   */
  read<T>(schema: ZodType<T>, path: Path, outer: readonly string[] = []): T | undefined {
    const result = schema.safeParse(this.at(path));
    if (result.success) return result.data;
    const issues: readonly Issue[] = result.error.issues;
    for (const issue of issues) {
      const inner = issue.path.map(plainKey);
      if (issue.code === "unrecognized_keys") this.#reportKeys(schema, path, inner, { issue, issues, outer });
      else this.#report([...path, ...inner], issue);
    }
    return undefined;
  }

  /** Takes down a problem with the value at a path. */
  tell(path: Path, problem: Problem): void {
    const whole = [...path, ...(problem.path ?? [])];
    const { place, found } = this.#placeAt(whole);
    const onKey = problem.on === "key" || !found;
    const spot = onKey ? (place.key ?? place.spot) : partOf(place.spot, this.at(whole), problem.within);
    const isEmpty = problem.severity !== "warning" && (this.at(whole) ?? null) === null;
    this.#problems.add(
      spot,
      {
        code: problem.code,
        message: problem.whole === true ? problem.message : `'${this.#labelOf(whole)}' ${problem.message}`,
        hint: problem.hint,
        severity: problem.severity,
      },
      isEmpty && problem.code !== "unknown-key" ? whole : undefined,
    );
  }

  /** Takes down a problem with a place that is not in the scenario: in a file that it names. The message is a whole sentence. */
  tellAt(spot: Spot, problem: Pick<Problem, "code" | "message" | "hint">): void {
    this.#problems.add(spot, problem);
  }

  #report(path: Path, issue: Issue): void {
    const problem = issue.params?.["problem"] as Problem | undefined;
    if (this.at(path) === undefined) {
      this.missing(path, problem?.hint);
    } else if (problem !== undefined) {
      this.tell(path, problem);
    } else {
      const wanted = issue.expected === "array" ? "a list" : "a map (key: value)";
      this.tell(path, { code: "wrong-type", message: `must be ${wanted}, got ${shown(this.at(path))}` });
    }
  }

  /** Keys that a map of the schema does not have. */
  #reportKeys(
    schema: unknown,
    path: Path,
    inner: Path,
    { issue, issues, outer }: { issue: Issue; issues: readonly Issue[]; outer: readonly string[] },
  ): void {
    const map = [...path, ...inner];
    const missed = issues.flatMap((one) => {
      const key = one.path.at(-1);
      const isHere = one.path.length === inner.length + 1 && inner.every((step, place) => one.path[place] === step);
      return isHere && typeof key === "string" && this.at([...map, key]) === undefined ? [key] : [];
    });
    const around = inner.length === 0 ? outer : Object.keys(shapeOf(schemaAt(schema, inner.slice(0, -1))));
    const valid = issue.message.split(" ");
    for (const key of issue.keys ?? []) {
      const value = this.at([...map, key]);
      const fitting = (): string[] => missed.filter((one) => accepts(schemaAt(schema, [...inner, one]), value));
      this.unknownKey([...map, key], valid, { around, fitting });
    }
  }

  /** The last key of a path must be there; nothing is said when another key was misspelled for it. */
  missing(path: Path, hint?: Hint): void {
    const parent = path.slice(0, -1);
    const place = parent.length === 0 ? `the ${this.#language.noun}` : `'${this.#labelOf(parent)}'`;
    this.tell(path, {
      code: "missing-key",
      message: `${place} needs '${String(path.at(-1))}'`,
      whole: true,
      hint,
    });
  }

  /**
   * The last key of a path does not exist there.
   *
   * @param valid - the keys that do
   * @param more - the keys of the map around this one; those that are missing and would take the value
   */
  unknownKey(
    path: Path,
    valid: readonly string[],
    {
      around = [],
      fitting = () => [],
    }: { readonly around?: readonly string[]; readonly fitting?: () => string[] } = {},
  ): void {
    const key = String(path.at(-1));
    const parent = path.slice(0, -1);
    this.tell(path, {
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
      for (const one of valid) this.explain([...parent, one]);
      return "merge keys do not work: write the keys out";
    }
    if (around.includes(key)) {
      this.explain([...parent.slice(0, -1), key]);
      return `put it beside '${String(parent.at(-1))}', not into it`;
    }
    const split = this.#splitByComma(key, parent);
    if (split !== undefined) return split;
    const map = this.at(parent);
    const free = valid.filter((one) => !(isMap(map) && Object.hasOwn(map, one)));
    const close = nearest(key, free) ?? onlyOne(fitting());
    if (close !== undefined) {
      this.explain([...parent, close]);
      return `did you mean '${close}'?`;
    }
    const empty = this.emptyBefore([...parent, key]);
    if (empty !== undefined && valid.includes(empty)) {
      this.explain([...parent, empty]);
      return `indent it under '${empty}'`;
    }
    return free.length === 0 ? "leave it out" : suggest(key, free);
  }

  /** The nearest key above this one in its map that was left without a value; none where all have one. */
  emptyBefore(path: Path): string | undefined {
    const parent = path.slice(0, -1);
    const start = this.#placeAt(path).place.key?.start ?? 0;
    return this.#orderOf(parent)?.emptyBefore(start);
  }

  #orderOf(parent: Path): KeyOrder | undefined {
    const map = this.at(parent);
    if (!isMap(map)) return undefined;
    const known = this.#orders.get(map);
    if (known !== undefined) return known;
    const order = new KeyOrder(map, this.#placeAt(parent).place);
    this.#orders.set(map, order);
    return order;
  }

  /** In `{ body: hello, world }` the comma ends the text. */
  #splitByComma(key: string, parent: Path): string | undefined {
    const spot = this.#placeAt([...parent, key]).place.key;
    if (spot === undefined || this.at([...parent, key]) !== null) return undefined;
    let end = spot.start;
    while (end > 0 && /\s/.test(spot.source.text.charAt(end - 1))) end--;
    if (spot.source.text.charAt(end - 1) !== ",") return undefined;
    const cut = this.#orderOf(parent)?.before(spot.start);
    const value = cut === undefined ? undefined : this.at([...parent, cut]);
    if (cut === undefined || typeof value !== "string") return undefined;
    return this.#language.hintForComma(cut, key) ?? `put text that has a comma in quotes: ${cut}: "${value}, ${key}"`;
  }

  /** The name by which a message calls a value: its key, and its place where it is in a list. */
  #labelOf(path: Path): string {
    const from = path.findLastIndex((key) => typeof key === "string");
    const [last = `the ${this.#language.noun}`, ...places] = path.slice(Math.max(0, from));
    const above = path[from - 1];
    const key = this.#language.qualifiedKeys.has(String(last)) && typeof above === "string" ? `${above}.${last}` : last;
    return `${key}${places.map((place) => `[${place}]`).join("")}`;
  }

  /** The place at a path, or of the deepest value on the way to it. */
  #placeAt(path: Path): { place: Place; found: boolean } {
    let place = this.#tree.place;
    for (const key of path) {
      const next = place.inner.get(String(key));
      if (next === undefined) return { place, found: false };
      place = next;
    }
    return { place, found: true };
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

/** The schema of a value inside, as far as the schema is one of maps and lists. */
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

/** Without the shell that makes it optional. */
function plainSchema(schema: unknown): PlainSchema {
  let at = schema as (PlainSchema & { readonly unwrap?: () => unknown }) | undefined;
  while (at?.shape === undefined && at?.element === undefined && typeof at?.unwrap === "function") {
    at = at.unwrap() as typeof at;
  }
  return at ?? {};
}

function accepts(schema: unknown, value: Written | undefined): boolean {
  return value !== null && (schema as ZodType | undefined)?.safeParse(value).success === true;
}

function onlyOne(words: readonly string[]): string | undefined {
  return words.length === 1 ? words[0] : undefined;
}

function plainKey(key: PropertyKey): string | number {
  return typeof key === "symbol" ? String(key) : key;
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** The spot of a part of a plain value's text, where the text stands in the source as it is. */
function partOf(spot: Spot, value: Written | undefined, within: Problem["within"]): Spot {
  if (within === undefined || typeof value !== "string") return spot;
  const offset = spot.source.text.slice(spot.start, spot.end).indexOf(value);
  if (offset < 0) return spot;
  const start = spot.start + offset;
  return { source: spot.source, start: start + within.from, end: start + Math.max(within.to, within.from + 1) };
}
