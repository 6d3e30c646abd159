import { isAlias, isMap, isScalar, isSeq, type Node, parseDocument, type Pair } from "yaml";
import type { Problems } from "./problems.js";
import type { Place, Source, Spot, Written } from "./written.js";

/** A tree of values and, in the same shape, the places where they stand. */
export interface Tree {
  readonly value: Written;
  readonly place: Place;
}

/** A file's source. Lines end at line feeds, as for the YAML reader. */
export function sourceOf(file: string, text: string): Source {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), (feed) => feed.index + 1)];
  const positionAt = (offset: number): { line: number; column: number } => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: Math.min(offset, text.length) - (starts[low] ?? 0) + 1 };
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
  const document = parseGuarded(text);
  const whole: Spot = { source, start: offset, end: source.text.length };
  if (document === undefined) {
    problems.add(
      { ...whole, end: offset + 1 },
      { code: "yaml-syntax", message: "the text is nested too deeply to be read" },
    );
    return undefined;
  }
  // What follows the first fault is mostly said because of it.
  const [fault] = [...document.errors, ...document.warnings];
  if (fault !== undefined) {
    const [start, end] = fault.pos;
    problems.add(
      { source, start: offset + start, end: offset + Math.max(end, start + 1) },
      {
        code: fault.code === "BAD_ALIAS" ? "bad-alias" : "yaml-syntax",
        message: `not well-formed YAML: ${whatIsWrong(fault, text)}`,
        hint: hints[fault.code] ?? "check indentation, quotes and brackets here and on the line before",
      },
    );
    return undefined;
  }
  const converter = new Converter(source, offset, problems);
  const tree = converter.convert(document.contents, whole);
  return converter.isSound ? tree : undefined;
}

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

const hints: Readonly<Record<string, string>> = {
  BAD_ALIAS: "an anchor (&name) must stand before its aliases (*name)",
  BAD_DQ_ESCAPE: "write a backslash in double quotes as \\\\, or use single quotes",
  BAD_INDENT: "indent like the lines around it, and close every { and [ that was opened",
  BAD_SCALAR_START: "put the value in quotes",
  BLOCK_AS_IMPLICIT_KEY: "put a value that contains ': ' in quotes",
  BLOCK_IN_FLOW: "inside { } and [ ] separate by commas",
  MISSING_CHAR: "close what was opened, or put the value in quotes",
  MULTILINE_IMPLICIT_KEY: "a ':' is missing, or a quote was not closed",
  MULTIPLE_DOCS: "a scenario is one document: remove the '---'",
  TAB_AS_INDENT: "indent with spaces",
  TAG_RESOLVE_FAILED: "remove the tag (!…), or put the value in quotes",
  UNEXPECTED_TOKEN: "put the value in quotes if it begins with or contains a special character",
};

function whatIsWrong(fault: { code: string; message: string; pos: readonly [number, number] }, text: string): string {
  switch (fault.code) {
    case "UNEXPECTED_TOKEN":
      return `'${text.slice(fault.pos[0]).split(/\s/, 1)[0]?.slice(0, 20) ?? ""}' cannot stand here`;
    case "BLOCK_AS_IMPLICIT_KEY":
      return "a second ': ' on this line";
    case "MULTIPLE_DOCS":
      return "a second document begins here";
    default: {
      const first = (fault.message.split("\n", 1)[0] ?? "").replace(/[.:]$/, "");
      return first.charAt(0).toLowerCase() + first.slice(1);
    }
  }
}

/** How deep a scenario may be nested, and how many values aliases may unfold to. */
const maxDepth = 40;
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
    const place: Place = { spot, ...(key !== undefined && { key }), inner };
    if (isAlias(node)) return this.#unfold(node.source, place);
    if (this.#unfolding > 0) this.#unfolded++;
    else if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    if (isScalar(node)) return { value: node.value === null ? null : scalarText(node), place };
    if (!isMap(node) && !isSeq(node)) return { value: null, place };
    if (this.#around.size >= maxDepth) {
      if (this.#isSound) {
        this.#problems.add(spot, { code: "wrong-type", message: `nested deeper than ${maxDepth} levels` });
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
      const child = this.convert(item, spot);
      inner.set(String(index), child.place);
      return child.value;
    });
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
