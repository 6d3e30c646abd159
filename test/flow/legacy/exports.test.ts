import { expect, it } from "vitest";
import { migrateExport } from "../../../src/flow/index.js";
import { actionSet, flow } from "./definitions.js";

it("migrates each flow by its generation, and keeps the rest", () => {
  const native = { uuid: "flow-2", name: "New", spec_version: "13.2.0", nodes: [] };
  const rest = {
    site: "https://lab.test",
    fields: [{ key: "age", name: "Age", type: "number" }],
    groups: [{ uuid: "group-1", name: "Staff", query: null }],
    triggers: [{ trigger_type: "K", keyword: "join", flow: { uuid: "flow-1", name: "Clinic" }, groups: [] }],
  };
  const media = actionSet("one", [{ type: "reply", msg: "Hi", media: { base: "a.png" } }]);
  const migrated = migrateExport({ version: "13", flows: [flow({ action_sets: [media] }), native], ...rest });
  expect(migrated).toMatchObject({ ...rest, version: "13" });
  const [first, second] = migrated["flows"] as unknown[];
  expect(first).toMatchObject({
    uuid: "flow-1",
    spec_version: "13.0.0",
    nodes: [{ actions: [{ attachments: ["image:https://lab.test/a.png"] }] }],
  });
  expect(second).toBe(native);
  expect(migrated).not.toHaveProperty("campaigns");
});

it("migrates the messages of campaigns, whatever their form", () => {
  const events = [
    { event_type: "M", message: "Hi @contact.village", offset: 1, unit: "D", delivery_hour: 9 },
    { event_type: "M", message: { eng: "Hi @contact.tel", fra: "@contact.name|upper_case" } },
    { event_type: "M", message: '{"eng": "On @date.today"}' },
    { event_type: "M", message: "{not JSON} @contact" },
    { event_type: "F", flow: { uuid: "flow-1", name: "Clinic" } },
  ];
  const all = (version: unknown) => ({
    version,
    flows: [],
    campaigns: [{ uuid: "campaign-1", name: "Reminders", events }],
  });
  const messages = (version: unknown) =>
    (migrateExport(all(version))["campaigns"] as { events: { message?: unknown }[] }[])[0]?.events.map(
      ({ message }) => message,
    );
  expect(messages("11.12")).toEqual([
    "Hi @fields.village",
    { eng: "Hi @(format_urn(urns.tel))", fra: "@(upper(contact.name))" },
    { eng: "On @(format_date(today()))" },
    "{not JSON} @contact",
    undefined,
  ]);
  expect(messages("13")).toEqual(events.map(({ message }) => message));
});

it("replaces numeric ids the same way everywhere", () => {
  const reference = { id: 7, name: "Clinic" };
  const start = actionSet("one", [
    { type: "flow", id: 7, name: "Clinic" },
    { type: "flow", id: 8, name: "Gone" },
  ]);
  const all = {
    version: 8,
    flows: [flow({ version: 8, metadata: { id: 7, uuid: "flow-1", name: "Clinic" }, action_sets: [start] })],
    triggers: [{ trigger_type: "C", flow: reference, groups: [{ id: 2, name: "Staff" }] }],
    campaigns: [{ id: 3, name: "Reminders", group: { id: 2, name: "Staff" }, events: [{ id: 4, flow: reference }] }],
  };
  const { flows, triggers, campaigns } = migrateExport(all) as Record<string, Record<string, unknown>[]>;
  const clinic = { uuid: "flow-1", name: "Clinic" };
  expect(flows?.[0]).toMatchObject({
    nodes: [
      { actions: [{ flow: clinic }, { flow: { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Gone" } }] },
    ],
  });
  expect(triggers?.[0]).toMatchObject({ flow: clinic });
  expect(campaigns?.[0]).toMatchObject({
    uuid: expect.any(String),
    events: [{ uuid: expect.any(String), flow: clinic }],
  });
  expect(campaigns?.[0]).not.toHaveProperty("id");
  expect(triggers?.[0]?.["groups"]).toEqual([campaigns?.[0]?.["group"]]);
});

it("knows the types of flows and fields in the export", () => {
  const voice = flow({ flow_type: "V", metadata: { uuid: "flow-2", name: "Call" } });
  const actions = [
    { type: "reply", msg: { eng: "Due @contact.due" } },
    { type: "flow", flow: { uuid: "flow-2", name: "Call" } },
  ];
  const text = flow({ version: "10.4", action_sets: [actionSet("one", actions)] });
  const fields = [{ key: "due", name: "Due", type: "datetime" }];
  expect(migrateExport({ version: "10.4", flows: [text, voice], fields })["flows"]).toMatchObject([
    { nodes: [{ actions: [{ text: "Due @(format_datetime(fields.due))" }, { type: "start_session" }] }] },
    { type: "voice" },
  ]);
});

it("takes the version of the export for flows that do not say theirs", () => {
  const { version: _, ...old } = flow({ action_sets: [actionSet("one", [{ type: "reply", msg: "=contact.name" }])] });
  const text = (version: unknown) => migrateExport({ version, flows: [old] })["flows"];
  expect(text(7)).toMatchObject([{ nodes: [{ actions: [{ text: "@contact.name" }] }] }]);
  expect(text("11.12")).toMatchObject([{ nodes: [{ actions: [{ text: "=contact.name" }] }] }]);
});

it.each([
  [{ version: 13 }, "not an export: it has no flows"],
  [[], "not an export"],
  [{ version: "11", flows: [null] }, "flows[0]: not a flow definition"],
  [
    { version: "11", flows: [flow({ action_sets: [actionSet("one", [{ type: "dance" }])] })] },
    "flows[0] 'Clinic', action set one-set, action ",
  ],
])("refuses %j", (all, reason) => {
  expect(() => migrateExport(all)).toThrow(reason);
});
