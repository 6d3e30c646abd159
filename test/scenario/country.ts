import { type Stream, Streams } from "../../src/sim/index.js";

/**
 * Draws the country of the ready account: 20 wards, the cells of a bent grid, whose borders are broken up like real
 * ones; districts of two wards, states of two or three districts, and the country of all of them. Areas above the wards
 * are made by leaving out the borders inside them, so that neighbours share borders to the last digit and parts fill
 * what they are parts of. One ward has an island.
 */

type Position = readonly [longitude: number, latitude: number];
type Ring = readonly Position[];

interface Feature {
  readonly type: "Feature";
  readonly properties: {
    readonly osm_id: string;
    readonly name: string;
    readonly level: number;
    readonly parent: string | null;
    readonly aliases: readonly string[];
  };
  readonly geometry: { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly Ring[])[] };
}

/** Open sea, far from any land. */
const west = -3;
const south = -12;
const cellDegrees = 0.8;
const columns = 5;
const rows = 4;

const country = { name: "Velmara", aliases: ["Republic of Velmara", "Velmare"] };
const states = [
  { name: "Ahuni", aliases: ["Ahuni ya Kusini"] },
  { name: "Besolo", aliases: [] },
  { name: "Orlesh", aliases: ["Orleche"] },
  { name: "Tindavi", aliases: ["Tindave", "Tindavi Region"] },
];
const districts = "Anzuri Belvano Chitavu Dorvanes Eskuli Fenwari Gusondi Hablenko Ivoreti Jandoro".split(" ");
const wards = (
  "Kalvine Lomeru Mirzeti Nadovo Oskaru Pelunda Quilave Rumesti Sanjoro Teluvi " +
  "Undaro Vashole Wembari Xilano Yorvesi Zambrel Arvolo Bosheti Cuvande Delmisu"
).split(" ");
const aliases: Readonly<Record<string, readonly string[]>> = {
  Belvano: ["Belvano Rural"],
  Gusondi: ["Gusond"],
  Kalvine: ["Kalvin"],
  Teluvi: ["Old Teluvi", "Teluwi"],
};

/** A corner of the grid. */
type Corner = `${number},${number}`;

/** The whole country as GeoJSON. */
export function drawCountry(): { readonly type: "FeatureCollection"; readonly features: readonly Feature[] } {
  const sketch = new Sketch(new Streams(7));
  const cells = Array.from({ length: columns * rows }, (_, cell) => cell);
  const islandOf = (of: readonly number[]): readonly Ring[] => (of.includes(islandCell) ? [sketch.island()] : []);
  const draw = (of: readonly number[], properties: Omit<Feature["properties"], "aliases">): Feature => ({
    type: "Feature",
    properties: { ...properties, aliases: aliasesOf(properties) },
    geometry: { type: "MultiPolygon", coordinates: [sketch.outline(of), ...islandOf(of)].map((ring) => [ring]) },
  });
  const features = [
    draw(cells, { osm_id: "R9900", name: country.name, level: 0, parent: null }),
    ...states.map(({ name }, state) =>
      draw(
        cells.filter((cell) => stateOf(cell) === state),
        { osm_id: `R991${state}`, name, level: 1, parent: "R9900" },
      ),
    ),
    ...districts.map((name, district) => {
      const of = cells.filter((cell) => districtOf(cell) === district);
      return draw(of, { osm_id: `R992${district}`, name, level: 2, parent: `R991${stateOf(of[0] ?? 0)}` });
    }),
    ...wards.map((name, ward) => {
      const osm_id = `R99${30 + ward}`;
      return draw([ward], { osm_id, name, level: 3, parent: `R992${districtOf(ward)}` });
    }),
  ];
  return { type: "FeatureCollection", features };
}

function aliasesOf({ level, name }: { readonly level: number; readonly name: string }): readonly string[] {
  if (level === 0) return country.aliases;
  return (level === 1 ? states.find((state) => state.name === name)?.aliases : aliases[name]) ?? [];
}

