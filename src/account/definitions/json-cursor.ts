import { ownValue } from "../../wire/index.js";

/** The keys and indexes from the top of a JSON text to one of its values. */
export type JsonPath = readonly (string | number)[];

/** An object of a JSON text. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** A problem in an export. The message continues the path as a sentence: `nodes[0].uuid names no node…`. */
export interface ExportProblem {
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * Reads a value in untrusted JSON. A value without the requested form adds a problem with its path, and reads as
 * absent. `null` counts as absent, as in the service's definitions.
 */
export class JsonCursor {
  readonly value: unknown;
  readonly path: JsonPath;
  readonly #problems: ExportProblem[];

  /** @param problems - collects the problems of this value and of all values in it */
  constructor(value: unknown, problems: ExportProblem[] = [], path: JsonPath = []) {
    this.value = value ?? undefined;
    this.path = path;
    this.#problems = problems;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  /** The value of a key; absent when this is not an object. */
  at(key: string): JsonCursor {
    return new JsonCursor(ownValue(mapOf(this.value), key), this.#problems, [...this.path, key]);
  }

  addProblem(message: string): undefined {
    this.#problems.push({ path: this.path, message });
  }

  /** Adds problems that another cursor collected. */
  addProblems(problems: readonly ExportProblem[]): void {
    this.#problems.push(...problems);
  }

  /** An object; absence is a problem. */
  neededMap(): JsonMap | undefined {
    return mapOf(this.value) ?? this.#addMismatch("an object", { needed: true });
  }

  /** The items of a list; empty when it is absent. */
  items(): JsonCursor[] {
    if (Array.isArray(this.value)) {
      return this.value.map((item, place) => new JsonCursor(item, this.#problems, [...this.path, place]));
    }
    this.#addMismatch("a list");
    return [];
  }

  /** A text; absent: undefined. */
  text(): string | undefined {
    return typeof this.value === "string" ? this.value : this.#addMismatch("a text");
  }

  /** A text that is not blank; absence is a problem. */
  neededText(): string | undefined {
    if (typeof this.value === "string" && this.value.trim() !== "") return this.value;
    return this.#addMismatch("a text that is not empty", { needed: true });
  }

  /** An integer, also in the form of a text; absence is a problem. Bounds are inclusive. */
  neededInteger({ min, max }: { readonly min: number; readonly max: number }): number | undefined {
    const { value } = this;
    const number = typeof value === "string" && /^[+-]?\d+$/.test(value.trim()) ? Number(value) : value;
    if (typeof number === "number" && Number.isInteger(number) && number >= min && number <= max) return number;
    return this.#addMismatch(`a whole number ${min}..${max}`, { needed: true });
  }

  /** One of some words; absent: undefined. */
  oneOf<const Word extends string>(words: readonly Word[]): Word | undefined {
    const word = words.find((one) => one === this.value);
    return word ?? this.#addMismatch(`one of ${words.join(", ")}`);
  }

  #addMismatch(wanted: string, { needed = false }: { readonly needed?: boolean } = {}): undefined {
    if (!this.isAbsent || needed) this.addProblem(`must be ${wanted}, got ${describeJson(this.value)}`);
  }
}

/** A value as an object; undefined for other values. */
export function mapOf(value: unknown): JsonMap | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMap) : undefined;
}

/** The objects of a list; empty for other values. */
export function mapsIn(value: unknown): JsonMap[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown): JsonMap[] => {
    const map = mapOf(item);
    return map === undefined ? [] : [map];
  });
}

/** A text that is not blank; a number as its digits, since old definitions have numbers as ids. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A JSON value in a few words, for messages. */
export function describeJson(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return "an object";
  const text = String(value);
  return `'${text.length > 40 ? `${text.slice(0, 39)}…` : text}'`;
}

/** A path as text: `flows[0].nodes[2].uuid`. */
export function pathText(path: JsonPath): string {
  return path.map((key, place) => (typeof key === "number" ? `[${key}]` : place === 0 ? key : `.${key}`)).join("");
}

/**
 * Whether objects and lists are nested deeper than `levels`. Iterative, so that deep input cannot overflow the stack.
 */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let level = 0; level <= levels; level++) {
    layer = layer.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (layer.length === 0) return false;
  }
  return true;
}
