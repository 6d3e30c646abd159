import * as z from "zod";
import type { BoundaryData } from "../../../wire/index.js";
import type { ReadFile } from "../../sheet/csv.js";
import { keyed } from "../../sheet/field.js";
import { filledText, formed } from "../../fields/fields.js";
import { jsonOf } from "../../sheet/plain-value.js";
import type { Sheet } from "../../sheet/sheet.js";
import { isMap, type Path } from "../../sheet/written.js";
import { readJson } from "./definitions.js";
import { listEntries } from "../entries.js";
import { called, dataMap, someTexts } from "../account-fields.js";
import { boundariesOfGeoJson, multiPolygonOf } from "./geojson.js";

const file = filledText("A GeoJSON file with all boundaries, by its path from this file.");

const geometry = dataMap("Its shape, a GeoJSON Polygon or MultiPolygon.");

const own = {
  "osm-id": formed(/^\S{1,15}$/, "an id of at most 15 characters", "Its id."),
  name: called("Its name.", { max: 128 }),
  aliases: someTexts("Other names.").optional(),
  geometry: geometry.optional(),
};

/** The parts are read apart. */
const boundary = keyed({ ...own, parts: z.unknown().optional() });

/** The names of the levels, the country first (service-api.md 2.1). */
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
export function readBoundaries(sheet: Sheet, readFile: ReadFile | undefined): BoundaryData[] {
  const top = ["boundaries"];
  if (!isMap(sheet.at(top))) return readLevel(sheet, top, 0);
  const given = sheet.read(keyed({ file }), top);
  const path = [...top, "file"];
  const json = given === undefined ? undefined : readJson(sheet, path, given.file, readFile);
  if (given === undefined || json === undefined) return [];
  const { boundaries, problems } = boundariesOfGeoJson(json.value);
  for (const problem of problems) {
    sheet.tell(path, { code: "bad-value", message: `'${given.file}': ${problem}`, whole: true });
  }
  return boundaries;
}

function readLevel(sheet: Sheet, at: Path, level: number): BoundaryData[] {
  return listEntries(sheet, at).flatMap(({ path }) => {
    const given = sheet.read(boundary, path);
    const partsPath = [...path, "parts"];
    const isLowest = level === levels.length - 1;
    if (isLowest && (sheet.at(partsPath) ?? null) !== null) {
      sheet.tell(partsPath, {
        code: "unknown-key",
        message: `a ${levels[level] ?? ""} has no parts: the levels are ${levels.join(", ")}`,
        whole: true,
        on: "key",
      });
    }
    const parts = isLowest ? [] : readLevel(sheet, partsPath, level + 1);
    if (given === undefined) return [];
    return [
      {
        osmId: given["osm-id"],
        name: given.name,
        aliases: given.aliases ?? [],
        geometry: readGeometry(sheet, [...path, "geometry"]),
        parts,
      },
    ];
  });
}

function readGeometry(sheet: Sheet, path: Path): BoundaryData["geometry"] {
  const tree = sheet.tree(path);
  if (tree === undefined || tree.value === null) return null;
  const shape = multiPolygonOf(jsonOf(tree));
  if (typeof shape !== "string") return shape;
  sheet.tell(path, { code: "bad-value", message: shape });
  return null;
}
