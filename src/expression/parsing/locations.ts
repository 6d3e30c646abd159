import type { LocationTree } from "../environment.js";
import { spend } from "../values/meter.js";
import { toLowerCase } from "./tokens.js";

/** A country, state, district or ward with what is inside it. */
export interface NamedLocation {
  readonly name: string;
  readonly aliases?: readonly string[] | undefined;
  readonly children?: readonly NamedLocation[] | undefined;
}

/** Depth of a location below its country. */
export const locationLevels = { state: 1, district: 2, ward: 3 } as const;

/** Units of work to compare one of several places with the same name. */
const unitsOfPlace = 0.05;
/** Units of work to search a character of a text: each word and pair of words is looked up. */
const unitsOfCharacter = 0.4;

/** A location, as it is found by name. */
interface Place {
  readonly path: string;
  /** Of the location around it; "" for a country. */
  readonly parent: string;
}

/**
 * Makes the locations of a country searchable by name, alias and path (docs/reference/flows.md#has_state). A text with
 * `>` is a path, `rwanda > kigali city`, and finds its location on any level.
 */
export function locationTree(country: NamedLocation): LocationTree {
  const byPath = new Map<string, string>();
  const byName: Map<string, Place[]>[] = [];
  const add = (location: NamedLocation, level: number, parent: string): void => {
    const path = level === 0 ? location.name : `${parent} > ${location.name}`;
    byPath.set(pathKey(path), path);
    const names = (byName[level] ??= new Map());
    for (const name of [location.name, ...(location.aliases ?? [])]) {
      const places = names.get(toLowerCase(name));
      if (places === undefined) names.set(toLowerCase(name), [{ path, parent }]);
      else places.push({ path, parent });
    }
    for (const child of location.children ?? []) add(child, level + 1, path);
  };
  add(country, 0, "");
  return {
    find(level, text, parent) {
      const path = text.includes(">") ? byPath.get(pathKey(text)) : undefined;
      if (path !== undefined) return [path];
      const places = byName[level]?.get(toLowerCase(text)) ?? [];
      if (!spend(places.length * unitsOfPlace)) return [];
      return places.filter((place) => parent === undefined || place.parent === parent).map((place) => place.path);
    },
  };
}

/** Two spellings of a path have the same key: letter case, spaces around names, full stops at the end are ignored. */
function pathKey(path: string): string {
  let end = path.length;
  while (path[end - 1] === ".") end--;
  const names = toLowerCase(path.slice(0, end)).split(">");
  return names.map((name) => name.split(/\s+/).filter(Boolean).join(" ")).join(">");
}

/**
 * Locations of a level that a text names: by the whole text, else without its punctuation and spaces, else by the first
 * word that names one, else by the first pair of words (docs/reference/flows.md#has_state).
 *
 * @param level - 1 state, 2 district, 3 ward
 * @param parent - path of the location just above; undefined: anywhere
 * @returns paths
 */
export function findLocations(tree: LocationTree, level: number, text: string, parent?: string): readonly string[] {
  if (!spend(text.length * unitsOfCharacter)) return [];
  for (const name of possibleNames(text)) {
    const found = tree.find(level, name, parent);
    if (found.length > 0) return found;
  }
  return [];
}

function* possibleNames(text: string): Generator<string> {
  yield text;
  yield text.replace(/\W+/g, "");
  const words = text.split(/\W+/);
  yield* words;
  for (let index = 1; index < words.length; index++) yield `${words[index - 1]} ${words[index]}`;
}
