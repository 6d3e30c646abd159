import { beforeEach, describe, expect, it } from "vitest";
import type { BoundaryData } from "../../src/wire/index.js";
import { addCountry } from "../account/add-country.js";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const square = (x: number, y: number): NonNullable<BoundaryData["geometry"]> => ({
  type: "MultiPolygon",
  coordinates: [[[[x, y], [x + 1, y], [x + 1, y + 1], [x, y + 1], [x, y]]]], // prettier-ignore
});

function part(osmId: string, name: string, parts: readonly BoundaryData[] = []): BoundaryData {
  return { osmId, name, aliases: [], geometry: null, parts };
}

const country: BoundaryData = {
  osmId: "R9",
  name: "Ilmar",
  aliases: [],
  geometry: square(0, 0),
  parts: [
    {
      ...part("R10", "Coast", [
        part("R101", "Salt Bay", [part("R1011", "Old Harbour"), part("R1012", "Éperon")]),
        part("R102", "Reef"),
      ]),
      aliases: ["Pwani", "Littoral"],
      geometry: square(2, 0),
    },
    part("R11", "Hills", [part("R103", "Reef"), part("R104", "Upper Vale")]),
  ],
};

describe("boundaries", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    addCountry(rig.service.account.boundaries, country);
  });

  it("are listed by OSM id as text, each with its enclosing boundary", async () => {
    const answered = await rig.get("boundaries.json");
    expectConforming(rig, "GET boundaries.json", answered);
    expect(answered.body).toMatchObject({ next: null, previous: null });
    expect(answered.body.results.map((row: { osm_id: string }) => row.osm_id)).toEqual([
      "R10",
      "R101",
      "R1011",
      "R1012",
      "R102",
      "R103",
      "R104",
      "R11",
      "R9",
    ]);
    expect(answered.body.results[0]).toEqual({
      osm_id: "R10",
      name: "Coast",
      parent: { osm_id: "R9", name: "Ilmar" },
      level: 1,
      aliases: ["Littoral", "Pwani"],
      geometry: null,
    });
    expect(answered.body.results.at(-1)).toMatchObject({ name: "Ilmar", parent: null, level: 0 });
  });

  it("show their geometry on request", async () => {
    for (const yes of ["true", "1", "Y", "yes"]) {
      const answered = await rig.get(`boundaries.json?geometry=${yes}`);
      expectConforming(rig, "GET boundaries.json", answered);
      expect(answered.body.results[0].geometry).toEqual(square(2, 0));
      expect(answered.body.results[1].geometry).toBeNull();
    }
    expect((await rig.get("boundaries.json?geometry=no")).body.results[0].geometry).toBeNull();
  });

  it("are paged without gaps", async () => {
    const parts = Array.from({ length: 600 }, (_, index) => part(`T${index}`, `Town ${index}`));
    addCountry(rig.service.account.boundaries, part("S1", "Wide Land", parts));
    const seen: string[] = [];
    let path: string | undefined = "boundaries.json?geometry=1";
    while (path !== undefined) {
      const { body } = await rig.get(path);
      seen.push(...body.results.map((row: { osm_id: string }) => row.osm_id));
      path = body.next?.split("/api/v2/")[1];
      if (path !== undefined) expect(path).toContain("geometry=1");
    }
    expect(seen).toHaveLength(610);
    expect(seen).toEqual(seen.toSorted());
    expect(new Set(seen).size).toBe(610);
  });

  it("do not exist in an account without a country", async () => {
    rig.service.account.organisation.set({ country: null });
    expect((await rig.get("boundaries.json")).body).toEqual({ next: null, previous: null, results: [] });
  });

  it("may be read by surveyors", async () => {
    expect((await rig.get("boundaries.json", { authorization: "Token surveyor" })).status).toBe(200);
  });

  it.each([
    [1, "Coast", "Ilmar > Coast"],
    [1, "  cOAST ", "Ilmar > Coast"],
    [1, "pwani", "Ilmar > Coast"],
    [1, "Ilmar > Coast", "Ilmar > Coast"],
    [1, "Ilmar>coast", "Ilmar > Coast"],
    [1, "the coast, please!", "Ilmar > Coast"],
    [2, "in the Upper Vale I live", "Ilmar > Hills > Upper Vale"],
    [3, "éPERON", "Ilmar > Coast > Salt Bay > Éperon"],
    [0, "ilmar", "Ilmar"],
  ] as const)("of level %i named '%s' is found", (level, text, path) => {
    expect(rig.service.account.boundaries.find(text, { level })?.path).toBe(path);
  });

  it.each([
    [1, "Salt Bay", undefined],
    [1, "Elsewhere > Coast", undefined],
    [2, "Reef", undefined], // ambiguous: two boundaries have the name
    [2, "Reef", "R9"],
    [2, "Salt Bay", "R11"],
    [1, "", undefined],
    [1, " > ", undefined],
  ] as const)("of level %i named '%s' within %s is not found", (level, text, within) => {
    expect(rig.service.account.boundaries.find(text, { level, within })).toBeUndefined();
  });

  it("is distinguished from another with the same name by its enclosing boundary", () => {
    const { boundaries } = rig.service.account;
    expect(boundaries.find("Reef", { level: 2, within: "R11" })?.boundary.osmId).toBe("R103");
    expect(boundaries.find("Ilmar > Coast > Reef", { level: 2 })?.boundary.osmId).toBe("R102");
  });
});
