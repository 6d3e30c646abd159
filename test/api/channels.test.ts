import { beforeEach, describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

describe("channels", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });

  const list = async (query = "") => (await rig.get(`channels.json${query}`)).body.results;

  it("are listed newest first, and found by UUID and by number", async () => {
    const answered = await rig.get("channels.json");
    expectConforming(rig, "GET channels.json", answered);
    const [second, first] = answered.body.results;
    expect(first).toEqual({
      uuid: first.uuid,
      name: "clinic/0",
      address: "+250788000001",
      type: "android",
      country: "RW",
      device: { name: first.device.name, power_level: -1, power_status: null, power_source: null, network_type: null },
      last_seen: "2026-03-04T06:00:00.000000Z",
      created_on: "2026-03-04T06:00:00.000000Z",
    });
    expect(await list(`?uuid=${second.uuid}`)).toEqual([second]);
    expect(await list("?address=%2B250788000001")).toEqual([first]);
    expect(await list("?address=+250788000001")).toEqual([first]);
    for (const query of ["?address=250788000001", `?uuid=${second.uuid}&address=%2B250788000001`, "?uuid=x"]) {
      expect(await list(query)).toEqual([]);
    }
    expect(await rig.post("channels.json", {})).toMatchObject({ status: 405 });
  });

  it("show the last reported state of the phone, in its own codes", async () => {
    const [, before] = await list();
    rig.service.sync(1, [], { powerLevel: 64, powerStatus: "CHA", powerSource: "AC", networkType: "UMTS" });
    const answered = await rig.get("channels.json");
    expectConforming(rig, "GET channels.json", answered);
    expect(answered.body.results[1].device).toEqual({
      name: before.device.name,
      power_level: 64,
      power_status: "CHA",
      power_source: "AC",
      network_type: "UMTS",
    });
    rig.service.passTo(31 * 86_400_000);
    expect((await list())[1].device).toMatchObject({ power_level: -1, power_status: null });
  });

  it("show when they were last seen, to five minutes", async () => {
    const seen = async (): Promise<string> => (await list())[1].last_seen;
    const sync = (atMs: number): void => {
      rig.service.passTo(atMs);
      rig.service.sync(1);
    };
    sync(200_000);
    expect(await seen()).toBe("2026-03-04T06:00:00.000000Z");
    sync(300_000);
    expect(await seen()).toBe("2026-03-04T06:00:00.000000Z");
    sync(300_001);
    expect(await seen()).toBe("2026-03-04T06:05:00.001000Z");
    sync(600_001);
    expect(await seen()).toBe("2026-03-04T06:05:00.001000Z");
  });
});
