import { describe, expect, it } from "vitest";
import { actionSet, flow, migrate, type Native, nodeOf, other, rule, ruleSet } from "./definitions.js";

/** The text of the only message in a flow of a version. */
function messageOf(version: unknown, msg: unknown, parts: object = {}, options: object = {}): unknown {
  const actions = [{ type: "reply", uuid: "action-1", msg }];
  const { nodes } = migrate(flow({ version, action_sets: [actionSet("one", actions)], ...parts }), options);
  return nodes.find(({ uuid }) => uuid === "one-set")?.actions?.[0]?.["text"];
}

/** Follows the first exits from the first node: what each node is for. */
function path({ nodes }: Native): string[] {
  const steps: string[] = [];
  let [node] = nodes;
  while (node !== undefined && steps.length < 10) {
    const { wait, operand, result_name: name } = node.router ?? { categories: [] };
    const types = node.actions?.map(({ type }) => type) ?? [];
    steps.push([...types, wait === undefined ? "" : "wait", operand ?? "", name ?? ""].filter(Boolean).join(" "));
    const next = node.exits[0]?.["destination_uuid"];
    node = nodes.find(({ uuid }) => uuid === next);
  }
  return steps;
}

describe("version 5", () => {
  const old = (operand: string | null, parts: object = {}) =>
    migrate({
      version: 4,
      flows: undefined,
      definition: {
        entry: "one-set",
        action_sets: [],
        rule_sets: [ruleSet("one", [other], { ruleset_type: null, response_type: "C", operand, ...parts })],
      },
      flow_type: "F",
      name: "Old",
    });

  it.each([
    ["@step.value", ["wait @input Answer"]],
    [null, ["wait @input Answer"]],
    ["@contact.age", ["@fields.age Answer"]],
    ["@flow.name", ["@results.name Answer"]],
  ])("gives a rule set with the operand %s a type", (operand, steps) => {
    expect(path(old(operand))).toEqual(steps);
  });

  it("separates the wait from a split by a part of the message", () => {
    expect(path(old("@step.value|lower_case"))).toEqual([
      "wait @input Answer Response",
      '@(if(is_error(lower(input)), "@(LOWER(step.value))", lower(input))) Answer',
    ]);
    expect(path(old("=(step.value)"))[1]).toContain('"@(step.value)"');
  });

  it("separates the webhook, after the wait", () => {
    const parts = { webhook: "http://x.test/@contact.name|upper_case", webhook_action: "POST" };
    const native = old("@extra.value", parts);
    expect(path(native)).toEqual([
      "wait @input Answer Response",
      "call_webhook @results.answer_webhook.category",
      '@(if(is_error(legacy_extra.value), "@extra.value", legacy_extra.value)) Answer',
    ]);
    const [, webhook] = native.nodes;
    expect(webhook?.actions?.[0]).toMatchObject({
      method: "POST",
      url: "http://x.test/@(url_encode(upper(contact.name)))",
    });
    expect(webhook?.router?.categories.map(({ name }) => name)).toEqual(["Success", "Failure"]);
  });

  it("keeps the translations of the category for all answers", () => {
    const { localization, nodes } = migrate(
      flow({
        version: 4,
        rule_sets: [
          ruleSet("one", [rule("a", { eng: "Other", spa: "Otro" }, { type: "true" })], {
            ruleset_type: "",
            response_type: "O",
            operand: "@step|upper_case",
          }),
        ],
      }),
    );
    const [wait] = nodes;
    expect(wait?.router?.categories[0]?.name).toBe("All Responses");
    expect(localization["spa"]?.[wait?.router?.categories[0]?.uuid ?? ""]).toEqual({ name: ["Otro"] });
  });

  it.each([
    ["K", "terminated_by"],
    ["M", "count"],
  ])("reads keys for the response type %s", (letter, property) => {
    const [node] = old("@step.value", { response_type: letter }).nodes;
    expect(node?.router?.["wait"]).toMatchObject({ hint: { type: "digits", [property]: expect.anything() } });
  });
});

it("reads versions 3 to 6: plain texts, and the flow in a wrapper", () => {
  const between = { uuid: "range-rule", test: { type: "between", min: 1, max: 5 }, destination: null };
  const native = migrate({
    version: 3,
    id: 17,
    name: "Call",
    flow_type: "V",
    expires: 90,
    revision: 2,
    entry: "two-set",
    definition: {
      action_sets: [
        { uuid: "one-set", y: 0, actions: [{ type: "say", msg: "Hello", recording: "hello.wav" }] },
        { uuid: "two-set", y: 90, destination: "one-set", actions: [{ type: "say", msg: "First" }] },
      ],
      rule_sets: [{ uuid: "three-set", y: 200, label: "Pick", operand: "", rules: [between] }],
    },
  });
  expect(native).toMatchObject({
    name: "Call",
    type: "voice",
    language: "base",
    expire_after_minutes: 90,
    revision: 2,
    spec_version: "13.0.0",
    nodes: [
      { uuid: "two-set", actions: [{ type: "say_msg", text: "First" }], exits: [{ destination_uuid: "one-set" }] },
      { uuid: "one-set", actions: [{ type: "say_msg", text: "Hello", audio_url: "/hello.wav" }] },
      { uuid: "three-set", router: { categories: [{ name: "1-5" }] } },
    ],
  });
  expect(native.uuid).toMatch(/^[0-9a-f-]{36}$/);
});

