import { beforeEach, describe, expect, it } from "vitest";
import { flowData, nativeDefinition, uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig, type RigOptions } from "./rig.js";

const [flow, campaign, other] = [uuidOf(1), uuidOf(2), uuidOf(3)];
const message = { relative_to: "first_dose", offset: 3, unit: "days", delivery_hour: 9, message: "Come today" };
const start = { ...message, message: null, flow };

async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  const { account } = rig.service;
  account.flows.add(flowData(nativeDefinition(flow, "Stock check")));
  account.fields.add({ key: "first_dose", label: "First dose", type: "datetime" });
  const group = account.groups.add({ name: "Field staff" }).id;
  account.campaigns.add({ uuid: campaign, name: "Doses", group });
  account.campaigns.add({ uuid: other, name: "Visits", group });
  return rig;
}

describe("campaign events", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });

  it("send a message or start a flow", async () => {
    const sent = await rig.post("campaign_events.json", { ...message, campaign });
    expectConforming(rig, "POST campaign_events.json", sent);
    expect(sent.body).toEqual({
      uuid: sent.body.uuid,
      campaign: { uuid: campaign, name: "Doses" },
      relative_to: { key: "first_dose", label: "First dose", name: "First dose" },
      offset: 3,
      unit: "days",
      delivery_hour: 9,
      flow: null,
      message: { eng: "Come today" },
      embedded_data: null,
      created_on: "2026-03-04T06:00:00.000000Z",
    });
    const started = await rig.post("campaign_events.json", {
      ...start,
      campaign,
      offset: "-7",
      delivery_hour: -1.0,
      embedded_data: { "clinic name": "Likoni", list: [1] },
    });
    expectConforming(rig, "POST campaign_events.json", started);
    expect(started.body).toMatchObject({
      offset: -7,
      delivery_hour: -1,
      flow: { uuid: flow, name: "Stock check" },
      message: null,
      embedded_data: { clinic_name: "Likoni", list: { "0": 1 } },
    });
    const listed = await rig.get("campaign_events.json");
    expectConforming(rig, "GET campaign_events.json", listed);
    expect(listed.body.results).toEqual([started.body, sent.body]);
  });

  it("are found by UUID and by their campaign's UUID or name", async () => {
    const { body: event } = await rig.post("campaign_events.json", { ...message, campaign });
    await rig.post("campaign_events.json", { ...message, campaign: other });
    for (const query of [`uuid=${event.uuid}`, `campaign=${campaign}`, "campaign=Doses", "campaign=doses"]) {
      expect((await rig.get(`campaign_events.json?${query}`)).body.results).toEqual([event]);
    }
    for (const query of [`campaign=Visits&uuid=${event.uuid}`, "campaign=Nobody"]) {
      expect((await rig.get(`campaign_events.json?${query}`)).body.results).toEqual([]);
    }
  });

  it("in strict mode are found only by the exact name of their campaign", async () => {
    const strict = await Rig.start({ isStrict: true });
    await strict.post("groups.json", { name: "Mothers" });
    await strict.post("fields.json", { label: "First dose", value_type: "datetime" });
    await strict.post("campaigns.json", { name: "Doses", group: "Mothers" });
    const { uuid } = (await strict.get("campaigns.json")).body.results[0];
    await strict.post("campaign_events.json", { ...message, campaign: uuid });
    const found = async (name: string): Promise<number> =>
      (await strict.get(`campaign_events.json?campaign=${name}`)).body.results.length;
    expect([await found("Doses"), await found("doses")]).toEqual([1, 0]);
  });

  it("can change from message to flow and back, but not their campaign", async () => {
    const { body: event } = await rig.post("campaign_events.json", { ...message, campaign });
    const path = `campaign_events.json?uuid=${event.uuid}`;
    expect(await rig.post(path, { ...start, campaign, embedded_data: { a: 1 } })).toMatchObject({
      status: 200,
      body: {
        uuid: event.uuid,
        message: null,
        flow: { uuid: flow },
        embedded_data: { a: 1 },
        campaign: { name: "Doses" },
      },
    });
    expect((await rig.post(path, start)).body).toMatchObject({ embedded_data: null });
    expect((await rig.post(path, { ...message, message: { swa: "Njoo", base: "Come" } })).body).toMatchObject({
      flow: null,
      message: { swa: "Njoo", base: "Come" },
    });
    expect(await rig.post(path, { ...message, campaign: other })).toMatchObject({
      status: 400,
      body: { campaign: ["An event cannot change its campaign."] },
    });
  });

  it("can also count from dates of contacts that are not fields", async () => {
    const { body } = await rig.post("campaign_events.json", { ...message, campaign, relative_to: "created_on" });
    expect(body.relative_to).toEqual({ key: "created_on", label: "Created On", name: "Created On" });
  });

  it("are at most 1,000 for the campaigns of a group", async () => {
    const { account } = rig.service;
    const content = { relativeTo: "first_dose", offset: 1, unit: "days", deliveryHour: 9, flow: null } as const;
    for (let count = 0; count < 1000; count++)
      account.campaignEvents.add({ ...content, message: { eng: "Come" }, embeddedData: null, campaign: 1 });
    expect(await rig.post("campaign_events.json", { ...message, campaign: other })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["The campaigns of the group have 1000 events, which is the limit"] },
    });
  });

  it("can be deleted only once", async () => {
    const { body: event } = await rig.post("campaign_events.json", { ...message, campaign });
    const path = `campaign_events.json?uuid=${event.uuid}`;
    const deleted = await rig.delete(path);
    expect(deleted.status).toBe(204);
    expectConforming(rig, "DELETE campaign_events.json", deleted);
    expect((await rig.delete(path)).status).toBe(404);
    expect((await rig.post(path, message)).status).toBe(404);
    expect((await rig.delete("campaign_events.json")).status).toBe(400);
    expect((await rig.get("campaign_events.json")).body.results).toEqual([]);
  });

  it("report all errors and change nothing", async () => {
    for (const [changes, errors] of [
      [{ campaign: undefined }, { campaign: ["This field is required."] }],
      [{ campaign: "Doses" }, { campaign: ["No such object: Doses"] }],
      [{ relative_to: "second_dose" }, { relative_to: ["No such object: second_dose"] }],
      [
        { offset: "x", unit: "months" },
        { offset: ["A valid integer is required."], unit: ['"months" is not a valid choice.'] },
      ],
      [{ offset: 2.5 }, { offset: ["A valid integer is required."] }],
      [{ delivery_hour: 24 }, { delivery_hour: ["Ensure this value is less than or equal to 23."] }],
      [{ delivery_hour: -2 }, { delivery_hour: ["Ensure this value is greater than or equal to -1."] }],
      [{ delivery_hour: undefined }, { delivery_hour: ["This field is required."] }],
      [{ message: undefined }, { non_field_errors: ["Give either message or flow"] }],
      [{ flow }, { non_field_errors: ["Give either message or flow"] }],
      [{ message: "" }, { message: ["This field may not be blank."] }],
      [{ message: { swa: "Njoo" } }, { message: ["There must be a text in the language eng."] }],
      [{ message: { eng: "x".repeat(641) } }, { message: ["Ensure this field has no more than 640 characters."] }],
      [{ message: JSON.parse('{"__proto__": "x", "eng": "x"}') }, { message: ["Not a language code: __proto__"] }],
      [{ flow: uuidOf(9) }, { flow: [`No such object: ${uuidOf(9)}`] }],
      [{ embedded_data: "x" }, { embedded_data: ['Expected a dictionary of items but got type "str".'] }],
      [{ embedded_data: { a: ["\u0000"] } }, { embedded_data: ["Null characters are not allowed."] }],
    ] as const) {
      const answered = await rig.post("campaign_events.json", { ...message, campaign, ...changes });
      expect(answered).toMatchObject({ status: 400, body: errors });
    }
    expect((await rig.get("campaign_events.json")).body.results).toEqual([]);
  });

  it("take a plain text as the base language when the organisation has no primary one", async () => {
    rig = await startRig({ organisation: { languages: [], primaryLanguage: null } });
    expect((await rig.post("campaign_events.json", { ...message, campaign })).body.message).toEqual({
      base: "Come today",
    });
  });
});
