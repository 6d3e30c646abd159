import { beforeEach, describe, expect, it } from "vitest";
import { flowData, nativeDefinition, uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig, type RigOptions } from "./rig.js";

const [flow, amina, group] = [uuidOf(1), uuidOf(2), uuidOf(3)];

async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  const { account } = rig.service;
  account.flows.add(flowData(nativeDefinition(flow, "Stock check"), { isArchived: true }));
  account.groups.add({ uuid: group, name: "Field staff" });
  account.contacts.add({ uuid: amina, name: "Amina", urns: ["tel:+254711000222"] });
  return rig;
}

describe("flow starts", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });

  it("stay pending with their contacts, including those of new URNs", async () => {
    const answered = await rig.post("flow_starts.json", {
      flow,
      groups: ["field STAFF"],
      contacts: [amina, "tel:+254711000222"],
      urns: ["tel:+254 711 000 333"],
      restart_participants: 0,
      extra: { round: 2, "a b": [null, true] },
      embedded_data: {},
    });
    expectConforming(rig, "POST flow_starts.json", answered);
    const found = (await rig.get("contacts.json?urn=tel:%2B254711000333")).body.results;
    expect(found).toHaveLength(1);
    expect(answered).toEqual({
      status: 201,
      headers: answered.headers,
      body: {
        id: 1,
        uuid: answered.body.uuid,
        flow: { uuid: flow, name: "Stock check" },
        status: "pending",
        groups: [{ uuid: group, name: "Field staff" }],
        contacts: [
          { uuid: amina, name: "Amina" },
          { uuid: found[0].uuid, name: null },
        ],
        restart_participants: false,
        exclude_active: false,
        extra: { round: 2, a_b: { "0": "None", "1": true } },
        params: { round: 2, a_b: { "0": "None", "1": true } },
        embedded_data: null,
        progress: { total: -1, started: 0 },
        created_on: "2026-03-04T06:00:00.000000Z",
        modified_on: "2026-03-04T06:00:00.000000Z",
      },
    });
  });

  it("without recipients are complete at once; strict mode refuses them", async () => {
    expect(await rig.post("flow_starts.json", { flow, groups: [] })).toMatchObject({
      status: 201,
      body: { status: "complete", groups: [], contacts: [], progress: { total: 0, started: 0 } },
    });
    const strict = await startRig({ isStrict: true });
    expect(await strict.post("flow_starts.json", { flow })).toMatchObject({
      status: 400,
      body: { non_field_errors: ["Give at least one of groups, contacts or urns"] },
    });
    expect((await strict.post("flow_starts.json", { flow, contacts: [amina] })).status).toBe(201);
  });

  it("prefer params to extra, and accept any JSON and forms", async () => {
    const extraOf = async (body: unknown): Promise<unknown> => (await rig.post("flow_starts.json", body)).body.extra;
    expect(await extraOf({ flow, extra: { a: 1 }, params: { b: 2 } })).toEqual({ b: 2 });
    expect(await extraOf({ flow, extra: { a: 1 }, params: null })).toEqual({ a: 1 });
    expect(await extraOf({ flow, extra: ["x"] })).toEqual({ "0": "x" });
    expect(await extraOf({ flow, extra: "plain" })).toBe("plain");
    const form = await rig.post(
      "flow_starts.json",
      `flow=${flow}&extra[round]=2&contacts=${amina}&restart_participants=true`,
      {
        "content-type": "application/x-www-form-urlencoded",
      },
    );
    expect(form).toMatchObject({
      status: 201,
      body: { extra: { round: "2" }, restart_participants: true, contacts: [{}] },
    });
    const listed = await rig.get("flow_starts.json");
    expectConforming(rig, "GET flow_starts.json", listed);
    expect(listed.body.results).toHaveLength(5);
  });

  it("are filtered by id, UUID and time of modification", async () => {
    const { body: first } = await rig.post("flow_starts.json", { flow });
    rig.service.passTo(1000);
    const { body: second } = await rig.post("flow_starts.json", { flow });
    const found = async (query: string): Promise<unknown> => (await rig.get(`flow_starts.json?${query}`)).body.results;
    expect(await found("")).toEqual([second, first]);
    expect(await found(`id=${first.id}`)).toEqual([first]);
    expect(await found(`uuid=${first.uuid}`)).toEqual([first]);
    expect(await found("after=2026-03-04T06:00:00.001")).toEqual([second]);
    expect(await found("before=2026-03-04T06:00:00.999")).toEqual([first]);
    expect(await found(`id=${first.id}&uuid=${second.uuid}`)).toEqual([]);
    expect((await rig.get("flow_starts.json?id=x")).status).toBe(400);
  });

  it("count the runs that they started", async () => {
    const { body } = await rig.post("flow_starts.json", { flow, contacts: [amina] });
    const { tables } = rig.recording;
    const run = { flow: 1, contact: 1, path: [], results: {}, answers: [], embeddedData: null, session: null };
    const times = { createdAtMs: 0, modifiedAtMs: 0, exitedAtMs: null };
    tables.runs.put({ ...run, ...times, id: 1, uuid: uuidOf(8), start: body.id, hasResponded: false, exit: null });
    const [start] = (await rig.get("flow_starts.json")).body.results;
    expect(start.progress).toEqual({ total: -1, started: 1 });
    expect((await rig.get("runs.json")).body.results).toMatchObject([{ start: { uuid: body.uuid } }]);
  });

  it("report all errors and then add no contacts", async () => {
    for (const [body, errors] of [
      [{}, { flow: ["This field is required."] }],
      [{ flow: "Stock check" }, { flow: ["No such object: Stock check"] }],
      [{ flow, contacts: [uuidOf(9)] }, { contacts: [`No such object: ${uuidOf(9)}`] }],
      [{ flow, groups: group }, { groups: ['Expected a list of items but got type "str".'] }],
      [{ flow, restart_participants: "maybe" }, { restart_participants: ['"maybe" is not a valid boolean.'] }],
      [{ flow, extra: { a: "\ud800" } }, { extra: ["Not a valid string."] }],
      [`{"flow": "${flow}", "extra": {"a": 1e999}}`, { extra: ["Value must be valid JSON."] }],
      [
        { flow, contacts: Array.from({ length: 101 }, () => amina) },
        { contacts: ["At most 100 items are allowed here."] },
      ],
    ] as const) {
      const good = typeof body === "string" ? body : { ...body, urns: ["tel:+254711000444"] };
      expect(await rig.post("flow_starts.json", good)).toMatchObject({ status: 400, body: errors });
    }
    expect((await rig.post("flow_starts.json", { flow, urns: ["tel:5", "nothing"] })).body).toHaveProperty("urns");
    expect((await rig.get("contacts.json")).body.results).toHaveLength(1);
    expect((await rig.get("flow_starts.json")).body.results).toEqual([]);
  });
});
