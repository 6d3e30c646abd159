import * as z from "zod";
import type { BoundaryData } from "../../../wire/index.js";
import type { ReadFile } from "../../sheet/csv.js";
import { keyed } from "../../sheet/field.js";
import { filledText, formed } from "../../fields/fields.js";
import { plainValueOf } from "../../sheet/plain-value.js";
import type { DocumentReader } from "../../sheet/document-reader.js";
import { isMap, type Path } from "../../sheet/raw-value.js";
import { readJson } from "./definitions.js";
import { listEntries } from "../entries.js";
import { nameField, dataMap, textList } from "../account-fields.js";
import { boundariesOfGeoJson, multiPolygonOf } from "./geojson.js";

const file = filledText("A GeoJSON file with all boundaries, by its path from this file.");

const geometry = dataMap("Its shape, a GeoJSON Polygon or MultiPolygon.");

const own = {
  "osm-id": formed(/^\S{1,15}$/, "an id of at most 15 characters", "Its id."),
  name: nameField("Its name.", { max: 128 }),
  aliases: textList("Other names.").optional(),
  geometry: geometry.optional(),
};

/** A boundary whose `parts` are read separately. */
const boundary = keyed({ ...own, parts: z.unknown().optional() });

/** The names of the levels, the country first (docs/reference/service-api.md#boundaries). */
const levels = ["country", "state", "district", "ward"] as const;

function schemaOf(level: number): z.ZodType {
  const next = levels[level + 1];
  if (next === undefined) return keyed(own);
  const parts = z.array(schemaOf(level + 1)).describe("What it is made of, one level down.");
  return keyed({ ...own, parts: parts.optional() });
}

/** `boundaries`: a list of countries, or a file. */
export const boundariesSchema: z.ZodType = z.union([z.array(schemaOf(0)), keyed({ file })]).nullable();

/** Reads `boundaries`. */
export function readBoundaries(reader: DocumentReader, readFile: ReadFile | undefined): BoundaryData[] {
  const top = ["boundaries"];
  if (!isMap(reader.at(top))) return readLevel(reader, top, 0);
  const given = reader.read(keyed({ file }), top);
  const path = [...top, "file"];
  const json = given === undefined ? undefined : readJson(reader, path, given.file, readFile);
  if (given === undefined || json === undefined) return [];
  const { boundaries, problems } = boundariesOfGeoJson(json.value);
  for (const problem of problems) {
    reader.reportProblem(path, { code: "bad-value", message: `'${given.file}': ${problem}`, whole: true });
  }
  return boundaries;
}

function readLevel(reader: DocumentReader, at: Path, level: number): BoundaryData[] {
  return listEntries(reader, at).flatMap(({ path }) => {
    const given = reader.read(boundary, path);
    const partsPath = [...path, "parts"];
    const isLowest = level === levels.length - 1;
    if (isLowest && (reader.at(partsPath) ?? null) !== null) {
      reader.reportProblem(partsPath, {
        code: "unknown-key",
        message: `a ${levels[level] ?? ""} has no parts: the levels are ${levels.join(", ")}`,
        whole: true,
        on: "key",
      });
    }
    const parts = isLowest ? [] : readLevel(reader, partsPath, level + 1);
    if (given === undefined) return [];
    return [
      {
        osmId: given["osm-id"],
        name: given.name,
        aliases: given.aliases ?? [],
        geometry: readGeometry(reader, [...path, "geometry"]),
        parts,
      },
    ];
  });
}

function readGeometry(reader: DocumentReader, path: Path): BoundaryData["geometry"] {
  const tree = reader.tree(path);
  if (tree === undefined || tree.value === null) return null;
  const shape = multiPolygonOf(plainValueOf(tree));
  if (typeof shape !== "string") return shape;
  reader.reportProblem(path, { code: "bad-value", message: shape });
  return null;
}
