import { beforeEach, describe, expect, it } from "vitest";
import { flowData, legacyDefinition, nativeDefinition, node, uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

const stock = nativeDefinition(uuidOf(1), "Stock check");

describe("flows", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });

  it("are listed newest first, with their results and the counts of their runs", async () => {
    const { account } = rig.service;
    const flow = account.flows.add(flowData(stock, { labels: ["Health", "health"], expiresMinutes: 60 }));
    rig.service.passTo(60_000);
    account.flows.add(flowData(legacyDefinition(uuidOf(2), "Old", 10), { isArchived: true, type: "survey" }));
    const { row: contact } = account.contacts.add({ name: "Amina" });
    const run = { flow, contact, agoMs: 0, lastedMs: 0, path: [], results: [] };
    for (const exit of [null, "completed", "expired", "completed"] as const) account.runs.add({ ...run, exit });

    const answered = await rig.get("flows.json");
    expectConforming(rig, "GET flows.json", answered);
    const [old, first] = answered.body.results;
    expect(old).toMatchObject({
      uuid: uuidOf(2),
      name: "Old",
      type: "survey",
      archived: true,
      results: [],
      labels: [],
    });
    expect(old.runs).toEqual({ active: 0, waiting: 0, completed: 0, interrupted: 0, expired: 0, failed: 0 });
    expect(first).toEqual({
      uuid: uuidOf(1),
      name: "Stock check",
      type: "message",
      archived: false,
      labels: [{ uuid: first.labels[0].uuid, name: "Health" }],
      expires: 60,
      runs: { active: 1, waiting: 0, completed: 2, interrupted: 0, expired: 1, failed: 0 },
      results: [{ key: "nets_left", name: "Nets left", categories: ["Has number", "Other"], node_uuids: [node(1)] }],
      parent_refs: [],
      created_on: "2026-03-04T06:00:00.000000Z",
      modified_on: "2026-03-04T06:00:00.000000Z",
    });
  });

  it("are filtered by UUID, type, archived and time of modification", async () => {
    const { flows } = rig.service.account;
    flows.add(flowData(stock));
    rig.service.passTo(1000);
    flows.add(flowData(legacyDefinition(uuidOf(2), "Old", 10), { isArchived: true }));
    rig.service.passTo(2000);
    flows.add(flowData({ ...stock, name: "Stock check 2" }, { name: "Stock check 2" }));
    const names = async (query: string): Promise<string[]> => {
      const { body } = await rig.get(`flows.json?${query}`);
      return body.results.map(({ name }: { name: string }) => name);
    };
    expect(await names("")).toEqual(["Old", "Stock check 2"]);
    expect(await names(`uuid=${uuidOf(2)}`)).toEqual(["Old"]);
    expect(await names(`uuid=${uuidOf(1).toUpperCase()}`)).toEqual(["Stock check 2"]);
    expect(await names("uuid=none")).toEqual([]);
    expect(await names("archived=1")).toEqual(["Old"]);
    expect(await names("archived=false")).toEqual(["Stock check 2"]);
    expect(await names("type=voice")).toEqual([]);
    expect(await names("after=2026-03-04T06:00:02.000")).toEqual(["Stock check 2"]);
    expect(await names("before=2026-03-04T06:00:01.000")).toEqual(["Old"]);
  });

  it("cannot be posted, and report invalid filters", async () => {
    expect((await rig.post("flows.json", { name: "x" })).status).toBe(405);
    const strict = await Rig.start({ isStrict: true });
    expect(await strict.get("flows.json?uuid=none")).toMatchObject({
      status: 400,
      body: { detail: "Value for uuid must be a valid UUID" },
    });
  });
});
