import { beforeEach, describe, expect, it } from "vitest";
import { expectConforming } from "./conforms.js";
import { Rig } from "./rig.js";

describe("groups", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
  });

  it("are added, listed, found, renamed and deleted", async () => {
    const added = await rig.post("groups.json", { name: " Field staff " });
    expect(added).toMatchObject({
      status: 201,
      body: { name: "Field staff", query: null, status: "ready", system: false, count: 0 },
    });
    expectConforming(rig, "POST groups.json", added);
    const { uuid } = added.body;
    await rig.post("groups.json", { name: "Farmers" });
    const listed = await rig.get("groups.json");
    expect(listed.body.results).toMatchObject([{ name: "Farmers" }, { name: "Field staff" }]);
    expectConforming(rig, "GET groups.json", listed);
    expect((await rig.get("groups.json?name=FIELD%20staff")).body.results).toMatchObject([{ uuid }]);
    expect((await rig.get(`groups.json?uuid=${uuid.toUpperCase()}`)).body.results).toMatchObject([{ uuid }]);
    expect((await rig.get("groups.json?name=Field")).body.results).toEqual([]);
    expect((await rig.get("groups.json?uuid=none")).body.results).toEqual([]);
    expect(await rig.post(`groups.json?uuid=${uuid}`, { name: "field STAFF" })).toMatchObject({
      status: 200,
      body: { uuid, name: "field STAFF" },
    });
    const gone = await rig.delete(`groups.json?uuid=${uuid}`);
    expect(gone).toMatchObject({ status: 204, body: "" });
    expectConforming(rig, "DELETE groups.json", gone);
    expect(await rig.delete(`groups.json?uuid=${uuid}`)).toMatchObject({ status: 404 });
    expect(await rig.post(`groups.json?uuid=${uuid}`, { name: "Again" })).toMatchObject({ status: 404 });
    expect(await rig.delete("groups.json")).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ name: "Farmers" }]);
  });

  it("have names that are unique in any case, free again once deleted, and begin with a letter or digit", async () => {
    const { uuid } = (await rig.post("groups.json", { name: "Économie" })).body;
    const taken = { status: 400, body: { name: ["This field must be unique."] } };
    expect(await rig.post("groups.json", { name: "éCONOMIE" })).toMatchObject(taken);
    const other = (await rig.post("groups.json", { name: "Other" })).body;
    expect(await rig.post(`groups.json?uuid=${other.uuid}`, { name: "économie" })).toMatchObject(taken);
    for (const [name, message] of [
      [undefined, "This field is required."],
      [null, "This field may not be null."],
      ["  ", "This field may not be blank."],
      ["x".repeat(65), "Ensure this field has no more than 64 characters."],
      [{ name: "a" }, "Not a valid string."],
      [true, "Not a valid string."],
      ["-staff", "The name must begin with a letter or a digit."],
      ["a\0b", "Null characters are not allowed."],
    ] as const) {
      expect(await rig.post("groups.json", { name })).toMatchObject({ status: 400, body: { name: [message] } });
    }
    expect((await rig.get("groups.json")).body.results).toHaveLength(2);
    await rig.delete(`groups.json?uuid=${uuid}`);
    expect(await rig.post("groups.json", { name: "économie" })).toMatchObject({ status: 201 });
  });

  it("count their members, who leave a deleted group", async () => {
    const { uuid } = (await rig.post("groups.json", { name: "Farmers" })).body;
    const { body: amina } = await rig.post("contacts.json", { name: "Amina", groups: ["farmers"] });
    const { body: brian } = await rig.post("contacts.json", { name: "Brian", groups: [uuid] });
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ count: 2 }]);
    await rig.delete(`contacts.json?uuid=${brian.uuid}`);
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ count: 1 }]);
    rig.service.passTo(60_000);
    await rig.delete(`groups.json?uuid=${uuid}`);
    expect((await rig.get(`contacts.json?uuid=${amina.uuid}`)).body.results).toMatchObject([
      { groups: [], modified_on: "2026-03-04T06:01:00.000000Z" },
    ]);
    expect((await rig.get(`contacts.json?group=${uuid}`)).body.results).toEqual([]);
    expect(await rig.post("contacts.json", { groups: [uuid] })).toMatchObject({
      status: 400,
      body: { groups: [`No such object: ${uuid}`] },
    });
  });

  it("have at most 250 in an account", async () => {
    for (let index = 1; index <= 250; index++) rig.service.account.groups.add({ name: `Group ${index}` });
    expect(await rig.post("groups.json", { name: "One more" })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["There are 250 groups, which is the limit"] },
    });
    const [group] = (await rig.get("groups.json")).body.results;
    expect(await rig.post(`groups.json?uuid=${group.uuid}`, { name: "Renamed" })).toMatchObject({ status: 200 });
  });

  it("accept several filters together, which strict mode refuses", async () => {
    const { uuid } = (await rig.post("groups.json", { name: "Farmers" })).body;
    expect((await rig.get(`groups.json?uuid=${uuid}&name=Others`)).body.results).toEqual([]);
    expect((await rig.get(`groups.json?uuid=${uuid}&name=farmers`)).body.results).toHaveLength(1);
    const strict = await Rig.start({ isStrict: true });
    expect(await strict.get(`groups.json?uuid=${uuid}&name=farmers`)).toMatchObject({ status: 400 });
  });

  it("archive the triggers limited to them on deletion", async () => {
    const { account } = rig.service;
    const { id, uuid } = account.groups.add({ name: "Farmers" });
    const trigger = { type: "K", keyword: "join", matchType: "F", flow: 1, channel: null, excludeGroups: [] } as const;
    account.triggers.add({ ...trigger, groups: [id] });
    account.triggers.add({ ...trigger, groups: [] });
    await rig.delete(`groups.json?uuid=${uuid}`);
    expect(rig.recording.tables.triggers.active()).toMatchObject([{ groups: [] }]);
  });
});

