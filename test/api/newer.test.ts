import { describe, expect, it } from "vitest";
import { newerResources } from "../../src/api/resources/newer.js";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const names = newerResources.map(({ name }) => name);

describe("resources of newer versions of the service", () => {
  it.each(names)("%s is an empty list, in the index and in the document", async (name) => {
    const rig = await Rig.start();
    const answer = await rig.get(`${name}.json?uuid=x&key=y&cursor=`);
    expect(answer).toMatchObject({ status: 200, body: { next: null, previous: null, results: [] } });
    expectConforming(rig, `GET ${name}.json`, answer);
    expect(Object.keys((await rig.get(".json")).body)).toContain(name);
    expect((await rig.post(`${name}.json`, {})).status).toBe(405);
  });

  it("do not exist in strict mode", async () => {
    const rig = await Rig.start({ isStrict: true });
    for (const name of names) {
      expect(await rig.get(`${name}.json`)).toMatchObject({ status: 404, body: { detail: "Not found." } });
      expect(await rig.post(`${name}.json`, {})).toMatchObject({ status: 404, body: { detail: "Not found." } });
    }
    expect(Object.keys((await rig.get(".json")).body).filter((name) => names.includes(name))).toEqual([]);
  });
});
