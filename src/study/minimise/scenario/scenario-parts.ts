import type { RawValue, WrittenTree } from "../../../scenario/index.js";

/** A path in a written scenario: `["story", 3]`, `["people", "farmers", "count"]`. */
export type PartPath = readonly (string | number)[];

/** A part that a smaller scenario may lack. */
export interface ScenarioPart {
  readonly path: PartPath;
  /** `people`, `handsets`, `traffic`, `story`…: the top-level key around it; `key`: a top-level key by itself. */
  readonly family: string;
}

const groupKeys: readonly string[] = ["people", "handsets", "carriers"];
const listKeys: readonly string[] = ["traffic", "story", "expect", "checks", "mocks"];

/** Keys without which there is no scenario, or whose parts are removed one by one. */
const keptKeys: ReadonlySet<string> = new Set([...groupKeys, ...listKeys, "lasts", "seed", "starts"]);

/**
 * The parts of a scenario from coarse to fine: its groups of people, of handsets and of carriers, its entries of
 * traffic, its steps, its expectations, and its other top-level keys.
 */
export function coarseParts(tree: WrittenTree): ScenarioPart[] {
  const groups = groupKeys.flatMap((family) => {
    const value = tree[family];
    return isTree(value) ? Object.keys(value).map((name) => ({ path: [family, name], family })) : [];
  });
  const items = listKeys.flatMap((family) => {
    const value = tree[family];
    return Array.isArray(value) ? value.map((_, place) => ({ path: [family, place], family })) : [];
  });
  const keys = Object.keys(tree)
    .filter((key) => !keptKeys.has(key))
    .map((key) => ({ path: [key], family: "key" }));
  return [...groups, ...items, ...keys];
}

/** The parts within the coarse ones: the keys of maps and the items of lists, the outer ones first. */
export function fineParts(tree: WrittenTree): ScenarioPart[] {
  const parts: ScenarioPart[] = [];
  const visit = (value: RawValue | undefined, path: PartPath): void => {
    const family = String(path[0]);
    for (const [key, inner] of entriesOf(value)) {
      const at = [...path, key];
      if (at.length > 2) parts.push({ path: at, family });
      visit(inner, at);
    }
  };
  visit(tree, []);
  return parts.toSorted((a, b) => a.path.length - b.path.length);
}

/**
 * A scenario without some parts. With a group go the steps, entries of traffic and other parts that name it: without it
 * they mean nothing.
 */
export function withoutParts(tree: WrittenTree, parts: Iterable<ScenarioPart>): WrittenTree {
  const gone = [...parts];
  const names = new Set(
    gone
      .filter(({ path }) => path.length === 2 && groupKeys.includes(String(path[0])))
      .map(({ path }) => String(path[1])),
  );
  const paths = new Set(gone.map(({ path }) => JSON.stringify(path)));
  const isGone = (path: PartPath): boolean => paths.has(JSON.stringify(path));
  const copy = (value: RawValue, path: PartPath): RawValue | undefined => {
    if (isGone(path)) return undefined;
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.flatMap((item: RawValue, place) => {
        const at = [...path, place];
        const isPart = path.length === 1 && listKeys.includes(String(path[0]));
        if (isPart && namesOneOf(item, names)) return [];
        if (!isPart && typeof item === "string" && namesOneOf(item, names)) return [];
        const kept = copy(item, at);
        return kept === undefined ? [] : [kept];
      });
      return items.length === 0 && value.length > 0 ? undefined : items;
    }
    const kept = Object.entries(value).flatMap(([key, inner]): [string, RawValue][] => {
      const now = copy(inner, [...path, key]);
      return now === undefined ? [] : [[key, now]];
    });
    return kept.length === 0 && path.length === 1 ? undefined : Object.fromEntries(kept);
  };
  return copy(tree, []) as WrittenTree;
}

/** A scenario with another value at a path. */
export function withValue(tree: WrittenTree, path: PartPath, value: RawValue): WrittenTree {
  const replaced = (at: RawValue | undefined, [key, ...rest]: PartPath): RawValue => {
    if (key === undefined) return value;
    if (Array.isArray(at)) return at.map((item: RawValue, place) => (place === key ? replaced(item, rest) : item));
    const map = isTree(at) ? at : {};
    return { ...map, [String(key)]: replaced(map[String(key)], rest) };
  };
  return replaced(tree, path) as WrittenTree;
}

/** The scalars of a scenario with their paths, in the order of the file. */
export function* scalarsOf(tree: WrittenTree): Generator<{ readonly path: PartPath; readonly text: string }> {
  const stack: { readonly path: PartPath; readonly value: RawValue }[] = [{ path: [], value: tree }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { path, value } = next;
    if (typeof value === "string") yield { path, text: value };
    const inner = entriesOf(value).map(([key, one]) => ({ path: [...path, key], value: one }));
    stack.push(...inner.toReversed());
  }
}

/** Whether a part names a group: `clinic`, `clinic/3`, `10% of clinic each time`. */
function namesOneOf(value: RawValue | undefined, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  if (typeof value === "string") {
    const [, name] =
      /^(?:[\d.]+%\s+of\s+)?([\p{L}_][\p{L}\p{N}_-]*)(?:\/[\d.]+)?(?:\s+each\s+time)?$/u.exec(value.trim()) ?? [];
    return name !== undefined && names.has(name);
  }
  // A list of groups may lose one of them.
  if (Array.isArray(value)) return value.length > 0 && value.every((item: RawValue) => namesOneOf(item, names));
  return entriesOf(value).some(([, inner]) => namesOneOf(inner, names));
}

function entriesOf(value: RawValue | undefined): [string | number, RawValue][] {
  if (Array.isArray(value)) return value.map((item: RawValue, place) => [place, item]);
  return isTree(value) ? Object.entries(value) : [];
}

function isTree(value: RawValue | undefined): value is WrittenTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