/** Two cells above one another. */
function districtOf(cell: number): number {
  const column = cell % columns;
  return column + (Math.floor(cell / columns) < rows / 2 ? 0 : columns);
}

/** Two or three districts beside one another. */
function stateOf(cell: number): number {
  const column = cell % columns;
  if (Math.floor(cell / columns) < rows / 2) return column < 2 ? 0 : 1;
  return column < 3 ? 2 : 3;
}

/** The cell at the coast that has the island. */
const islandCell = columns - 1;

class Sketch {
  readonly #streams: Streams;

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  /** The border around some cells, against the clock; what runs between two of them is left out. */
  outline(cells: readonly number[]): Ring {
    const edges = new Map<Corner, Corner>();
    const all = cells.flatMap(edgesOf);
    const known = new Set(all.map(([from, to]) => `${from} ${to}`));
    for (const [from, to] of all) if (!known.has(`${to} ${from}`)) edges.set(from, to);
    const [start] = edges.keys();
    const ring: Position[] = [];
    for (let at = start; at !== undefined && (at !== start || ring.length === 0); at = edges.get(at)) {
      const to = edges.get(at);
      if (to !== undefined) ring.push(...this.#border(at, to));
    }
    return [...ring, ...ring.slice(0, 1)];
  }

  island(): Ring {
    const stream = this.#streams.get("island");
    const corners = Array.from({ length: 9 }, (_, corner): Position => {
      const angle = (corner / 9) * 2 * Math.PI;
      const radius = 0.1 + stream.next() * 0.06;
      return rounded([
        west + (columns + 0.55) * cellDegrees + Math.cos(angle) * radius,
        south + 0.4 + Math.sin(angle) * radius,
      ]);
    });
    return [...corners, ...corners.slice(0, 1)];
  }

  /** From one corner to the next, without the latter. Drawn once for both directions. */
  #border(from: Corner, to: Corner): Position[] {
    const [first, second] = from < to ? [from, to] : [to, from];
    const points = broken(this.#place(first), this.#place(second), this.#streams.get(`${first} ${second}`), 3);
    return (from < to ? points : points.toReversed()).slice(0, -1);
  }

  /** Where a corner of the grid lies: somewhat aside, and at the coast drawn in towards a round shape. */
  #place(corner: Corner): Position {
    const stream = this.#streams.get(`corner ${corner}`);
    const [column = 0, row = 0] = corner.split(",").map(Number);
    const aside = (): number => (stream.next() - 0.5) * 0.35;
    const [x, y] = [column + aside(), row + aside()];
    const [fromMiddle, fromCentre] = [(2 * x) / columns - 1, (2 * y) / rows - 1];
    const inwards = 1 - 0.17 * fromMiddle ** 2 * fromCentre ** 2;
    return rounded([
      west + (columns / 2 + (x - columns / 2) * inwards) * cellDegrees,
      south + (rows / 2 + (y - rows / 2) * inwards) * cellDegrees,
    ]);
  }
}

/** The sides of a cell, against the clock. */
function edgesOf(cell: number): [Corner, Corner][] {
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  const corners: Corner[] = [
    `${column},${row}`,
    `${column + 1},${row}`,
    `${column + 1},${row + 1}`,
    `${column},${row + 1}`,
  ];
  return corners.map((corner, place): [Corner, Corner] => [corner, corners[(place + 1) % 4] ?? corner]);
}

/** A line with its middle moved aside, and so for its halves. */
function broken(from: Position, to: Position, stream: Stream, times: number): Position[] {
  if (times === 0) return [from, to];
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const aside = (stream.next() - 0.5) * 0.3;
  const middle = rounded([from[0] + dx / 2 - dy * aside, from[1] + dy / 2 + dx * aside]);
  return [...broken(from, middle, stream, times - 1), ...broken(middle, to, stream, times - 1).slice(1)];
}

/** To about ten metres. */
function rounded([longitude, latitude]: Position): Position {
  return [Math.round(longitude * 1e4) / 1e4, Math.round(latitude * 1e4) / 1e4];
}