it.each([
  ["Hi @contact.name|upper_case!", "Hi @(upper(contact.name))!"],
  ["@flow.a|lower_case|title_case|unknown", "@(title(lower(results.a)))"],
  ["in @date.now|time_delta:'7'", 'in @(datetime_add(now(), 7, "D"))'],
  [
    'on @(date.now - 1) or @date.today|time_delta:"-2"',
    'on @(datetime_add(now(), -1, "D")) or @(format_date(datetime_add(format_date(today()), -2, "D")))',
  ],
  ["Dear =contact.name,", "Dear @contact.name,"],
  ["=UPPER(contact.name) =(1+2)", "@(upper(contact.name)) @(1 + 2)"],
  ['=IF("@flow.a" = 1, @step.value|lower_case, "(")', '@(if(results.a = 1, lower(input), "("))'],
  ["1=Yes, 2=No, a=b", "1=Yes, 2=No, a=b"],
  ["mail joe@mail.test|x", "mail joe@mail.test|x"],
  ["=(1 + 2", "=(1 + 2"],
  ["= =", "= ="],
])("reads the template %j of version 7 as %j", (template, native) => {
  expect(messageOf(7, { eng: template })).toBe(native);
  expect(messageOf(8, { eng: "=contact.name" })).toBe("=contact.name");
});

it("reads the parent from extra before version 9", () => {
  const text =
    "@extra.flow.age @extra.contact.name @(extra.contact.age & extra.flow.x.category) @extra.other extra.flow";
  expect(messageOf(8, { eng: text })).toBe(
    "@parent.results.age @parent.contact.name @(parent.fields.age & parent.results.x.category_localized) @legacy_extra.other extra.flow",
  );
});

it("gives rows with numbers the UUIDs of their number", () => {
  const group = { id: 5, name: "Staff" };
  const actions = [
    { type: "add_group", groups: [group, "Staff"] },
    { type: "send", msg: "Hi", contacts: [{ id: 9, name: "Ada" }], groups: [group] },
    { type: "flow", id: 3, name: "Next" },
    { type: "trigger-flow", id: 3, name: "Next", contacts: [], groups: [], variables: [] },
    { type: "add_label", labels: [{ id: 5, name: "Staff" }] },
  ];
  const definition = flow({ version: 8, action_sets: [actionSet("one", actions)] });
  const idUuid = (kind: string, id: unknown) => (typeof id === "number" ? `${kind}-${id}` : "");
  expect(migrate(definition, { idUuid }).nodes[0]?.actions).toMatchObject([
    { groups: [{ uuid: "group-5", name: "Staff" }, { name_match: "Staff" }] },
    { contacts: [{ uuid: "contact-9", name: "Ada" }], groups: [{ uuid: "group-5", name: "Staff" }] },
    { flow: { uuid: "flow-3", name: "Next" } },
    { flow: { uuid: "flow-3", name: "Next" } },
    { labels: [{ uuid: "label-5", name: "Staff" }] },
  ]);
});

it("finds groups and labels by name where their numbers have no UUID", () => {
  const actions = [
    { type: "add_group", groups: [{ id: 5, name: "Staff" }] },
    { type: "add_label", labels: [{ id: 6, name: "Urgent" }] },
    { type: "flow", id: 3, name: "Next" },
  ];
  const definition = flow({ version: 8, action_sets: [actionSet("one", actions)] });
  const idUuid = (kind: string) => (kind === "flow" ? undefined : "");
  expect(migrate(definition, { idUuid }).nodes[0]?.actions).toMatchObject([
    { groups: [{ name_match: "Staff" }] },
    { labels: [{ name_match: "Urgent" }] },
    { flow: { uuid: expect.stringMatching(/^[0-9a-f-]{36}$/), name: "Next" } },
  ]);
});

it("drops empty action sets before version 10.2, and lets the topmost set be the first", () => {
  const parts = {
    entry: "empty-set",
    action_sets: [actionSet("empty", [], { y: 0 }), actionSet("low", [{ type: "lang", lang: "eng" }], { y: 50 })],
    rule_sets: [ruleSet("right", [other], { x: 90, y: 30 }), ruleSet("left", [other], { x: 10, y: 30 })],
  };
  expect(migrate(flow({ ...parts, version: 9 })).nodes.map(({ uuid }) => uuid)).toEqual([
    "left-set",
    "right-set",
    "low-set",
  ]);
  expect(migrate(flow(parts)).nodes[0]?.uuid).toBe("empty-set");
});

