/** A way from the top of a JSON text to one of its values. */
export type JsonPath = readonly (string | number)[];

/** An object of a JSON text. */
export type JsonMap = Readonly<Record<string, unknown>>;

/** Something that is wrong in an export. The message goes on after the name of the value: `names no node…`. */
export interface DefinitionProblem {
  readonly path: JsonPath;
  readonly message: string;
}

/**
 * A value somewhere in a JSON text, to be looked at with care: whatever does not have the form that is asked for is told
 * as a problem with its path, and reads as absent. `null` counts as absent, as in the definitions of the service.
 */
export class JsonCursor {
  readonly value: unknown;
  readonly path: JsonPath;
  readonly #problems: DefinitionProblem[];

  /** @param problems - where they are told, from here and from all values inside */
  constructor(value: unknown, problems: DefinitionProblem[] = [], path: JsonPath = []) {
    this.value = value ?? undefined;
    this.path = path;
    this.#problems = problems;
  }

  get isAbsent(): boolean {
    return this.value === undefined;
  }

  /** The value of a key; absent where this is no object. */
  at(key: string): JsonCursor {
    const map = mapOf(this.value);
    const value = map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
    return new JsonCursor(value, this.#problems, [...this.path, key]);
  }

  addProblem(message: string): undefined {
    this.#problems.push({ path: this.path, message });
  }

  /** Tells what was found by another look. */
  addProblems(problems: readonly DefinitionProblem[]): void {
    this.#problems.push(...problems);
  }

  /** An object; must be there. */
  neededMap(): JsonMap | undefined {
    return mapOf(this.value) ?? this.#addMismatch("an object", { needed: true });
  }

  /** The items of a list; none where it is absent. */
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

  /** A text that says something; must be there. */
  neededText(): string | undefined {
    if (typeof this.value === "string" && this.value.trim() !== "") return this.value;
    return this.#addMismatch("a text that is not empty", { needed: true });
  }

  /** A whole number, also one that is written as a text. Bounds are included. */
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
    if (!this.isAbsent || needed) this.addProblem(`must be ${wanted}, got ${shown(this.value)}`);
  }
}

/** A value as an object; undefined where it is none. */
export function mapOf(value: unknown): JsonMap | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonMap) : undefined;
}

/** The objects of a list; none where it is no list. */
export function mapsIn(value: unknown): JsonMap[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown): JsonMap[] => {
    const map = mapOf(item);
    return map === undefined ? [] : [map];
  });
}

/** A text that says something; a number as its digits, as old definitions have ids. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** A value in the words of a message. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return "an object";
  const text = String(value);
  return `'${text.length > 40 ? `${text.slice(0, 39)}…` : text}'`;
}

/** A path as people read it: `flows[0].nodes[2].uuid`. */
export function pathText(path: JsonPath): string {
  return path.map((key, place) => (typeof key === "number" ? `[${key}]` : place === 0 ? key : `.${key}`)).join("");
}

/** Whether objects and lists stand in one another more than so many levels deep. Needs no stack of its own. */
export function isNestedDeeper(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let level = 0; level <= levels; level++) {
    layer = layer.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
    if (layer.length === 0) return false;
  }
  return true;
}
