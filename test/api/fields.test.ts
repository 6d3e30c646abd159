import { beforeEach, describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

describe("fields", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });

  it("are added, listed, found and changed; the key stays", async () => {
    const added = await rig.post("fields.json", { label: " First dose ", value_type: "datetime" });
    expect(added).toMatchObject({
      status: 201,
      body: { key: "first_dose", label: "First dose", value_type: "datetime", name: "First dose", type: "datetime" },
    });
    expectConforming(rig, "POST fields.json", added);
    await rig.post("fields.json", { label: "Bed nets", value_type: "numeric" });
    const listed = await rig.get("fields.json");
    expect(listed.body.results).toMatchObject([
      { key: "bed_nets", value_type: "numeric", type: "number" },
      { key: "first_dose" },
    ]);
    expectConforming(rig, "GET fields.json", listed);
    expect((await rig.get("fields.json?key=bed_nets")).body.results).toHaveLength(1);
    expect((await rig.get("fields.json?key=Bed_nets")).body.results).toEqual([]);
    const changed = await rig.post("fields.json?key=bed_nets", { label: "Nets", value_type: "text" });
    expect(changed).toMatchObject({ status: 200, body: { key: "bed_nets", label: "Nets", value_type: "text" } });
    expectConforming(rig, "POST fields.json", changed);
    expect(await rig.post("fields.json?key=nets", { label: "Nets", value_type: "text" })).toMatchObject({
      status: 404,
    });
    expect(await rig.post("fields.json?key=", { label: "Nets", value_type: "text" })).toMatchObject({ status: 404 });
    expect(await rig.delete("fields.json?key=nets")).toMatchObject({ status: 405 });
  });

  it("are accepted in the words of later versions", async () => {
    expect(await rig.post("fields.json", { name: "Age", type: "number" })).toMatchObject({
      status: 201,
      body: { key: "age", label: "Age", value_type: "numeric", name: "Age", type: "number" },
    });
    for (const type of ["text", "datetime", "state", "district", "ward"]) {
      expect(await rig.post("fields.json", { name: `A ${type}`, type })).toMatchObject({
        status: 201,
        body: { key: `a_${type}`, value_type: type, type },
      });
    }
  });

  it("need label and type, each in either spelling", async () => {
    const required = ["This field is required."];
    expect((await rig.post("fields.json")).body).toEqual({ label: required, value_type: required });
    expect((await rig.post("fields.json", { name: "Age" })).body).toEqual({ value_type: required });
    expect((await rig.post("fields.json", { type: "text" })).body).toEqual({ label: required });
    expect((await rig.post("fields.json", { label: "", value_type: "words" })).body).toEqual({
      label: ["This field may not be blank."],
      value_type: ['"words" is not a valid choice.'],
    });
    expect((await rig.post("fields.json", { label: "A", value_type: "number" })).status).toBe(400);
    expect((await rig.post("fields.json", { name: "A", type: "numeric" })).status).toBe(400);
    for (const value_type of [null, 1, ["text"], "TEXT"]) {
      expect((await rig.post("fields.json", { label: "A", value_type })).status).toBe(400);
    }
    expect((await rig.get("fields.json")).body.results).toEqual([]);
  });

  it.each([
    "Name",
    "first name",
    "Phone",
    "tel-e164",
    "Facebook",
    "1st dose",
    "- -",
    "Größe",
    "a_b",
    "x".repeat(37),
    "a\0b",
    ["Age"],
    { label: "Age" },
  ])("refuse the label %j", async (label) => {
    expect(await rig.post("fields.json", { label, value_type: "text" })).toMatchObject({
      status: 400,
      body: { label: [expect.any(String)] },
    });
  });

  it("have labels that are unique in any case, and keys that are unique", async () => {
    await rig.post("fields.json", { label: "First dose", value_type: "text" });
    expect((await rig.post("fields.json", { label: "FIRST dose", value_type: "text" })).body).toEqual({
      label: ["This field must be unique."],
    });
    expect((await rig.post("fields.json", { label: "First-dose", value_type: "text" })).body).toEqual({
      label: ["The label makes the key first_dose, which another field has."],
    });
    await rig.post("fields.json", { label: "Second dose", value_type: "text" });
    const taken = await rig.post("fields.json?key=second_dose", { label: "first DOSE", value_type: "text" });
    expect(taken).toMatchObject({ status: 400, body: { label: ["This field must be unique."] } });
    const same = await rig.post("fields.json?key=second_dose", { label: "SECOND dose", value_type: "text" });
    expect(same).toMatchObject({ status: 200, body: { label: "SECOND dose" } });
  });

  it("have at most 200 in an account", async () => {
    const { fields } = rig.service.account;
    for (let index = 1; index <= 200; index++) fields.add({ key: `f${index}`, label: `F${index}`, type: "text" });
    expect(await rig.post("fields.json", { label: "One more", value_type: "text" })).toMatchObject({
      status: 400,
      body: { non_field_errors: [expect.stringContaining("200")] },
    });
    expect(await rig.post("fields.json?key=f1", { label: "G1", value_type: "text" })).toMatchObject({ status: 200 });
  });

  it("all appear in every contact, null when not set", async () => {
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
    const { body: amina } = await rig.post("contacts.json", { fields: { age: "34" } });
    await rig.post("fields.json", { label: "Constructor", value_type: "text" });
    expect((await rig.get(`contacts.json?uuid=${amina.uuid}`)).body.results[0].fields).toEqual({
      age: "34",
      constructor: null,
    });
  });

  it("show their values by type, which may change", async () => {
    await rig.post("fields.json", { label: "Dose", value_type: "text" });
    const { body: amina } = await rig.post("contacts.json", { fields: { dose: "2026-03-01 08:30" } });
    const shown = async (): Promise<unknown> =>
      (await rig.get(`contacts.json?uuid=${amina.uuid}`)).body.results[0].fields.dose;
    expect(await shown()).toBe("2026-03-01 08:30");
    await rig.post("fields.json?key=dose", { label: "Dose", value_type: "datetime" });
    expect(await shown()).toBe("2026-03-01T05:30:00.000000Z");
    await rig.post("fields.json?key=dose", { label: "Dose", value_type: "numeric" });
    expect(await shown()).toBeNull();
    await rig.post("fields.json?key=dose", { label: "Dose", value_type: "text" });
    expect(await shown()).toBe("2026-03-01 08:30");
  });

  it("are readable by surveyors but not by viewers", async () => {
    expect(await rig.get("fields.json", { authorization: "Token surveyor" })).toMatchObject({ status: 200 });
    expect(await rig.get("fields.json", { authorization: "Token viewer" })).toMatchObject({ status: 403 });
    expect(await rig.get("groups.json", { authorization: "Token surveyor" })).toMatchObject({ status: 403 });
  });
});
