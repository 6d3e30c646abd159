import { beforeEach, describe, expect, it } from "vitest";
import { Rig } from "./rig.js";

describe("labels", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });

  it("are added, listed, found, renamed and deleted", async () => {
    const added = await rig.post("labels.json", { name: "Urgent" });
    expect(added).toMatchObject({ status: 201, body: { name: "Urgent", count: 0 } });
    const { uuid } = added.body;
    await rig.post("labels.json", { name: "Later" });
    expect((await rig.get("labels.json")).body).toMatchObject({
      next: null,
      previous: null,
      results: [{ name: "Later" }, { name: "Urgent" }],
    });
    expect((await rig.get("labels.json?name=URGENT")).body.results).toEqual([{ uuid, name: "Urgent", count: 0 }]);
    expect(await rig.post(`labels.json?uuid=${uuid}`, { name: "Very urgent" })).toMatchObject({
      status: 200,
      body: { uuid, name: "Very urgent" },
    });
    expect(await rig.delete(`labels.json?uuid=${uuid}`)).toMatchObject({ status: 204, body: "" });
    expect(await rig.delete(`labels.json?uuid=${uuid}`)).toMatchObject({ status: 404 });
  });

  it("have names that are unique in any case and begin with a letter or digit", async () => {
    await rig.post("labels.json", { name: "Économie" });
    const taken = { status: 400, body: { name: ["This field must be unique."] } };
    expect(await rig.post("labels.json", { name: "éCONOMIE" })).toMatchObject(taken);
    for (const [name, message] of [
      [undefined, "This field is required."],
      [null, "This field may not be null."],
      ["", "This field may not be blank."],
      ["x".repeat(65), "Ensure this field has no more than 64 characters."],
      [["a"], "Not a valid string."],
      ["+urgent", "The name must begin with a letter or a digit."],
    ] as const) {
      expect(await rig.post("labels.json", { name })).toMatchObject({ status: 400, body: { name: [message] } });
    }
    expect((await rig.get("labels.json")).body.results).toHaveLength(1);
  });
});
