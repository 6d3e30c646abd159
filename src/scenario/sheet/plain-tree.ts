import { maxDepth, tooDeep, type Tree } from "./document.js";
import type { Problems } from "./problems.js";
import type { Path, Place, Source, Spot, Written } from "./written.js";

/** Plain data as a tree whose places are no places in a text: each value has a number as its line. */
export interface PlainTree {
  readonly tree: Tree;
  /** The way to the value with a number. */
  pathOf(line: number): Path;
}

/**
 * Makes a tree of plain data (as of JSON), so that it can be read by the same schemas as a file: numbers and flags
 * become texts, as they would be spelled in one. What is deeper than files may be is told as a problem, and cut off.
 */
export function plainTree(data: unknown, problems: Problems): PlainTree {
  const paths: Path[] = [];
  const source: Source = { file: "", text: "", positionAt: (offset) => ({ line: offset, column: 1 }) };
  const visit = (value: unknown, path: Path): Tree => {
    const spot: Spot = { source, start: paths.length, end: paths.length + 1 };
    paths.push(path);
    const inner = new Map<string, Place>();
    const place: Place = path.length === 0 ? { spot, inner } : { spot, key: spot, inner };
    if (typeof value !== "object" || value === null) return { value: spelled(value), place };
    if (path.length > maxDepth) {
      problems.add(spot, { code: "wrong-type", message: tooDeep });
      return { value: null, place };
    }
    const into = (key: string | number, item: unknown): Written => {
      const child = visit(item, [...path, key]);
      inner.set(String(key), child.place);
      return child.value;
    };
    if (Array.isArray(value)) return { value: value.map((item, index) => into(index, item)), place };
    const map = Object.create(null) as Record<string, Written>;
    for (const [key, item] of Object.entries(value)) if (item !== undefined) map[key] = into(key, item);
    return { value: map, place };
  };
  const tree = visit(data, []);
  return { tree, pathOf: (line) => paths[line] ?? [] };
}

/** Data that is no map and no list; what JSON does not have is left out. */
function spelled(value: unknown): Written {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}
