import fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { accountOfDefinitions, flowSummary, pathText } from "../../src/account/index.js";
import { runs } from "../support/effort.js";

type Json = Readonly<Record<string, unknown>>;

/** The problems of an export, one line each. */
function told(json: unknown): string[] {
  return accountOfDefinitions(json).problems.map(({ path, message }) => `${pathText(path)} ${message}`.trim());
}

function shipped(name: string): Json {
  const file = new URL(`../../scenarios/accounts/${name}`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Json;
}

const node = (more: object = {}): object => ({
  uuid: "n1",
  actions: [],
  exits: [{ uuid: "e1", destination_uuid: null }],
  ...more,
});
const native = (more: object = {}): Json => ({
  uuid: "11111111-1111-4111-8111-111111111111",
  name: "Ask",
  spec_version: "13.1.0",
  language: "eng",
  type: "messaging",
  nodes: [node()],
  ...more,
});
const withAction = (action: object, more: object = {}): Json =>
  native({ nodes: [node({ actions: [{ uuid: "a1", ...action }] })], ...more });
const router = (more: object = {}): object => ({
  type: "switch",
  operand: "@input.text",
  categories: [{ uuid: "c1", name: "Yes", exit_uuid: "e1" }],
  default_category_uuid: "c1",
  cases: [],
  ...more,
});
const withRouter = (more: object, flow: object = {}): Json =>
  native({ nodes: [node({ router: router(more) })], ...flow });
const legacy = (more: object = {}): Json => ({
  version: 10,
  flow_type: "F",
  base_language: "eng",
  entry: "s1",
  metadata: { uuid: "22222222-2222-4222-8222-222222222222", name: "Old", expires: 720 },
  action_sets: [{ uuid: "s1", y: 0, destination: null, actions: [{ type: "reply", msg: { eng: "Hello" } }] }],
  rule_sets: [],
  ...more,
});
const withRule = (test: object, more: object = {}): Json =>
  legacy({
    rule_sets: [{ uuid: "r1", label: "Q", ruleset_type: "wait_message", rules: [{ uuid: "u1", test }], ...more }],
  });
const exported = (more: object = {}): Json => ({
  version: "13",
  site: "https://messages.example",
  flows: [native(), legacy()],
  campaigns: [],
  triggers: [],
  ...more,
});

describe("accountOfDefinitions", () => {
  it("reads legacy and native flows from one export and keeps them unchanged", () => {
    const { account, problems } = accountOfDefinitions(exported());
    expect(problems).toEqual([]);
    expect(account.flows.map(({ name, type, expiresMinutes, uuid }) => [name, type, expiresMinutes, uuid])).toEqual([
      ["Ask", "message", 10_080, "11111111-1111-4111-8111-111111111111"],
      ["Old", "message", 720, "22222222-2222-4222-8222-222222222222"],
    ]);
    expect(account.flows[0]?.definition).toEqual(native());
    expect(account.flows[1]?.definition).toEqual(legacy());
  });

  it("reads a single flow as an export of that flow", () => {
    expect(accountOfDefinitions(native()).account.flows).toHaveLength(1);
    expect(accountOfDefinitions(legacy()).account.flows).toHaveLength(1);
  });

  it("reads the oldest form: a wrapped definition, ids instead of UUIDs, plain texts", () => {
    const flow = {
      id: 7,
      name: "Ancient",
      flow_type: "F",
      expires: 60,
      definition: {
        base_language: "base",
        action_sets: [
          {
            uuid: "s1",
            destination: "r1",
            actions: [{ type: "add_group", groups: [{ id: 3, name: "Elders" }, "New"] }],
          },
        ],
        rule_sets: [
          { uuid: "r1", label: "Age?", response_type: "C", rules: [{ test: { type: "true" }, category: "All" }] },
        ],
      },
    };
    const trigger = { trigger_type: "K", keyword: "OLD", flow: { id: 7, name: "renamed since" }, groups: [] };
    const { account, problems } = accountOfDefinitions({ version: 3, flows: [flow], triggers: [trigger] });
    expect(problems).toEqual([]);
    expect(account.flows).toMatchObject([{ name: "Ancient", expiresMinutes: 60 }]);
    expect(account.flows[0]?.uuid).toBeUndefined();
    expect(account.groups).toEqual([
      { name: "Elders", query: null },
      { name: "New", query: null },
    ]);
    expect(account.triggers).toMatchObject([{ type: "K", keyword: "old", flow: "Ancient" }]);
  });

  it("gives legacy flows without a version that of their export, unless it is native", () => {
    const { version: _, ...unsaid } = legacy();
    const versions = (version: unknown) =>
      accountOfDefinitions({ version, flows: [unsaid] }).account.flows.map((flow) => flow.definition["version"]);
    expect(versions("11.10")).toEqual(["11.10"]);
    expect(versions(8)).toEqual([8]);
    expect(versions(13)).toEqual([undefined]);
    expect(versions(undefined)).toEqual([undefined]);
    expect(accountOfDefinitions({ version: "13", flows: [unsaid] }).problems).toEqual([]);
  });

  it("leaves out a broken flow and the entries that need it, and nothing else", () => {
    const broken = native({ uuid: "33333333-3333-4333-8333-333333333333", name: "Broken", nodes: [{}] });
    const { account, problems } = accountOfDefinitions(
      exported({
        flows: [broken, native()],
        triggers: [
          { trigger_type: "K", keyword: "broken", flow: { uuid: broken["uuid"], name: "Broken" } },
          { trigger_type: "C", flow: { uuid: native()["uuid"], name: "Ask" } },
        ],
      }),
    );
    expect(account.flows.map(({ name }) => name)).toEqual(["Ask"]);
    expect(account.triggers.map(({ type }) => type)).toEqual(["C"]);
    expect(problems.map(({ path }) => pathText(path))).toEqual([
      "flows[0].nodes[0].uuid",
      "flows[0].nodes[0].exits",
      "triggers[0].flow",
    ]);
  });

  it("adds the groups, labels, fields and resthooks that flows mention and the export does not list", () => {
    const { account } = accountOfDefinitions(
      exported({
        groups: [{ uuid: "g1", name: "Mothers", query: null }],
        fields: [{ key: "age", name: "Age", type: "number" }],
        flows: [
          native({
            nodes: [
              node({
                actions: [
                  {
                    uuid: "a1",
                    type: "add_contact_groups",
                    groups: [
                      { uuid: "g1", name: "Moms" },
                      { uuid: "g2", name: "Elders" },
                    ],
                  },
                  {
                    uuid: "a2",
                    type: "set_contact_field",
                    field: { key: "village", name: "Village" },
                    value: "@input",
                  },
                  {
                    uuid: "a3",
                    type: "add_input_labels",
                    labels: [{ uuid: "l1", name: "Urgent" }, { name_match: "@fields.x" }],
                  },
                  { uuid: "a4", type: "call_resthook", resthook: "Stock-Low" },
                ],
              }),
            ],
          }),
        ],
      }),
    );
    expect(account.groups).toEqual([
      { uuid: "g1", name: "Mothers", query: null },
      { uuid: "g2", name: "Elders", query: null },
    ]);
    expect(account.fields).toEqual([
      { key: "age", label: "Age", type: "numeric" },
      { key: "village", label: "Village", type: "text" },
    ]);
    expect(account.labels).toEqual([{ uuid: "l1", name: "Urgent" }]);
    expect(account.resthooks).toEqual([{ slug: "stock-low", subscribers: [] }]);
  });

  it("reads campaigns, with units as letters", () => {
    const event = { offset: "3", delivery_hour: 9, relative_to: { key: "edd", label: "EDD" } };
    const { account, problems } = accountOfDefinitions(
      exported({
        campaigns: [
          {
            uuid: "k1",
            name: "Visits",
            group: { uuid: "g1", name: "Mothers" },
            events: [
              { ...event, uuid: "v1", event_type: "M", unit: "D", message: { eng: "Come", fra: "Venez" } },
              {
                ...event,
                event_type: "M",
                unit: "H",
                offset: -2,
                message: "Come",
                base_language: "eng",
                delivery_hour: -1,
              },
              { ...event, event_type: "F", unit: "W", flow: { uuid: native()["uuid"], name: "Ask" } },
              { ...event, event_type: "F", unit: "M", flow: { uuid: "nobody", name: "Nobody" } },
              { ...event, event_type: "F", unit: "Y", flow: { name: "ask" } },
              { event_type: "M", unit: "D", offset: 1, relative_to: { key: "created_on" }, message: "Hello" },
            ],
          },
        ],
      }),
    );
    expect(account.campaigns).toEqual([
      {
        uuid: "k1",
        name: "Visits",
        group: "Mothers",
        isArchived: false,
        events: [
          {
            uuid: "v1",
            relativeTo: "edd",
            offset: 3,
            unit: "days",
            deliveryHour: 9,
            message: { eng: "Come", fra: "Venez" },
            flow: null,
          },
          { relativeTo: "edd", offset: -2, unit: "hours", deliveryHour: -1, message: { eng: "Come" }, flow: null },
          { relativeTo: "edd", offset: 3, unit: "weeks", deliveryHour: 9, message: null, flow: native()["uuid"] },
          {
            relativeTo: "created_on",
            offset: 1,
            unit: "days",
            deliveryHour: -1,
            message: { base: "Hello" },
            flow: null,
          },
        ],
      },
    ]);
    expect(account.fields).toEqual([{ key: "edd", label: "EDD", type: "datetime" }]);
    expect(problems.map(({ path, message }) => `${pathText(path)} ${message}`)).toEqual([
      "campaigns[0].events[3].flow names no flow of the export that could be read",
      "campaigns[0].events[4].unit must be one of M, H, D, W, got 'Y'",
    ]);
  });

  it("reads triggers and reports those that it leaves out", () => {
    const flow = { uuid: native()["uuid"], name: "Ask" };
    const { account, problems } = accountOfDefinitions(
      exported({
        triggers: [
          {
            trigger_type: "K",
            keyword: " Join ",
            match_type: "O",
            flow,
            groups: [{ name: "Mothers" }],
            channel: { uuid: "h1", name: "A" },
          },
          { trigger_type: "M", flow, groups: [], exclude_groups: [{ uuid: "g2", name: "Elders" }], channel: null },
          { trigger_type: "S", flow },
          { trigger_type: "K", keyword: "two words", flow },
          { trigger_type: "X", flow },
        ],
      }),
    );
    expect(account.triggers).toEqual([
      {
        type: "K",
        keyword: "join",
        matchType: "O",
        flow: flow.uuid,
        groups: ["Mothers"],
        excludeGroups: [],
        channel: "h1",
      },
      {
        type: "M",
        keyword: null,
        matchType: "F",
        flow: flow.uuid,
        groups: [],
        excludeGroups: ["Elders"],
        channel: null,
      },
    ]);
    expect(problems.map(({ path }) => pathText(path))).toEqual([
      "triggers[2].trigger_type",
      "triggers[3].keyword",
      "triggers[4].trigger_type",
    ]);
  });

  it.each([
    ["a value that is not an object", [], "must be an object, got a list"],
    ["a text", "flows", "must be an object, got 'flows'"],
    ["an export that is too old", { version: 2, flows: [] }, "version must be 3 or later"],
    ["flows that are not a list", { version: 13, flows: {} }, "flows must be a list, got an object"],
    [
      "an object that is not a flow",
      { version: 13, flows: [{}] },
      "flows[0] must have nodes, or action_sets and rule_sets, to be a flow",
    ],
    [
      "the same flow twice",
      exported({ flows: [native(), native()] }),
      `flows[1] has the UUID of another flow: '${String(native()["uuid"])}'`,
    ],
    [
      "a field of an unknown type",
      { version: 13, flows: [], fields: [{ key: "a", name: "A", type: "B" }] },
      "fields[0].type must be a known type of field, got 'B'",
    ],
    [
      "a field with an invalid key",
      { version: 13, flows: [], fields: [{ key: "A b", name: "A" }] },
      "fields[0].key must be a letter, then letters, digits or _, 36 at most, got 'A b'",
    ],
    [
      "a group without a name",
      { version: 13, flows: [], groups: [{ uuid: "g" }] },
      "groups[0].name must be a text that is not empty, got nothing",
    ],
  ])("reports %s", (_, json, message) => expect(told(json)).toEqual([message]));

  it.each<[string, Json, string]>([
    ["no name", native({ name: " " }), "name must be a text that is not empty, got ' '"],
    ["a future version", native({ spec_version: "15.0" }), "spec_version must be 13.0 to 14.x, got '15.0'"],
    [
      "an unknown type",
      native({ type: "chat" }),
      "type must be one of messaging, messaging_background, messaging_offline, voice, got 'chat'",
    ],
    [
      "two nodes with one UUID",
      native({ nodes: [node(), node({ exits: [{ uuid: "e2" }] })] }),
      "nodes[1].uuid is also the UUID of another node: 'n1'",
    ],
    [
      "an action with a node's UUID",
      withAction({ uuid: "n1", type: "send_msg", text: "x" }),
      "nodes[0].actions[0].uuid is also the UUID of another node: 'n1'",
    ],
    ["no exit", native({ nodes: [node({ exits: [] })] }), "nodes[0].exits must hold at least one exit, got none"],
    [
      "an exit to nowhere",
      native({ nodes: [node({ exits: [{ uuid: "e1", destination_uuid: "n9" }] })] }),
      "nodes[0].exits[0].destination_uuid names no node of the flow: 'n9'",
    ],
    ["an unknown action", withAction({ type: "dance" }), "nodes[0].actions[0].type is no action: 'dance'"],
    [
      "an action named like a property of every object",
      withAction({ type: "constructor" }),
      "nodes[0].actions[0].type is no action: 'constructor'",
    ],
    [
      "a sub-flow without a flow",
      withAction({ type: "enter_flow" }),
      "nodes[0].actions[0].flow.uuid must be a text that is not empty, got nothing",
    ],
    [
      "voice in a text flow",
      withAction({ type: "say_msg", text: "x" }),
      "nodes[0].actions[0].type is allowed in voice flows only: 'say_msg'",
    ],
    [
      "a label in a background flow",
      withAction({ type: "add_input_labels", labels: [] }, { type: "messaging_background" }),
      "nodes[0].actions[0].type is not allowed in a background flow: 'add_input_labels'",
    ],
    [
      "too many quick replies",
      withAction({ type: "send_msg", text: "x", quick_replies: Array(11).fill("y") }),
      "nodes[0].actions[0].quick_replies must hold at most 10, got 11",
    ],
    [
      "too many actions",
      native({
        nodes: [
          node({
            actions: Array.from({ length: 101 }, (_, place) => ({ uuid: `a${place}`, type: "send_msg", text: "x" })),
          }),
        ],
      }),
      "nodes[0].actions must hold at most 100, got 101",
    ],
    [
      "too many nodes",
      native({
        nodes: Array.from({ length: 1001 }, (_, place) => ({ uuid: `n${place}`, exits: [{ uuid: `e${place}` }] })),
      }),
      "nodes must hold at most 1000 nodes, got 1001",
    ],
    [
      "a router of an unknown type",
      withRouter({ type: "smart" }),
      "nodes[0].router.type must be one of switch, random, got 'smart'",
    ],
    [
      "a category of another node's exit",
      withRouter({ categories: [{ uuid: "c1", name: "A", exit_uuid: "e9" }] }),
      "nodes[0].router.categories[0].exit_uuid names no exit of the node: 'e9'",
    ],
    [
      "a default category that is unknown",
      withRouter({ default_category_uuid: "c9" }),
      "nodes[0].router.default_category_uuid names no category of the router: 'c9'",
    ],
    [
      "an unknown test",
      withRouter({ cases: [{ uuid: "k1", type: "has_luck", arguments: [], category_uuid: "c1" }] }),
      "nodes[0].router.cases[0].type must be a known type of test, got 'has_luck'",
    ],
    [
      "a case without its category",
      withRouter({ cases: [{ uuid: "k1", type: "has_text", category_uuid: "c9" }] }),
      "nodes[0].router.cases[0].category_uuid names no category of the router: 'c9'",
    ],
    [
      "a timeout without its category",
      withRouter({ wait: { type: "msg", timeout: { seconds: 60, category_uuid: "c9" } } }),
      "nodes[0].router.wait.timeout.category_uuid names no category of the router: 'c9'",
    ],
    [
      "a wait in a background flow",
      withRouter({ wait: { type: "msg" } }, { type: "messaging_background" }),
      "nodes[0].router.wait is not allowed in a background flow",
    ],
    [
      "dialling in a text flow",
      withRouter({ wait: { type: "dial" } }),
      "nodes[0].router.wait.type is allowed in voice flows only: 'dial'",
    ],
    ["legacy: no name", legacy({ metadata: {} }), "name must be a text that is not empty, got nothing"],
    ["legacy: a version too old", legacy({ version: 2 }), "version must be 3 to 12, got '2'"],
    ["legacy: an unknown type", legacy({ flow_type: "Z" }), "flow_type must be one of F, M, U, V, S, got 'Z'"],
    [
      "legacy: two sets with one UUID",
      withRule({ type: "true" }, { uuid: "s1" }),
      "rule_sets[0].uuid is also the UUID of another action set: 's1'",
    ],
    [
      "legacy: an unknown action",
      legacy({ action_sets: [{ uuid: "s1", actions: [{ type: "dance" }] }] }),
      "action_sets[0].actions[0].type is no kind of action: 'dance'",
    ],
    [
      "legacy: an unknown rule set",
      withRule({ type: "true" }, { ruleset_type: "guess" }),
      "rule_sets[0].ruleset_type is no kind of rule set: 'guess'",
    ],
    [
      "legacy: an unknown nested test",
      withRule({ type: "and", tests: [{ type: "true" }, { type: "luck" }] }),
      "rule_sets[0].rules[0].test.tests[1].type is no kind of test: 'luck'",
    ],
  ])("refuses a flow that has %s", (_, flow, message) => {
    const { account, problems } = accountOfDefinitions(flow);
    expect(problems.map((problem) => `${pathText(problem.path)} ${problem.message}`)).toEqual([message]);
    expect(account.flows).toEqual([]);
  });

  it.each<[string, Json]>([
    ["no nodes", native({ nodes: [] })],
    ["no spec version", native({ spec_version: undefined })],
    ["a later minor version", native({ spec_version: "14.4.0" })],
    ["voice actions in a voice flow", withAction({ type: "say_msg", text: "x" }, { type: "voice" })],
    ["a random router", withRouter({ type: "random", operand: undefined, default_category_uuid: undefined })],
    [
      "legacy: a destination that does not exist",
      legacy({ action_sets: [{ uuid: "s1", destination: "s9", actions: [] }] }),
    ],
    ["legacy: no type", legacy({ flow_type: "" })],
  ])("accepts a flow that has %s", (_, flow) => expect(told(flow)).toEqual([]));

  it("rejects deep nesting without a stack overflow", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`) as object;
    expect(told(exported({ flows: [native({ _ui: deep }), native()] }))).toEqual([
      "flows[0] is nested deeper than 60 levels",
    ]);
    expect(told(deep)).toEqual([]);
    expect(flowSummary(native({ localization: deep })).name).toBe("Ask");
  });

  it("never throws, whatever JSON it reads", () => {
    const words =
      "flows nodes actions exits router cases categories wait uuid type name version action_sets rule_sets rules test tests " +
      "metadata definition groups fields campaigns events triggers flow group relative_to message config __proto__ constructor";
    const keys = fc.constantFrom(...words.split(" "));
    const { json } = fc.letrec((tie) => ({
      json: fc.oneof(
        { depthSize: "medium" },
        fc.constantFrom(null, true, 0, -1, 1.5, "", "F", "switch", "send_msg", "K", "@x"),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.dictionary(keys, tie("json"), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(json, keys, (value, key) => {
        for (const whole of [
          value,
          { version: 13, flows: [value] },
          { version: 13, [key]: [value] },
          { nodes: [value] },
        ]) {
          const { account } = accountOfDefinitions(whole);
          for (const { definition } of account.flows) flowSummary(definition);
          flowSummary(whole);
        }
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("flowSummary", () => {
  it("lists the results and references of a native flow", () => {
    const { results, dependencies, type, expiresMinutes } = flowSummary(shipped("stock-check.json"));
    expect([type, expiresMinutes]).toEqual(["message", 4320]);
    expect(results.map(({ key, name, categories, nodeUuids }) => [key, name, categories, nodeUuids.length])).toEqual([
      ["nets_left", "Nets left", ["Low", "Enough", "Other", "No Response"], 1],
      ["restock", "Restock", ["Success", "Failure"], 1],
      ["order", "Order", ["Success", "Failure"], 1],
    ]);
    expect(dependencies).toEqual({
      flows: [],
      groups: [],
      labels: [],
      fields: [{ key: "bednets", name: "Bednets" }],
      resthooks: ["stock-low"],
    });
  });

  it("lists the results and references of a legacy flow", () => {
    const file = new URL("fixtures/legacy-registration.json", import.meta.url);
    const { uuid, results, dependencies, type, expiresMinutes } = flowSummary(
      JSON.parse(readFileSync(file, "utf8")) as Json,
    );
    expect([type, expiresMinutes]).toEqual(["message", 720]);
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(results.map(({ key, name, categories }) => [key, name, categories])).toEqual([
      ["name", "Name", ["All Responses"]],
      ["age", "Age", ["0-120", "Other"]],
    ]);
    expect(dependencies.fields).toEqual([{ key: "age", name: "Age" }]);
    expect(dependencies.groups.map(({ name }) => name)).toEqual(["Registered"]);
  });

  it("finds references in templates, tests and sub-flows", () => {
    const { dependencies } = flowSummary(
      native({
        nodes: [
          node({
            actions: [
              {
                uuid: "a1",
                type: "send_msg",
                text: "Hi @contact.fields.village: @(fields.age + 1), not results.fields.no",
              },
              { uuid: "a2", type: "enter_flow", flow: { uuid: "f2", name: "Next" } },
            ],
            router: router({
              cases: [{ uuid: "k1", type: "has_group", arguments: ["g1", "Mothers"], category_uuid: "c1" }],
            }),
          }),
        ],
        localization: { fra: { a1: { text: ["@parent.fields.Region"] } } },
      }),
    );
    expect(dependencies).toEqual({
      flows: [{ uuid: "f2", name: "Next" }],
      groups: [{ uuid: "g1", name: "Mothers" }],
      labels: [],
      fields: ["village", "age", "region"].map((key) => ({ key, name: null })),
      resthooks: [],
    });
  });

  it("finds references in legacy flows", () => {
    const { dependencies } = flowSummary(
      legacy({
        action_sets: [
          {
            uuid: "s1",
            actions: [
              { type: "reply", msg: { eng: "@contact.village and @contact.tel_e164, write to help@contact.example" } },
              {
                type: "trigger-flow",
                flow: { uuid: "f3", name: "Other" },
                groups: [{ uuid: "g3", name: "C" }, "@flow.group"],
              },
              { type: "add_label", labels: [{ uuid: "l1", name: "Urgent" }] },
              { type: "save", field: "tel_e164", label: "Phone", value: "@step" },
            ],
          },
        ],
        rule_sets: [
          { uuid: "r1", ruleset_type: "subflow", config: { flow: { uuid: "f2", name: "Next" } }, rules: [] },
          { uuid: "r2", ruleset_type: "resthook", config: { resthook: "stock-low" }, rules: [] },
          {
            uuid: "r3",
            ruleset_type: "group",
            operand: "@step.value",
            rules: [{ test: { type: "in_group", test: { uuid: "g1", name: "A" } } }],
          },
        ],
      }),
    );
    expect(dependencies.flows.map(({ uuid }) => uuid)).toEqual(["f3", "f2"]);
    expect(dependencies.groups.map(({ uuid }) => uuid)).toEqual(["g3", "g1"]);
    expect(dependencies.labels).toEqual([{ uuid: "l1", name: "Urgent" }]);
    expect(dependencies.resthooks).toEqual(["stock-low"]);
    expect(dependencies.fields.map(({ key }) => key)).toContain("village");
    expect(dependencies.fields.map(({ key }) => key)).not.toContain("tel_e164");
  });

  it("merges results with the same key", () => {
    const saving = (uuid: string, result: string, category: string): object =>
      node({
        uuid,
        exits: [{ uuid: `e${uuid}` }],
        actions: [{ uuid: `a${uuid}`, type: "set_run_result", name: result, category }],
      });
    const { results } = flowSummary(
      native({ nodes: [saving("n1", "Baby's Age ", "A"), saving("n2", "baby_s age", "B")] }),
    );
    expect(results).toEqual([
      { key: "baby_s_age", name: "Baby's Age", categories: ["A", "B"], nodeUuids: ["n1", "n2"] },
    ]);
  });
});
