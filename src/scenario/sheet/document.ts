import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Pair } from "yaml";
import type { Problems } from "./problems.js";
import type { Location, Source, Span, RawValue } from "./raw-value.js";
import { explainFault, strayCharacter } from "./yaml-faults.js";

/** A tree of values and, in the same shape, their locations. */
export interface ValueTree {
  readonly value: RawValue;
  readonly location: Location;
}

/** The source of a file. Lines end at line feeds, as in the `yaml` library. */
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
 * Reads YAML 1.2 (core schema) into values and locations.
 *
 * @param offset - where the YAML begins in the source
 * @returns undefined if the text is not well-formed, which is then reported
 */
export function readYaml(source: Source, problems: Problems, offset = 0): ValueTree | undefined {
  const text = source.text.slice(offset);
  const whole: Span = { source, start: offset, end: source.text.length };
  const stray = strayCharacter(text);
  if (stray !== undefined) {
    const { at, ...problem } = stray;
    problems.add({ source, start: offset + at, end: offset + at + 1 }, { code: "yaml-syntax", ...problem });
    return undefined;
  }
  const document = parseGuarded(text);
  // Later faults are mostly consequences of the first.
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
  const converter = new DocumentConverter(source, offset, problems);
  const tree = converter.convert(document.contents, whole);
  return converter.isSound ? tree : undefined;
}

/** Maximum depth of nesting. */
export const maxDepth = 40;
/** The message about deeper nesting. */
export const tooDeep: string = `nested deeper than ${maxDepth} levels`;

type ParsedDocument = ReturnType<typeof parseDocument>;

/** Catches the stack overflow of the `yaml` library, which is recursive, for a text of brackets only. */
function parseGuarded(text: string): ParsedDocument | undefined {
  try {
    return parseDocument(text, {
      version: "1.2",
      schema: "core",
      prettyErrors: false,
      uniqueKeys: false,
      logLevel: "error", // at 'silent' the library does not report a second document
    });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Maximum number of values that aliases expand to. */
const maxUnfolded = 20_000;

class DocumentConverter {
  readonly #source: Source;
  readonly #offset: number;
  readonly #problems: Problems;
  readonly #anchors = new Map<string, Node>();
  /** The ancestors of the current node, to find aliases inside their own anchor. */
  readonly #around = new Set<unknown>();
  #isSound = true;
  #unfolding = 0;
  #unfolded = 0;

  constructor(source: Source, offset: number, problems: Problems) {
    this.#source = source;
    this.#offset = offset;
    this.#problems = problems;
  }

  /** False if values are missing, as after an unknown alias or too deep nesting. */
  get isSound(): boolean {
    return this.#isSound;
  }

  /** @param fallback - the span for a missing value */
  convert(node: unknown, fallback: Span, key?: Span): ValueTree {
    const span = this.#spotOf(node) ?? fallback;
    const inner = new Map<string, Location>();
    const location: Location = { span, key, inner };
    if (isAlias(node)) return this.#unfold(node.source, location);
    if (this.#unfolding > 0) this.#unfolded++;
    else if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
    if (isScalar(node)) {
      if (node.value === null) return { value: null, location };
      const { value: plain } = node;
      const isPlain = typeof plain === "number" || typeof plain === "boolean";
      return { value: scalarText(node), location: isPlain ? { ...location, plain } : location };
    }
    if (!isMap(node) && !isSeq(node)) return { value: null, location };
    if (this.#around.size >= maxDepth) {
      if (this.#isSound) {
        this.#problems.add(span, { code: "wrong-type", message: tooDeep });
      }
      this.#isSound = false;
      return { value: null, location };
    }
    this.#around.add(node);
    const value = isMap(node) ? this.#map(node.items, inner, span) : this.#list(node.items, inner, span);
    this.#around.delete(node);
    return { value, location };
  }

  #list(items: readonly unknown[], inner: Map<string, Location>, span: Span): RawValue {
    return items.map((item, index) => {
      const child = this.convert(item, this.#dashOf(item) ?? span);
      inner.set(String(index), child.location);
      return child.value;
    });
  }

  /** The dash of a list item without a value. */
  #dashOf(item: unknown): Span | undefined {
    const [start] = (item as { range?: readonly number[] | null } | null)?.range ?? [];
    if (start === undefined) return undefined;
    const dash = this.#source.text.lastIndexOf("-", this.#offset + start - 1);
    return dash < this.#offset ? undefined : { source: this.#source, start: dash, end: dash + 1 };
  }

  #map(items: readonly Pair[], inner: Map<string, Location>, span: Span): RawValue {
    const map = Object.create(null) as Record<string, RawValue>;
    for (const { key, value } of items) {
      const keySpot = this.#spotOf(key) ?? span;
      if (!isScalar(key)) {
        this.#problems.add(keySpot, {
          code: "wrong-type",
          message: "a key must be plain text",
          hint: "put it in quotes",
        });
        this.#isSound = false; // this key may contain missing keys
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
      inner.set(name, child.location);
      map[name] = child.value;
    }
    return map;
  }

  #unfold(anchor: string, location: Location): ValueTree {
    const target = this.#anchors.get(anchor);
    const bad = (message: string, hint: string): ValueTree => {
      if (this.#isSound) this.#problems.add(location.span, { code: "bad-alias", message, hint });
      this.#isSound = false;
      return { value: null, location };
    };
    if (target === undefined) return bad(`there is no anchor '&${anchor}' before this`, "write the anchor first");
    if (this.#around.has(target)) return bad(`'*${anchor}' is inside its own anchor`, "write the value out");
    if (this.#unfolded > maxUnfolded) {
      return bad(`aliases unfold to more than ${maxUnfolded} values`, "write the values out");
    }
    this.#unfolding++;
    const { value, location: unfolded } = this.convert(target, location.span, location.key);
    this.#unfolding--;
    return { value, location: unfolded };
  }

  #spotOf(node: unknown): Span | undefined {
    const range = (node as { range?: readonly number[] | null } | null | undefined)?.range;
    const [start, end] = range ?? [];
    if (start === undefined || end === undefined || end <= start) return undefined;
    return { source: this.#source, start: this.#offset + start, end: this.#offset + end };
  }
}

/** The spelling of a scalar without its quotes: `yes` and `12` stay texts. */
function scalarText(node: { source?: string; value: unknown }): string {
  return node.source ?? String(node.value);
}
