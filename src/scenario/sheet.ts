import type { ZodType } from "zod";
import type { Tree } from "./document.js";
import { suggest } from "./nearest.js";
import type { Problems } from "./problems.js";
import { isList, isMap, type Path, type Place, type Problem, shown, type Spot, type Written } from "./written.js";

/**
 * A scenario as written, read part by part: each part by its schema, so that a fault in one of them does not keep
 * the others from being checked.
 */
export class Sheet {
  readonly #tree: Tree;
  readonly #problems: Problems;

  constructor(tree: Tree, problems: Problems) {
    this.#tree = tree;
    this.#problems = problems;
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

  /** Reads the value at a path; undefined when it does not fit, and the problems say why. */
  read<T>(schema: ZodType<T>, path: Path): T | undefined {
    const result = schema.safeParse(this.at(path));
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#report([...path, ...issue.path.map(plainKey)], issue);
    return undefined;
  }

  /** Takes down a problem with the value at a path. */
  tell(path: Path, problem: Problem): void {
    const whole = [...path, ...(problem.path ?? [])];
    const { place, found } = this.#placeAt(whole);
    const onKey = problem.on === "key" || !found;
    const spot = onKey ? (place.key ?? place.spot) : partOf(place.spot, this.at(whole), problem.within);
    this.#problems.add(spot, {
      code: problem.code,
      message: problem.whole === true ? problem.message : `'${labelOf(whole)}' ${problem.message}`,
      ...(problem.hint !== undefined && { hint: problem.hint }),
      ...(problem.severity !== undefined && { severity: problem.severity }),
    });
  }

  #report(path: Path, issue: Issue): void {
    const problem = issue.params?.["problem"] as Problem | undefined;
    if (this.at(path) === undefined) {
      this.missing(path, problem?.hint);
    } else if (problem !== undefined) {
      this.tell(path, problem);
    } else if (issue.code === "unrecognized_keys") {
      const valid = issue.message.split(" ");
      for (const key of issue.keys ?? []) this.unknownKey([...path, key], valid);
    } else {
      const wanted = issue.expected === "array" ? "a list" : "a map (key: value)";
      this.tell(path, { code: "wrong-type", message: `must be ${wanted}, got ${shown(this.at(path))}` });
    }
  }

  /** The last key of a path must be there. */
  missing(path: Path, hint?: string): void {
    const parent = path.slice(0, -1);
    const place = parent.length === 0 ? "the scenario" : `'${labelOf(parent)}'`;
    this.tell(path, {
      code: "missing-key",
      message: `${place} needs '${String(path.at(-1))}'`,
      whole: true,
      ...(hint !== undefined && { hint }),
    });
  }

  /** The last key of a path does not exist there. */
  unknownKey(path: Path, valid: readonly string[]): void {
    const key = String(path.at(-1));
    const parent = path.slice(0, -1);
    const free = valid.filter((one) => !this.keys(parent).includes(one));
    this.tell(path, {
      code: "unknown-key",
      message: `'${key}' is not a key of ${parent.length === 0 ? "a scenario" : `'${labelOf(parent)}'`}`,
      whole: true,
      on: "key",
      hint: free.length === 0 ? "leave it out" : suggest(key, free),
    });
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
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

function plainKey(key: PropertyKey): string | number {
  return typeof key === "symbol" ? String(key) : key;
}

/** Keys that say nothing without the key that they belong to. */
const forms = new Set<string | number>(["exp", "normal", "lognormal", "pick", "weighted", "fake", "csv"]);

/** The name by which a message calls a value: its key, and its place where it is in a list. */
function labelOf(path: Path): string {
  const from = path.findLastIndex((key) => typeof key === "string");
  const [last = "the scenario", ...places] = path.slice(Math.max(0, from));
  const above = path[from - 1];
  const key = forms.has(last) && typeof above === "string" ? `${above}.${last}` : last;
  return `${key}${places.map((place) => `[${place}]`).join("")}`;
}

/** The spot of a part of a plain value's text, where the text stands in the source as it is. */
function partOf(spot: Spot, value: Written | undefined, within: Problem["within"]): Spot {
  if (within === undefined || typeof value !== "string") return spot;
  const offset = spot.source.text.slice(spot.start, spot.end).indexOf(value);
  if (offset < 0) return spot;
  const start = spot.start + offset;
  return { source: spot.source, start: start + within.from, end: start + Math.max(within.to, within.from + 1) };
}