it("gives groups names that the service accepts before version 10.2", () => {
  const groups = [{ name: "< 25" }, { uuid: "group-1" }, { name: "Staff" }];
  const actions = [
    { type: "add_group", groups },
    { type: "del_group", group: { name: " x" } },
  ];
  const { nodes } = migrate(flow({ version: 10, action_sets: [actionSet("one", actions)] }));
  expect(nodes[0]?.actions).toMatchObject([
    { groups: [{ name_match: "Contacts < 25" }, { uuid: "group-1", name: "Unknown" }, { name_match: "Staff" }] },
    { groups: [{ name_match: "Contacts  x" }] },
  ]);
});

it("drops actions that prefer no channel", () => {
  const actions = [null, "", "channel-1"].map((channel) => ({ type: "channel", channel, name: "Phone" }));
  const { nodes } = migrate(flow({ action_sets: [actionSet("one", actions)] }));
  expect(nodes[0]?.actions).toMatchObject([{ channel: { uuid: "channel-1", name: "Phone" } }]);
});

it("moves the webhook of a rule set of version 9 into an action, and leads both answers where the rule led", () => {
  const set = ruleSet("one", [rule("a", "All", { type: "true" }, "two-set")], {
    ruleset_type: "webhook",
    webhook: "http://x.test/",
    webhook_action: "GET",
  });
  const next = actionSet("two", [{ type: "lang", lang: "eng" }], { y: 300 });
  const node = nodeOf(set, { version: 9, action_sets: [next] });
  expect(node?.actions).toMatchObject([{ type: "call_webhook", method: "GET", url: "http://x.test/" }]);
  expect(node?.exits).toEqual([
    { uuid: "a-rule", destination_uuid: "two-set" },
    { uuid: expect.any(String), destination_uuid: "two-set" },
  ]);
});

it("formats dates and locations in messages before version 11", () => {
  const dates = ruleSet("date", [rule("d", "Date", { type: "date" }), other], { label: "Due Date" });
  const places = ruleSet("place", [rule("p", "State", { type: "state" }), other], { label: "State" });
  const words = ruleSet("word", [rule("w", "Word", { type: "starts", test: "x" }), other], { label: "Word" });
  const parts = { rule_sets: [dates, places, words] };
  const options = {
    fieldTypes: new Map([
      ["born", "datetime"],
      ["home", "district"],
      ["name", "text"],
    ]),
  };
  const text =
    "@date. @date.now @date.today @flow.due_date, @flow.due_date.category @flow.state @flow.word @flow.word.time @contact.born. @contact.home";
  expect(messageOf("10.4", { eng: text }, parts, options)).toBe(
    "@(format_datetime(now())). @(format_datetime(now())) @(format_date(today())) @(format_datetime(results.due_date)), @results.due_date.category_localized @(format_location(results.state)) @results.word @(format_datetime(results.word.created_on)) @(format_datetime(fields.born)). @(format_location(fields.home))",
  );
  expect(messageOf("11.0", { eng: "@date @flow.state" }, parts, options)).toBe("@(now()) @results.state");
});

it("renames languages to ISO 639-3 before 11.1, and that of the flow before 11.2", () => {
  const actions = [
    { type: "reply", uuid: "action-1", msg: { fre: "Bonjour", ger: "Tag", en: "Hi" } },
    { type: "lang", uuid: "action-2", lang: "ger" },
  ];
  const parts = { base_language: "fre", action_sets: [actionSet("one", actions)] };
  const native = migrate(flow({ ...parts, version: 11 }));
  expect(native).toMatchObject({
    language: "fra",
    localization: { deu: { "action-1": { text: ["Tag"] } }, eng: { "action-1": { text: ["Hi"] } } },
  });
  expect(native.nodes[0]?.actions).toMatchObject([{ text: "Bonjour" }, { language: "deu" }]);
  expect(migrate(flow({ ...parts, version: "11.1" }))["language"]).toBe("fra");
  expect(migrate(flow({ ...parts, version: "11.2" }))["language"]).toBe("fre");
});

it("reads the input where the result of a split had its text, before 11.4", () => {
  const split = ruleSet("one", [other], { label: "Age", ruleset_type: "expression" });
  const wait = ruleSet("two", [other], { label: "Name" });
  const text = "@flow.age.text @(UPPER(Flow.age.text)) @flow.name.text @flow.age.texts";
  expect(messageOf("11.3", { eng: text }, { rule_sets: [split, wait] })).toBe(
    "@input @(upper(input)) @results.name.input @(flow.age.texts)",
  );
  expect(messageOf("11.4", { eng: "@flow.age.text" }, { rule_sets: [split, wait] })).toBe("@results.age.input");
});

