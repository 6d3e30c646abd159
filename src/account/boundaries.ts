import { type NamedLocation, locationLevels, locationTree, type LocationTree } from "../expression/index.js";
import { type BoundaryData, ownValue } from "../wire/index.js";
import { Memo } from "./text/memo.js";

/** 0 country, 1 state or province, 2 district, 3 ward (docs/reference/service-api.md#boundaries). */
export type BoundaryLevel = 0 | 1 | 2 | 3;

/** An administrative boundary, as it is stored. Its geometry, which can be large, is read separately. */
export interface BoundaryRow {
  /** At most 15 characters. */
  readonly osmId: string;
  readonly name: string;
  readonly level: BoundaryLevel;
  /** `osmId` of the enclosing boundary; null for a country. */
  readonly parent: string | null;
  /** Other names, sorted. */
  readonly aliases: readonly string[];
}

export type Geometry = NonNullable<BoundaryData["geometry"]>;

/** Where boundaries are stored. The store implements it. */
export interface BoundaryTable {
  all(): BoundaryRow[];
  /** The geometries of these boundaries, by id; without those that have none. */
  geometriesOf(osmIds: readonly string[]): Map<string, Geometry>;
  /** Inserts a boundary, or replaces the one with its id. */
  put(row: BoundaryRow, geometry: Geometry | null): void;
}

/** A boundary and the path to it. */
export interface PlacedBoundary {
  readonly boundary: BoundaryRow;
  /** From the country down to it: `Kenya > Mombasa`. */
  readonly path: string;
}

/** The position of a boundary: `parent` is the `osmId` of the enclosing one; null for a country. */
export interface BoundaryPlace {
  readonly level: number;
  readonly parent: string | null;
}

/** Limits a search for a boundary. */
export interface PlaceQuery {
  readonly level: BoundaryLevel;
  /** `osmId` of an enclosing boundary; undefined searches everywhere. */
  readonly within?: string | undefined;
}

/** Countries with their states, districts and wards. */
export class Boundaries {
  readonly #table: BoundaryTable;
  #gazetteer: Gazetteer | undefined;
  #trees: readonly LocationTree[] | undefined;
  readonly #tree: LocationTree = {
    find: (level, text, parent) => this.#countries().flatMap((country) => country.find(level, text, parent)),
  };
  #depth: number | undefined;
  #version = 0;

  constructor({ table }: { table: BoundaryTable }) {
    this.#table = table;
  }

  /** Counts the changes since the account was opened. */
  get version(): number {
    return this.#version;
  }

  /** Adds a boundary without its parts, or replaces the one with its id. One below wards is ignored. */
  put({ osmId, name, aliases, geometry }: Omit<BoundaryData, "parts">, { level, parent }: BoundaryPlace): void {
    if (!isLevel(level)) return;
    this.#gazetteer = undefined;
    this.#trees = undefined;
    this.#depth = undefined;
    this.#version++;
    this.#table.put({ osmId, name, level, parent, aliases: aliases.toSorted() }, geometry);
  }

  /**
   * Finds the boundary that a text names: by a path (`Kenya > Mombasa`), or by name or alias in any letter case. Tries
   * the whole text, the text without punctuation, each word and each pair of words, in this order
   * (docs/reference/flows.md#has_state).
   *
   * @returns undefined when none or several match
   */
  find(text: string, query: PlaceQuery): PlacedBoundary | undefined {
    this.#gazetteer ??= new Gazetteer(this.#table.all());
    return this.#gazetteer.find(text, query);
  }

  /** The deepest level in use: 0 when there are no states, or no boundaries at all. */
  get depth(): number {
    this.#depth ??= this.#table.all().reduce((depth, { level }) => Math.max(depth, level), 0);
    return this.#depth;
  }

  /** All countries, as the location tests of flows search them; undefined when there are no boundaries. */
  get locations(): LocationTree | undefined {
    return this.#countries().length === 0 ? undefined : this.#tree;
  }

  #countries(): readonly LocationTree[] {
    return (this.#trees ??= countriesOf(this.#table.all()).map(locationTree));
  }
}

