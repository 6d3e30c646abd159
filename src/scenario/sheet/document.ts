import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Pair } from "yaml";
import type { Problems } from "./problems.js";
import type { Place, Source, Spot, Written } from "./written.js";
import { explainFault, strayCharacter } from "./yaml-faults.js";

/** A tree of values and, in the same shape, the places where they stand. */
export interface Tree {
  readonly value: Written;
  readonly place: Place;
}

/** A file's source. Lines end at line feeds, as for the YAML reader. */
export function sourceOf(file: string, text: string): Source {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (const feed of text.matchAll(/\n/g)) lines.addNewLine(feed.index + 1);
  const positionAt = (offset: number): { line: number; column: number } => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line, column: col };
  };
  return { file, text, positionAt };
}

/**
 * Reads YAML 1.2 (core schema) into values and places.
 *
 * @param offset - where the YAML begins in the source
 * @returns undefined when the text is not well-formed: the problems say so
 */
export function readYaml(source: Source, problems: Problems, offset = 0): Tree | undefined {
  const text = source.text.slice(offset);
  const whole: Spot = { source, start: offset, end: source.text.length };
  const stray = strayCharacter(text);
  if (stray !== undefined) {
    const { at, ...problem } = stray;
    problems.add({ source, start: offset + at, end: offset + at + 1 }, { code: "yaml-syntax", ...problem });
    return undefined;
  }
  const document = parseGuarded(text);
  // What follows the first fault is mostly said because of it.
  const [first, ...others] = document === undefined ? [] : [...document.errors, ...document.warnings];
  if (document === undefined || (first !== undefined && /call stack/i.test(first.message))) {
    const start = offset + (first?.pos[0] ?? 0);
    problems.add({ source, start, end: start + 1 }, { code: "yaml-syntax", message: tooDeep });
    return undefined;
  }
  if (first !== undefined) {
    const { start, end, ...problem } = explainFault(first, others, text);
    problems.add({ source, start: offset + start, end: offset + Math.max(end, start + 1) }, problem);
    return undefined;
  }
  const converter = new Converter(source, offset, problems);
  const tree = converter.convert(document.contents, whole);
  return converter.isSound ? tree : undefined;
}

/** How deep a file may be nested. */
export const maxDepth = 40;
/** Said of what is nested deeper. */
export const tooDeep: string = `nested deeper than ${maxDepth} levels`;

type ParsedDocument = ReturnType<typeof parseDocument>;

/** The YAML reader is recursive: a text of nothing but brackets would end in a stack overflow. */
function parseGuarded(text: string): ParsedDocument | undefined {
  try {
    return parseDocument(text, {
      version: "1.2",
      schema: "core",
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "error", // silent would keep quiet about a second document
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** How many values aliases may unfold to. */
const maxUnfolded = 20_000;

class Converter {
  readonly #source: Source;
  readonly #offset: number;
  readonly #problems: Problems;
  readonly #anchors = new Map<string, Node>();
  /** The nodes around the one at hand, for aliases around themselves. */
  readonly #around = new Set<unknown>();
  #isSound = true;
  #unfolding = 0;
  #unfolded = 0;

  constructor(source: Source, offset: number, problems: Problems) {
    this.#source = source;
    this.#offset = offset;
    this.#problems = problems;
  }

  /** False when an alias led nowhere or the nesting was too deep: the values are not what they should be. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** @param fallback - the spot of a value that was left out */
  convert(node: unknown, fallback: Spot, key?: Spot): Tree {
    const spot = this.#spotOf(node) ?? fallback;
    const inner = new Map<string, Place>();
    const place: Place = { spot, key, inner };
    if (isAlias(node)) return this.#unfold(node.source, place);
    if (this.#unfolding > 0) this.#unfolded++;
    else if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    if (isScalar(node)) {
      if (node.value === null) return { value: null, place };
      const { value: plain } = node;
      const isPlain = typeof plain === "number" || typeof plain === "boolean";
      return { value: scalarText(node), place: isPlain ? { ...place, plain } : place };
    }
    if (!isMap(node) && !isSeq(node)) return { value: null, place };
    if (this.#around.size >= maxDepth) {
      if (this.#isSound) {
        this.#problems.add(spot, { code: "wrong-type", message: tooDeep });
      }
      this.#isSound = false;
      return { value: null, place };
    }
    this.#around.add(node);
    const value = isMap(node) ? this.#map(node.items, inner, spot) : this.#list(node.items, inner, spot);
    this.#around.delete(node);
    return { value, place };
  }

  #list(items: readonly unknown[], inner: Map<string, Place>, spot: Spot): Written {
    return items.map((item, index) => {
      const child = this.convert(item, this.#dashOf(item) ?? spot);
      inner.set(String(index), child.place);
      return child.value;
    });
  }

  /** The dash of an item that was left out. */
  #dashOf(item: unknown): Spot | undefined {
    const [start] = (item as { range?: readonly number[] | null } | null)?.range ?? [];
    if (start === undefined) return undefined;
    const dash = this.#source.text.lastIndexOf("-", this.#offset + start - 1);
    return dash < this.#offset ? undefined : { source: this.#source, start: dash, end: dash + 1 };
  }

  #map(items: readonly Pair[], inner: Map<string, Place>, spot: Spot): Written {
    const map = Object.create(null) as Record<string, Written>;
    for (const { key, value } of items) {
      const keySpot = this.#spotOf(key) ?? spot;
      if (!isScalar(key)) {
        this.#problems.add(keySpot, {
          code: "wrong-type",
          message: "a key must be plain text",
          hint: "put it in quotes",
        });
        this.#isSound = false; // what is missing is missing because of this
        continue;
      }
      const name = scalarText(key);
      const earlier = inner.get(name)?.key;
      if (earlier !== undefined) {
        const { line } = earlier.source.positionAt(earlier.start);
        this.#problems.add(keySpot, {
          code: "duplicate-key",
          message: `'${name}' is already written on line ${line}`,
          hint: "keep one of the two",
        });
        continue;
      }
      const child = this.convert(value, keySpot, keySpot);
      inner.set(name, child.place);
      map[name] = child.value;
    }
    return map;
  }

  #unfold(anchor: string, place: Place): Tree {
    const target = this.#anchors.get(anchor);
    const bad = (message: string, hint: string): Tree => {
      if (this.#isSound) this.#problems.add(place.spot, { code: "bad-alias", message, hint });
      this.#isSound = false;
      return { value: null, place };
    };
    if (target === undefined) return bad(`there is no anchor '&${anchor}' before this`, "write the anchor first");
    if (this.#around.has(target)) return bad(`'*${anchor}' stands inside its own anchor`, "write the value out");
    if (this.#unfolded > maxUnfolded) {
      return bad(`aliases unfold to more than ${maxUnfolded} values`, "write the values out");
    }
    this.#unfolding++;
    const { value, place: unfolded } = this.convert(target, place.spot, place.key);
    this.#unfolding--;
    return { value, place: unfolded };
  }

  #spotOf(node: unknown): Spot | undefined {
    const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
    const [start, end] = range ?? [];
    if (start === undefined || end === undefined || end <= start) return undefined;
    return { source: this.#source, start: this.#offset + start, end: this.#offset + end };
  }
}

/** As it is spelled, without quotes: `yes` and `12` stay what they are. */
function scalarText(node: { source?: string; value: unknown }): string {
  return node.source ?? String(node.value);
}