describe("smart groups", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await Rig.start();
    await rig.post("fields.json", { label: "Age", value_type: "numeric" });
  });

  const addSmart = (name: string, query: string): string => rig.service.account.groups.add({ name, query }).uuid;
  const membersOf = async (group: string): Promise<string[]> =>
    (await rig.get(`contacts.json?group=${group}&reverse=true`)).body.results.map(({ name }: { name: string }) => name);

  it("hold exactly the contacts that match, from the start and after each change", async () => {
    const { body: amina } = await rig.post("contacts.json", { name: "Amina", fields: { age: 40 } });
    const { body: brian } = await rig.post("contacts.json", { name: "Brian", fields: { age: "17" } });
    const uuid = addSmart("Adults", "age >= 18");
    expect(await membersOf(uuid)).toEqual(["Amina"]);
    await rig.post(`contacts.json?uuid=${brian.uuid}`, { fields: { age: "18.0" } });
    await rig.post(`contacts.json?uuid=${amina.uuid}`, { fields: { age: null } });
    await rig.post("contacts.json", { name: "Chema", fields: { age: "21" } });
    expect(await membersOf(uuid)).toEqual(["Brian", "Chema"]);
    expect((await rig.get("groups.json")).body.results).toMatchObject([{ query: "age >= 18", count: 2 }]);
    expectConforming(rig, "GET groups.json", await rig.get("groups.json"));
  });

  it("add contacts by their first text, names, languages and addresses", async () => {
    addSmart("Ada", "name = ada");
    addSmart("English", "language = eng");
    addSmart("Rwanda", "tel ~ +250");
    addSmart("Mail", 'mailto != ""');
    rig.service.sync(1, [{ type: "mo_sms", phone: "+250788111111", text: "hello", timeMs: 0 }]);
    const groups = async (): Promise<string[]> =>
      (await rig.get("contacts.json")).body.results[0].groups.map(({ name }: { name: string }) => name);
    expect(await groups()).toEqual(["Ada", "English", "Rwanda"]);
    const [{ uuid }] = (await rig.get("contacts.json")).body.results;
    await rig.post(`contacts.json?uuid=${uuid}`, { name: "Eve", language: null, urns: ["mailto:Eve@Example.com"] });
    expect(await groups()).toEqual(["Mail"]);
  });

  it("are unchanged by posted groups, and cannot be named there", async () => {
    const uuid = addSmart("Adults", "age >= 18");
    await rig.post("groups.json", { name: "Farmers" });
    const { body: amina } = await rig.post("contacts.json", { fields: { age: 40 }, groups: ["Farmers"] });
    expect(amina.groups.map(({ name }: { name: string }) => name)).toEqual(["Adults", "Farmers"]);
    const cleared = await rig.post(`contacts.json?uuid=${amina.uuid}`, { groups: [] });
    expect(cleared.body.groups).toEqual([{ uuid, name: "Adults" }]);
    const smart = { status: 400, body: { groups: ["Group membership is set by a query: adults"] } };
    expect(await rig.post(`contacts.json?uuid=${amina.uuid}`, { groups: ["adults"] })).toMatchObject(smart);
    for (const action of ["add", "remove"]) {
      const body = { contacts: [amina.uuid], action, group: uuid };
      expect(await rig.post("contact_actions.json", body)).toMatchObject({
        status: 400,
        body: { group: [`Group membership is set by a query: ${uuid}`] },
      });
    }
  });

  it("lose a blocked contact, who joins again when unblocked", async () => {
    const group = addSmart("Adults", "age >= 18");
    const { body: amina } = await rig.post("contacts.json", { name: "Amina", fields: { age: 40 } });
    await rig.post("contact_actions.json", { contacts: [amina.uuid], action: "block" });
    expect(await membersOf(group)).toEqual([]);
    await rig.post(`contacts.json?uuid=${amina.uuid}`, { fields: { age: 41 } });
    expect(await membersOf(group)).toEqual([]);
    await rig.post("contact_actions.json", { contacts: [amina.uuid], action: "unblock" });
    expect(await membersOf(group)).toEqual(["Amina"]);
  });

  it("can query other groups, manual and smart, which may be renamed", async () => {
    const farmers = (await rig.post("groups.json", { name: "Farmers" })).body;
    const { body: amina } = await rig.post("contacts.json", { name: "Amina", fields: { age: 40 } });
    await rig.post("contacts.json", { name: "Brian", fields: { age: 12 }, groups: ["Farmers"] });
    const adults = addSmart("Adults", "age >= 18");
    const both = addSmart("Adult farmers", "group = Adults AND group = Farmers");
    expect(await membersOf(both)).toEqual([]);
    await rig.post("contact_actions.json", { contacts: [amina.uuid], action: "add", group: "farmers" });
    expect(await membersOf(both)).toEqual(["Amina"]);
    await rig.post(`groups.json?uuid=${adults}`, { name: "Grown up" });
    expect(await membersOf(both)).toEqual([]);
    await rig.post(`groups.json?uuid=${adults}`, { name: "Adults" });
    expect(await membersOf(both)).toEqual(["Amina"]);
    await rig.post(`contacts.json?uuid=${amina.uuid}`, { fields: { age: 3 } });
    expect(await membersOf(both)).toEqual([]);
    await rig.delete(`groups.json?uuid=${farmers.uuid}`);
    await rig.post(`contacts.json?uuid=${amina.uuid}`, { fields: { age: 33 } });
    expect(await membersOf(both)).toEqual([]);
  });

  it("that query each other do not loop forever", async () => {
    const first = rig.service.account.groups.add({ name: "First", query: "group = Second" });
    addSmart("Second", "group != First");
    expect(await rig.post("contacts.json", { name: "Amina" })).toMatchObject({ status: 201 });
    expect(await rig.delete(`groups.json?uuid=${first.uuid}`)).toMatchObject({ status: 204 });
    expect(await membersOf("Second")).toEqual(["Amina"]);
  });

  it("follow the type of a field, and match after a missing field is added", async () => {
    await rig.post("contacts.json", { name: "Amina", fields: { age: "9" } });
    const minors = addSmart("Minors", "age < 18");
    const nurses = addSmart("Nurses", "job = nurse");
    expect(await membersOf(minors)).toEqual(["Amina"]);
    await rig.post("fields.json?key=age", { label: "Age", value_type: "text" });
    expect(await membersOf(minors)).toEqual([]);
    await rig.post("fields.json?key=age", { label: "Age", value_type: "numeric" });
    expect(await membersOf(minors)).toEqual(["Amina"]);
    await rig.post("fields.json", { label: "Job", value_type: "text" });
    await rig.post("contacts.json", { name: "Brian", fields: { job: "Nurse" } });
    expect(await membersOf(nurses)).toEqual(["Brian"]);
  });

  it("update the contacts' time of modification", async () => {
    await rig.post("contacts.json", { name: "Amina", fields: { age: 40 } });
    await rig.post("contacts.json", { name: "Brian", fields: { age: 4 } });
    rig.service.passTo(60_000);
    addSmart("Adults", "age >= 18");
    expect((await rig.get("contacts.json")).body.results).toMatchObject([
      { name: "Amina", modified_on: "2026-03-04T06:01:00.000000Z" },
      { name: "Brian", modified_on: "2026-03-04T06:00:00.000000Z" },
    ]);
  });
});
