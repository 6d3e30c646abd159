import { beforeEach, describe, expect, it } from "vitest";
import type { RunRow } from "../../src/account/index.js";
import { flowData, nativeDefinition, node, uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig, type RigOptions } from "./rig.js";

const [stock, visit, amina, juma] = [uuidOf(1), uuidOf(2), uuidOf(3), uuidOf(4)];
const past: Omit<RunRow, "id" | "uuid"> = {
  flow: 1,
  contact: 1,
  start: null,
  hasResponded: true,
  path: [
    { node: node(1), atMs: -5000 },
    { node: node(2), atMs: -4000 },
  ],
  results: {
    nets_left: {
      name: "Nets left",
      value: "12",
      category: "Has number",
      node: node(1),
      atMs: -4000,
      input: "about 12",
    },
    ["__proto__"]: { name: "__proto__", value: "", category: null, node: node(1), atMs: -4000, input: null },
  },
  answers: [],
  embeddedData: null,
  createdAtMs: -5000,
  modifiedAtMs: -4000,
  exitedAtMs: -4000,
  exit: "completed",
};
const waiting = { ...past, path: [], results: {}, hasResponded: false, exit: null, exitedAtMs: null };

/** Stores runs, with ids from 1. */
function store(rig: Rig, ...runs: (typeof past)[]): void {
  const { tables } = rig.recording;
  for (const run of runs) {
    const id = tables.runs.nextId();
    tables.runs.put({ ...run, id, uuid: uuidOf(100 + id) });
  }
}

async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  const { account } = rig.service;
  account.flows.add(flowData(nativeDefinition(stock, "Stock check")));
  account.flows.add(flowData(nativeDefinition(visit, "Visit")));
  account.contacts.add({ uuid: amina, name: "Amina" });
  account.contacts.add({ uuid: juma, name: null });
  return rig;
}

describe("runs", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });

  it("are listed with their path and results", async () => {
    store(rig, past, { ...waiting, contact: 2, embeddedData: { round: 2 } });
    const listed = await rig.get("runs.json");
    expectConforming(rig, "GET runs.json", listed);
    expect(listed.body.results).toHaveLength(2);
    const run = listed.body.results[1];
    expect(Object.keys(run.values)).toEqual(["nets_left", "__proto__"]);
    expect(run).toEqual({
      id: 1,
      uuid: uuidOf(101),
      flow: { uuid: stock, name: "Stock check" },
      contact: { uuid: amina, name: "Amina" },
      start: null,
      responded: true,
      path: [
        { node: node(1), time: "2026-03-04T05:59:55.000000Z" },
        { node: node(2), time: "2026-03-04T05:59:56.000000Z" },
      ],
      values: run.values,
      created_on: "2026-03-04T05:59:55.000000Z",
      modified_on: "2026-03-04T05:59:56.000000Z",
      exited_on: "2026-03-04T05:59:56.000000Z",
      exit_type: "completed",
      embedded_fields: null,
    });
    expect(run.values.nets_left).toEqual({
      name: "Nets left",
      value: "12",
      category: "Has number",
      node: node(1),
      time: "2026-03-04T05:59:56.000000Z",
      input: "about 12",
      input_corrected: null,
    });
    expect(listed.body.results[0]).toMatchObject({
      contact: { name: null },
      exited_on: null,
      exit_type: null,
      path: [],
    });
    expect(listed.body.results[0].embedded_fields).toEqual({ round: 2 });
  });

  it("are filtered; unknown values match nothing", async () => {
    const second = { ...waiting, flow: 2, modifiedAtMs: -3000 };
    store(rig, past, second, { ...waiting, contact: 2, modifiedAtMs: -2000 });
    const ids = async (query: string): Promise<number[]> => {
      const { body } = await rig.get(`runs.json?${query}`);
      return body.results.map(({ id }: { id: number }) => id);
    };
    expect(await ids("")).toEqual([3, 2, 1]);
    expect(await ids("reverse=true")).toEqual([1, 2, 3]);
    expect(await ids("id=2")).toEqual([2]);
    expect(await ids(`uuid=${uuidOf(101)}`)).toEqual([1]);
    expect(await ids(`flow=${stock}`)).toEqual([3, 1]);
    expect(await ids(`contact=${amina.toUpperCase()}`)).toEqual([2, 1]);
    expect(await ids(`contact=${amina}&flow=${stock}`)).toEqual([1]);
    expect(await ids("responded=1")).toEqual([1]);
    expect(await ids("responded=0")).toEqual([3, 2, 1]);
    expect(await ids("after=2026-03-04T05:59:57.000")).toEqual([3, 2]);
    expect(await ids("before=2026-03-04T05:59:57.000Z")).toEqual([2, 1]);
    expect(await ids(`flow=${uuidOf(9)}`)).toEqual([]);
    expect(await ids("contact=nobody")).toEqual([]);
    expect((await rig.get("runs.json?id=1&paths=0")).body.results).toMatchObject([
      { path: [], values: { nets_left: {} } },
    ]);
  });

  it("in strict mode cannot be filtered by flow and contact together", async () => {
    const strict = await startRig({ isStrict: true });
    expect(await strict.get(`runs.json?contact=${amina}&flow=${stock}`)).toMatchObject({
      status: 400,
      body: { detail: "Use only one of: flow, contact" },
    });
  });

  it("are interrupted or deleted with their contact, who is shown in the flow until then", async () => {
    store(rig, past, { ...waiting, flow: 2 }, { ...waiting, contact: 2 });
    rig.service.passTo(1000);
    const contact = async (): Promise<unknown> => (await rig.get(`contacts.json?uuid=${amina}`)).body.results[0]?.flow;
    expect(await contact()).toEqual({ uuid: visit, name: "Visit" });
    expect((await rig.post("contact_actions.json", { contacts: [amina], action: "interrupt" })).status).toBe(204);
    expect(await contact()).toBeNull();
    expect((await rig.get(`runs.json?contact=${amina}`)).body.results).toMatchObject([
      {
        id: 2,
        exit_type: "interrupted",
        exited_on: "2026-03-04T06:00:01.000000Z",
        modified_on: "2026-03-04T06:00:01.000000Z",
      },
      { id: 1, exit_type: "completed" },
    ]);
    await rig.delete(`contacts.json?uuid=${amina}`);
    expect((await rig.get("runs.json")).body.results).toMatchObject([{ id: 3 }]);
  });
});
