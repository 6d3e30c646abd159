import { beforeEach, describe, expect, it } from "vitest";
import { uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

describe("campaigns", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    rig.service.account.groups.add({ name: "Field staff", uuid: uuidOf(1) });
    rig.service.account.groups.add({ name: "Nurses", uuid: uuidOf(2) });
  });

  it("are added, listed, found and changed; the group may be a UUID or a name", async () => {
    const added = await rig.post("campaigns.json", { name: " Dose reminders ", group: "FIELD staff" });
    expectConforming(rig, "POST campaigns.json", added);
    expect(added).toMatchObject({
      status: 201,
      body: {
        name: "Dose reminders",
        archived: false,
        group: { uuid: uuidOf(1), name: "Field staff" },
        created_on: "2026-03-04T06:00:00.000000Z",
      },
    });
    const { uuid } = added.body;
    const changed = await rig.post(`campaigns.json?uuid=${uuid}`, { name: "dose reminders", group: uuidOf(2) });
    expect(changed).toMatchObject({ status: 200, body: { uuid, name: "dose reminders", group: { name: "Nurses" } } });
    await rig.post("campaigns.json", { name: "Second", group: uuidOf(2) });
    const listed = await rig.get("campaigns.json");
    expectConforming(rig, "GET campaigns.json", listed);
    expect(listed.body.results).toMatchObject([{ name: "Second" }, { uuid }]);
    expect((await rig.get(`campaigns.json?uuid=${uuid}`)).body.results).toEqual([changed.body]);
    expect((await rig.get(`campaigns.json?uuid=${uuidOf(9)}`)).body.results).toEqual([]);
  });

  it("keep the name of a deleted group", async () => {
    await rig.post("campaigns.json", { name: "Doses", group: "Nurses" });
    expect((await rig.delete(`groups.json?uuid=${uuidOf(2)}`)).status).toBe(204);
    expect((await rig.get("campaigns.json")).body.results).toMatchObject([{ group: { name: "Nurses" } }]);
  });

  it("report the errors of all fields together, and change nothing", async () => {
    await rig.post("campaigns.json", { name: "Doses", group: "Nurses" });
    for (const [body, errors] of [
      [{}, { name: ["This field is required."], group: ["This field is required."] }],
      [
        { name: "", group: "" },
        { name: ["This field may not be blank."], group: ["This field may not be null."] },
      ],
      [
        { name: ["x"], group: { uuid: uuidOf(1) } },
        { name: ["Not a valid string."], group: ["Must be a string or integer"] },
      ],
      [{ name: "x".repeat(256), group: "Nurses" }, { name: ["Ensure this field has no more than 255 characters."] }],
      [{ name: "DOSES", group: "Nurses" }, { name: ["This field must be unique."] }],
      [{ name: "x", group: "Nobody" }, { group: ["No such object: Nobody"] }],
    ]) {
      expect(await rig.post("campaigns.json", body)).toMatchObject({ status: 400, body: errors });
    }
    expect((await rig.post(`campaigns.json?uuid=${uuidOf(9)}`, {})).status).toBe(404);
    expect((await rig.delete(`campaigns.json?uuid=${uuidOf(9)}`)).status).toBe(405);
    expect((await rig.get("campaigns.json")).body.results).toHaveLength(1);
  });
});