/** A country and all its parts, each with its place; a boundary comes before its parts. */
export function* boundariesIn(
  boundary: BoundaryData,
  place: BoundaryPlace = { level: 0, parent: null },
): Generator<[BoundaryData, BoundaryPlace], void> {
  yield [boundary, place];
  for (const part of boundary.parts) yield* boundariesIn(part, { level: place.level + 1, parent: boundary.osmId });
}

/** The level of places by its name: `state`, `district` or `ward`. */
export function boundaryLevelOf(name: string): number {
  return ownValue<number>(locationLevels, name) ?? 0;
}

function countriesOf(rows: readonly BoundaryRow[]): NamedLocation[] {
  const children = new Map<string | null, BoundaryRow[]>();
  for (const row of rows) {
    const siblings = children.get(row.parent);
    if (siblings === undefined) children.set(row.parent, [row]);
    else siblings.push(row);
  }
  const locationsIn = (parent: string | null): NamedLocation[] =>
    (children.get(parent) ?? []).map(({ osmId, name, aliases }) => ({ name, aliases, children: locationsIn(osmId) }));
  return locationsIn(null);
}

/** Whether a level exists: wards, at level 3, have no parts. */
function isLevel(level: number): level is BoundaryLevel {
  return level <= 3;
}

/** Boundaries by name, in memory, because one posted contact can name three of them. */
class Gazetteer {
  readonly #byId = new Map<string, BoundaryRow>();
  readonly #byName = new Map<string, BoundaryRow[]>();
  readonly #memo = new Memo<PlacedBoundary | undefined>();

  constructor(rows: readonly BoundaryRow[]) {
    for (const row of rows) {
      this.#byId.set(row.osmId, row);
      for (const name of new Set([row.name, ...row.aliases].map(folded))) {
        const key = keyOf(row.level, name);
        const same = this.#byName.get(key);
        if (same === undefined) this.#byName.set(key, [row]);
        else same.push(row);
      }
    }
  }

  find(text: string, query: PlaceQuery): PlacedBoundary | undefined {
    return this.#memo.getOrCompute(`${query.level} ${query.within ?? ""} ${text}`, () =>
      this.#findUncached(text, query),
    );
  }

  #findUncached(text: string, query: PlaceQuery): PlacedBoundary | undefined {
    for (const words of spellingsOf(text)) {
      const found = this.#findNamed(words, query);
      if (found !== undefined) return { boundary: found, path: this.#pathOf(found).join(" > ") };
    }
    return undefined;
  }

  #findNamed(words: string, { level, within }: PlaceQuery): BoundaryRow | undefined {
    const steps = words.split(">").map(folded);
    const found = (this.#byName.get(keyOf(level, steps.at(-1) ?? "")) ?? []).filter(
      (row) =>
        (within === undefined || this.#isWithin(row, within)) && (steps.length === 1 || this.#hasPath(row, steps)),
    );
    return found.length === 1 ? found[0] : undefined;
  }

  /** Names from the country down. */
  #pathOf(row: BoundaryRow): string[] {
    const parent = this.#parentOf(row);
    return parent === undefined ? [row.name] : [...this.#pathOf(parent), row.name];
  }

  #isWithin(row: BoundaryRow, osmId: string): boolean {
    const parent = this.#parentOf(row);
    return parent !== undefined && (parent.osmId === osmId || this.#isWithin(parent, osmId));
  }

  #hasPath(row: BoundaryRow, steps: readonly string[]): boolean {
    const path = this.#pathOf(row).map(folded);
    return path.length === steps.length && steps.every((step, index) => step === path[index]);
  }

  #parentOf({ parent }: BoundaryRow): BoundaryRow | undefined {
    return parent === null ? undefined : this.#byId.get(parent);
  }
}

function folded(name: string): string {
  return name.normalize("NFC").trim().toLowerCase();
}

function keyOf(level: BoundaryLevel, name: string): string {
  return `${level} ${name}`;
}

/** Candidate names in a text, most likely first. A path is its only candidate. */
function* spellingsOf(text: string): Generator<string> {
  yield text;
  if (text.includes(">")) return;
  const words = text.split(/[^\p{L}\p{N}\p{M}]+/u).filter((word) => word !== "");
  yield words.join(" ");
  yield* words;
  for (const [index, word] of words.slice(1).entries()) yield `${words[index]} ${word}`;
}