it("reads the answers of webhooks from extra before 11.5", () => {
  const rules = [rule("s", "Success", { type: "webhook_status", status: "success" })];
  const call = ruleSet("call", rules, { label: "Stock", ruleset_type: "webhook", y: 10 });
  const both = ["a", "b"].map((word, place) =>
    ruleSet(word, [{ ...other, uuid: word }], {
      label: "Both",
      ruleset_type: place === 0 ? "resthook" : "expression",
      y: 20,
    }),
  );
  const field = ruleSet("field", [rule("f", "F", { type: "starts", test: { eng: "@flow.stock" } })], {
    ruleset_type: "flow_field",
    operand: "@flow.stock",
    y: 30,
  });
  const save = actionSet("save", [{ type: "save", field: "a", value: "@flow.stock.value" }], { y: 40 });
  const text = "@flow.stock @flow.stock.value @flow.stock.category @flow.stock_2 @flow.both @(flow.stock & 1)";
  const say = actionSet("say", [{ type: "reply", msg: { eng: text } }], { y: 50 });
  const { nodes } = migrate(flow({ version: "11.4", rule_sets: [call, ...both, field], action_sets: [save, say] }));
  const named = new Map(nodes.map((node) => [node.uuid, node]));
  expect(named.get("say-set")?.actions?.[0]?.["text"]).toBe(
    "@legacy_extra.stock @legacy_extra.stock @results.stock.category_localized @results.stock_2 @results.both @(legacy_extra.stock & 1)",
  );
  expect(named.get("save-set")?.actions?.[0]?.["value"]).toBe("@legacy_extra.stock");
  expect(named.get("field-set")?.router).toMatchObject({
    operand: '@(if(is_error(legacy_extra.stock), "@extra.stock", legacy_extra.stock))',
    cases: [{ arguments: ["@legacy_extra.stock"] }],
  });
});

it("splits action sets around webhooks", () => {
  const say = (text: string) => ({ type: "reply", uuid: `say-${text}`, msg: { eng: text } });
  const call = (path: string) => ({
    type: "api",
    uuid: `call-${path}`,
    webhook: `http://x.test/${path}`,
    action: "GET",
  });
  const set = actionSet("one", [say("a"), say("b"), call("1"), call("2"), say("c")], { y: 0, destination: "end-set" });
  const end = actionSet("end", [say("z")], { y: 100 });
  const native = migrate(flow({ version: "11.6", entry: "one-set", action_sets: [set, end], rule_sets: null }));
  expect(path(native)).toEqual([
    "send_msg send_msg",
    "call_webhook @results.migrated_webhook_2.category",
    "call_webhook @results.migrated_webhook_1.category",
    "send_msg",
    "send_msg",
  ]);
  expect(native.nodes[0]?.uuid).toBe("one-set");
  expect(native.nodes[1]?.exits.map((exit) => exit["destination_uuid"])).toEqual([
    native.nodes[2]?.uuid,
    native.nodes[2]?.uuid,
  ]);
  const positions = native.nodes.map(({ uuid }) => native._ui.nodes[uuid]?.["position"]);
  expect(positions).toEqual([0, 225, 325, 375, 425].map((top) => ({ left: 10, top })));
});

it("starts flows of another type as sessions of their own before 11.10", () => {
  const other2 = { uuid: "flow-2", name: "Call" };
  const parts = {
    action_sets: [actionSet("one", [{ type: "flow", uuid: "action-1", flow: other2 }], { destination: "sub-set" })],
    rule_sets: [
      ruleSet("sub", [rule("done", "Done", { type: "subflow", exit_type: "completed" }, "one-set")], {
        ruleset_type: "subflow",
        config: { flow: other2 },
      }),
    ],
  };
  const start = { type: "start_session", flow: other2, legacy_vars: ["@contact.uuid"] };
  const flowTypes = new Map([["flow-2", "V"]]);
  const { nodes } = migrate(flow({ ...parts, version: "11.9" }), { flowTypes });
  expect(nodes).toMatchObject([
    { uuid: "one-set", actions: [{ uuid: "action-1", ...start }] },
    { uuid: "sub-set", actions: [start], exits: [{ uuid: "done-rule", destination_uuid: "one-set" }] },
  ]);
  expect(nodes[1]).not.toHaveProperty("router");
  for (const type of ["F", "U", "message", "messaging", undefined]) {
    const options = type === undefined ? {} : { flowTypes: new Map([["flow-2", type]]) };
    expect(migrate(flow({ ...parts, version: "11.9" }), options).nodes[0]?.actions).toMatchObject([
      { type: "enter_flow" },
    ]);
  }
});
