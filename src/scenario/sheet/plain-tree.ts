import { maxDepth, tooDeep, type ValueTree } from "./document.js";
import type { Problems } from "./problems.js";
import type { Path, Location, Source, Span, RawValue } from "./raw-value.js";

/** Plain data as a tree without source text: the `line` of each value is its number in the tree. */
export interface PlainTree {
  readonly tree: ValueTree;
  /** The path of the value with a number. */
  pathOf(line: number): Path;
}

/**
 * Makes a tree of plain data (parsed JSON), so that it can be read by the same schemas as a file: numbers and flags
 * become texts. A value nested deeper than files may be is reported and cut off.
 */
export function plainTree(data: unknown, problems: Problems): PlainTree {
  const paths: Path[] = [];
  const source: Source = { file: "", text: "", positionAt: (offset) => ({ line: offset, column: 1 }) };
  const visit = (value: unknown, path: Path): ValueTree => {
    const span: Span = { source, start: paths.length, end: paths.length + 1 };
    paths.push(path);
    const inner = new Map<string, Location>();
    const location: Location = path.length === 0 ? { span, inner } : { span, key: span, inner };
    if (typeof value === "number" || typeof value === "boolean") {
      return { value: String(value), location: { ...location, plain: value } };
    }
    if (typeof value !== "object" || value === null) {
      return { value: typeof value === "string" ? value : null, location };
    }
    if (path.length > maxDepth) {
      problems.add(span, { code: "wrong-type", message: tooDeep });
      return { value: null, location };
    }
    const into = (key: string | number, item: unknown): RawValue => {
      const child = visit(item, [...path, key]);
      inner.set(String(key), child.location);
      return child.value;
    };
    if (Array.isArray(value)) return { value: value.map((item, index) => into(index, item)), location };
    const map = Object.create(null) as Record<string, RawValue>;
    for (const [key, item] of Object.entries(value)) if (item !== undefined) map[key] = into(key, item);
    return { value: map, location };
  };
  const tree = visit(data, []);
  return { tree, pathOf: (line) => paths[line] ?? [] };
}
