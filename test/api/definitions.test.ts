import { beforeEach, describe, expect, it } from "vitest";
import { accountOfDefinitions } from "../../src/account/index.js";
import { flowData, legacyDefinition, nativeDefinition, uuidOf } from "../account/flow-samples.js";
import { expectConforming } from "./conforms.js";
import { Rig, type RigOptions } from "./rig.js";

const [main, sub, leaf, lone, group, smart] = [1, 2, 3, 4, 5, 6].map(uuidOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const [ofLeaf, archived] = [uuidOf(7), uuidOf(8)];
const definitions = {
  main: nativeDefinition(main, "Main", {
    flows: [{ uuid: sub.toUpperCase(), name: "Sub" }],
    groups: [{ uuid: uuidOf(99), name: "field STAFF" }],
  }),
  // A circular reference.
  sub: nativeDefinition(sub, "Sub", {
    flows: [
      { uuid: leaf, name: "Leaf" },
      { uuid: main, name: "Main" },
    ],
    fields: [{ key: "nets", name: "Nets" }],
  }),
  leaf: nativeDefinition(leaf, "Leaf"),
  lone: nativeDefinition(lone, "Lone"),
};

/** Main enters Sub, Sub enters Leaf. A campaign starts Leaf, a keyword starts Sub. Lone has no references. */
async function startRig(options: RigOptions = {}): Promise<Rig> {
  const rig = await Rig.start(options);
  const { account } = rig.service;
  const flows = Object.values(definitions).map((definition) => account.flows.add(flowData(definition)));
  account.fields.add({ key: "nets", label: "Nets", type: "numeric" });
  account.fields.add({ key: "first_dose", label: "First dose", type: "datetime" });
  account.fields.add({ key: "age", label: "Age", type: "numeric" });
  account.fields.add({ key: "unused", label: "Unused", type: "text" });
  const [staff, many] = [
    account.groups.add({ uuid: group, name: "Field staff" }),
    { uuid: smart, name: "Many", query: "nets > 5 and age > 9" },
  ];
  const manyNets = account.groups.add(many);
  account.groups.add({ name: "Unused" });
  const campaign = account.campaigns.add({ uuid: ofLeaf, name: "Doses", group: manyNets.id });
  const old = account.campaigns.add({ uuid: archived, name: "Old", group: staff.id, isArchived: true });
  const event = { relativeTo: "first_dose", offset: 3, unit: "days", deliveryHour: 9, embeddedData: null } as const;
  account.campaignEvents.add({ ...event, campaign: campaign.id, flow: flows[2]?.id ?? 0, message: null });
  account.campaignEvents.add({ ...event, campaign: campaign.id, flow: null, message: { swa: "Njoo", eng: "Come" } });
  account.campaignEvents.add({ ...event, campaign: old.id, flow: flows[2]?.id ?? 0, message: null });
  const trigger = { type: "K", matchType: "F", channel: 1, groups: [staff.id], excludeGroups: [] } as const;
  account.triggers.add({ ...trigger, keyword: "Join", flow: flows[1]?.id ?? 0 });
  account.triggers.add({ ...trigger, keyword: null, type: "S", flow: flows[1]?.id ?? 0 });
  return rig;
}

describe("definitions", () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });

  /** Names of the entries of an export. */
  async function names(query: string): Promise<Record<string, string[]>> {
    const answered = await rig.get(`definitions.json?${query}`);
    expectConforming(rig, "GET definitions.json", answered);
    const { version: _version, site: _site, ...lists } = answered.body;
    const named = Object.entries(lists as Record<string, { name?: string; keyword?: string }[]>);
    return Object.fromEntries(
      named.map(([kind, list]) => [kind, list.map(({ name, keyword }) => name ?? keyword ?? "")]),
    );
  }

  const nothing = { flows: [], campaigns: [], triggers: [], fields: [], groups: [], links: [] };
  const whole = {
    ...nothing,
    flows: ["Main", "Sub", "Leaf"],
    campaigns: ["Doses"],
    triggers: ["join"],
    fields: ["Nets", "First dose", "Age"],
    groups: ["Field staff", "Many"],
  };

  it("are exported as imported, with all dependencies", async () => {
    const { body } = await rig.get(`definitions.json?flow=${main}`, { host: "lab.example:8080" });
    expect(body).toMatchObject({ version: 13, site: "http://lab.example:8080" });
    expect(body.flows).toEqual([definitions.main, definitions.sub, definitions.leaf]);
    expect(body.campaigns).toEqual([
      {
        uuid: ofLeaf,
        name: "Doses",
        group: { uuid: smart, name: "Many" },
        events: [
          {
            uuid: body.campaigns[0].events[0].uuid,
            event_type: "F",
            relative_to: { key: "first_dose", label: "First dose" },
            offset: 3,
            unit: "D",
            delivery_hour: 9,
            message: null,
            flow: { uuid: leaf, name: "Leaf" },
            base_language: null,
            embedded_data: null,
            start_mode: "I",
          },
          {
            ...body.campaigns[0].events[1],
            event_type: "M",
            message: { swa: "Njoo", eng: "Come" },
            flow: null,
            base_language: "eng",
          },
        ],
      },
    ]);
    expect(body.triggers).toEqual([
      {
        trigger_type: "K",
        keyword: "join",
        match_type: "F",
        flow: { uuid: sub, name: "Sub" },
        groups: [{ uuid: group, name: "Field staff" }],
        exclude_groups: [],
        channel: rig.service.account.channels.get(1).spec.uuid,
      },
    ]);
    expect(body.fields).toEqual([
      { key: "nets", name: "Nets", type: "number" },
      { key: "first_dose", name: "First dose", type: "datetime" },
      { key: "age", name: "Age", type: "number" },
    ]);
    expect(body.groups).toEqual([
      { uuid: group, name: "Field staff", query: null },
      { uuid: smart, name: "Many", query: "nets > 5 and age > 9" },
    ]);
  });

  it("include the requested dependencies, in every spelling", async () => {
    for (const word of ["", "&dependencies=all", "&dependencies=1", "&dependencies=True", "&dependencies=Y"]) {
      expect(await names(`flow=${main}${word}`)).toEqual(whole);
    }
    const flows = { ...nothing, flows: ["Main", "Sub", "Leaf"], triggers: ["join"] };
    expect(await names(`flow=${main}&dependencies=flows`)).toEqual(flows);
    expect(await names(`campaign=${ofLeaf}&dependencies=flows`)).toEqual({
      ...nothing,
      campaigns: ["Doses"],
      flows: ["Leaf"],
    });
    for (const word of ["none", "0", "false", "No"]) {
      expect(await names(`flow=${main}&campaign=${ofLeaf}&dependencies=${word}`)).toEqual({
        ...nothing,
        flows: ["Main"],
        campaigns: ["Doses"],
      });
    }
    expect(await names(`flow=${main}&dependencies=perhaps`)).toEqual({ ...nothing, flows: ["Main"] });
  });

  it("are selected by one or many UUIDs, also under old parameter names; unknown UUIDs are ignored", async () => {
    for (const query of [
      `flow=${main}&flow=${lone}`,
      `flow=${main},${lone}&flow=`,
      `flow_uuid=${lone},${main.toUpperCase()}`,
      `flow=${lone}&flow_uuid=${main}&flow=${uuidOf(98)}&flow=%00&flow=nonsense`,
    ]) {
      expect((await names(`${query}&dependencies=none`))["flows"]).toEqual(["Main", "Lone"]);
    }
    expect((await names(`campaign_uuid=${archived},${ofLeaf}&dependencies=none`))["campaigns"]).toEqual([
      "Doses",
      "Old",
    ]);
    expect(await names("")).toEqual(nothing);
  });

  it.each([
    ["number", [11, 11, 10, 13]],
    ["text", ["11.4", "11.12", "10", "13"]],
  ] as const)("have the version of the oldest flow when all are legacy, as %s", async (exportVersion, expected) => {
    rig = await startRig({ exportVersion });
    const { flows } = rig.service.account;
    const legacy = [10, "11.12", "11.4"].map((version, index) =>
      legacyDefinition(uuidOf(20 + index), `Old ${index}`, version),
    );
    for (const definition of legacy) flows.add(flowData(definition));
    const versions: unknown[] = [];
    for (const uuids of [[uuidOf(21), uuidOf(22)], [uuidOf(21)], [uuidOf(20), uuidOf(21)], [lone]]) {
      const answer = await rig.get(`definitions.json?flow=${uuids.join(",")}`);
      expectConforming(rig, "GET definitions.json", answer);
      versions.push(answer.body.version);
      expect(accountOfDefinitions(answer.body).problems).toEqual([]);
    }
    expect(versions).toEqual(expected);
    expect((await rig.get(`definitions.json?flow=${uuidOf(20)}`)).body.flows).toEqual([legacy[0]]);
  });

  it("never mix flows of two generations in one export", async () => {
    rig.service.account.flows.add(flowData(legacyDefinition(uuidOf(30), "Older", 10)));
    const answer = await rig.get(`definitions.json?flow=${uuidOf(30)}&flow=${lone}`);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/"Older" is a legacy flow .* "Lone" a native one: .*dependencies=none/);
  });

  it("can be loaded as an account again", async () => {
    const { body } = await rig.get(`definitions.json?flow=${main}&flow=${lone}`);
    const { account, problems } = accountOfDefinitions(body);
    expect(problems).toEqual([]);
    expect(account.flows.map(({ definition }) => definition)).toEqual(Object.values(definitions));
    expect(account.campaigns).toMatchObject([{ uuid: ofLeaf, events: [{ flow: leaf }, { message: { eng: "Come" } }] }]);
    expect(account.triggers).toMatchObject([{ keyword: "join", flow: sub, groups: ["Field staff"] }]);
  });

  it("refuse other words for dependencies in strict mode, and other methods always", async () => {
    const strict = await startRig({ isStrict: true });
    expect(await strict.get("definitions.json?dependencies=perhaps")).toMatchObject({
      status: 400,
      body: { detail: "dependencies must be one of none, flows, all" },
    });
    expect((await strict.get("definitions.json?dependencies=1")).status).toBe(200);
    expect((await rig.post("definitions.json", {})).status).toBe(405);
  });
});
