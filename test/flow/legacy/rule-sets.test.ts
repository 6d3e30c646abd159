import { describe, expect, it } from "vitest";
import { actionSet, caseOf, flow, migrate, nodeOf, other, rule, ruleSet } from "./definitions.js";

it.each([
  [{ type: "contains", test: { eng: "yes @flow.word" } }, "has_all_words", ["yes @results.word"]],
  [{ type: "contains_any", test: "yes" }, "has_any_word", ["yes"]],
  [{ type: "contains_any" }, "has_any_word", [""]],
  [{ type: "contains_phrase", test: { eng: "so far" } }, "has_phrase", ["so far"]],
  [{ type: "contains_only_phrase", test: { eng: "so far" } }, "has_only_phrase", ["so far"]],
  [{ type: "starts", test: { base: "join" } }, "has_beginning", ["join"]],
  [{ type: "regex", test: { eng: String.raw`^\d+@contact` } }, "has_pattern", [String.raw`^\d+@contact`]],
  [{ type: "eq", test: 7 }, "has_number_eq", ["7"]],
  [{ type: "lt", test: "@contact.age" }, "has_number_lt", ["@fields.age"]],
  [{ type: "lte", test: "3" }, "has_number_lte", ["3"]],
  [{ type: "gt", test: null }, "has_number_gt", [""]],
  [{ type: "gte", test: "3" }, "has_number_gte", ["3"]],
  [{ type: "between", min: 1, max: "@flow.most" }, "has_number_between", ["1", "@results.most"]],
  [{ type: "date_equal", test: "@(date.today + 2)" }, "has_date_eq", ['@(datetime_add(today(), 2, "D"))']],
  [{ type: "date_before", test: "@date.today" }, "has_date_lt", ["@(today())"]],
  [{ type: "date_after", test: "1-2-2020" }, "has_date_gt", ["1-2-2020"]],
  [{ type: "district", test: "@flow.state" }, "has_district", ["@results.state"]],
  [{ type: "ward", state: "@flow.state", district: "North" }, "has_ward", ["North", "@results.state"]],
  [{ type: "in_group", test: { uuid: "group-1", name: "Staff" } }, "has_group", ["group-1", "Staff"]],
  [{ type: "subflow", exit_type: "expired" }, "has_only_text", ["expired"]],
])("writes the test %j as %s %j", (test, type, parameters) => {
  expect(caseOf(test)).toEqual({ type, arguments: parameters });
});

it.each([
  ["date", "has_date"],
  ["has_email", "has_email"],
  ["not_empty", "has_text"],
  ["number", "has_number"],
  ["phone", "has_phone"],
  ["state", "has_state"],
])("writes the test %s as %s, without arguments", (legacy, native) => {
  expect(caseOf({ type: legacy })).toEqual({ type: native });
});

it.each(["false", "interrupted_status", "timeout"])("has no case for the test %s", (type) => {
  expect(caseOf({ type })).toBeUndefined();
});

it.each([
  ["wait_message", { type: "msg" }, "@input"],
  ["", { type: "msg" }, "@input"],
  ["wait_photo", { type: "msg", hint: { type: "image" } }, "@input"],
  ["wait_video", { type: "msg", hint: { type: "video" } }, "@input"],
  ["wait_audio", { type: "msg", hint: { type: "audio" } }, "@input"],
  ["wait_recording", { type: "msg", hint: { type: "audio" } }, "@input"],
  ["wait_gps", { type: "msg", hint: { type: "location" } }, "@input"],
  ["wait_digit", { type: "msg", hint: { type: "digits", count: 1 } }, "@input.text"],
  ["wait_digits", { type: "msg", hint: { type: "digits", terminated_by: "#" } }, "@input.text"],
])("lets a rule set %j wait", (type, wait, operand) => {
  const node = nodeOf(ruleSet("one", [other], { ruleset_type: type, finished_key: "#" }));
  expect(node?.router).toMatchObject({ type: "switch", wait, operand, result_name: "Answer" });
});

it.each([
  ["expression", "@contact.age", '@(if(is_error(fields.age), "@contact.age", fields.age))', "split_by_expression"],
  ["expression", null, "@input", "split_by_expression"],
  ["contact_field", "@contact.age", "@fields.age", "split_by_contact_field"],
  ["contact_field", "@contact.groups", '@(join(contact.groups, ","))', "split_by_expression"],
  ["flow_field", "@flow.answer.category", "@results.answer.category_localized", "split_by_run_result"],
  ["group", "@step.value", "@contact.groups", "split_by_groups"],
])("splits by %s %s", (type, operand, native, shown) => {
  const definition = flow({ rule_sets: [ruleSet("one", [other], { ruleset_type: type, operand })] });
  const { nodes, _ui: ui } = migrate(definition);
  expect(nodes[0]?.router).toMatchObject({ type: "switch", operand: native });
  expect(nodes[0]?.router).not.toHaveProperty("wait");
  expect(ui.nodes["one-set"]).toMatchObject({ type: shown, position: { left: 10, top: 100 } });
});

it("splits by one of several values", () => {
  const set = (operand: string, config: object) =>
    ruleSet("one", [other], { ruleset_type: "form_field", operand, config });
  const operandOf = (operand: string, config: object) => nodeOf(set(operand, config))?.router?.operand;
  expect(operandOf("@flow.form", { field_index: 2, field_delimiter: "+" })).toBe('@(field(results.form, 2, "+"))');
  expect(operandOf("@contact.tel", { field_index: "1", field_delimiter: '"' })).toBe(
    String.raw`@(field((format_urn(urns.tel)), 1, "\""))`,
  );
  expect(operandOf("", {})).toBe('@(field(input, 0, ""))');
});

describe("categories", () => {
  it("shares them between rules with the same name, except with the rule for all other answers", () => {
    const yes = { eng: "Yes", fra: "Oui" };
    const node = nodeOf(
      ruleSet("one", [
        rule("a", yes, { type: "eq", test: "1" }, "two-set"),
        rule("b", yes, { type: "contains_any", test: "yes" }, "three-set"),
        rule("c", "Other", { type: "eq", test: "3" }),
        other,
      ]),
      { action_sets: [actionSet("two", [], { y: 500 }), actionSet("three", [], { y: 600 })] },
    );
    expect(node?.exits).toEqual([
      { uuid: "a-rule", destination_uuid: "two-set" },
      { uuid: "c-rule" },
      { uuid: "other-rule" },
    ]);
    const { categories, cases = [], default_category_uuid: last } = node?.router ?? { categories: [] };
    expect(categories.map(({ name, exit_uuid: exit }) => [name, exit])).toEqual([
      ["Yes", "a-rule"],
      ["Other", "c-rule"],
      ["Other", "other-rule"],
    ]);
    const place = (uuid: unknown) => categories.findIndex((category) => category.uuid === uuid);
    expect(cases.map(({ category_uuid: uuid }) => place(uuid))).toEqual([0, 0, 1]);
    expect(place(last)).toBe(2);
  });

  it("translates their names and the arguments of cases", () => {
    const set = ruleSet("one", [
      rule("a", { eng: "Yes", fra: "Oui" }, { type: "starts", test: { eng: "y", fra: "o @flow.x" } }),
    ]);
    const { nodes, localization } = migrate(flow({ rule_sets: [set] }));
    const { router } = nodes[0] ?? {};
    expect(localization).toEqual({
      fra: {
        [router?.categories[0]?.uuid ?? ""]: { name: ["Oui"] },
        [router?.cases?.[0]?.uuid ?? ""]: { arguments: ["o @results.x"] },
      },
    });
    expect(router?.["default_category_uuid"]).toBe("");
  });

  it("gives a rule set without rules one, since a node needs an exit", () => {
    const node = nodeOf(ruleSet("one", []));
    expect(node?.exits).toHaveLength(1);
    expect(node?.router?.categories.map(({ name }) => name)).toEqual(["All Responses"]);
  });

  it("makes the exits of copied rules unique", () => {
    const sets = ["one", "two"].map((word) => ruleSet(word, [other]));
    const exits = migrate(flow({ rule_sets: sets })).nodes.map(({ exits: [exit] }) => exit?.["uuid"]);
    expect(exits[0]).toBe("other-rule");
    expect(exits[1]).not.toBe("other-rule");
  });
});

it("turns a rule for silence into a timeout", () => {
  const silent = rule("silent", "No Response", { type: "timeout", minutes: 5 });
  const { router } = nodeOf(ruleSet("one", [other, silent])) ?? {};
  expect(router?.["wait"]).toEqual({
    type: "msg",
    timeout: { seconds: 300, category_uuid: router?.categories[1]?.uuid },
  });
  expect(router?.cases).toEqual([]);
});

describe("rule sets that do something", () => {
  const status = ["success", "failure"].map((name) => rule(name, name, { type: "webhook_status", status: name }));

  it("calls a webhook and splits by its result", () => {
    const config = { webhook: "http://x.test/?n=@contact.name", webhook_action: "get" };
    const node = nodeOf(ruleSet("one", status, { ruleset_type: "webhook", label: "Stock Level", config }));
    expect(node?.actions).toEqual([
      {
        uuid: expect.any(String),
        type: "call_webhook",
        method: "GET",
        url: "http://x.test/?n=@(url_encode(contact.name))",
        result_name: "Stock Level",
      },
    ]);
    expect(node?.router).toMatchObject({
      operand: "@results.stock_level.category",
      cases: [
        { type: "has_only_text", arguments: ["Success"] },
        { type: "has_only_text", arguments: ["Failure"] },
      ],
      default_category_uuid: node?.router?.categories[1]?.uuid,
    });
    expect(node?.router).not.toHaveProperty("result_name");
  });

  it("posts the session as JSON", () => {
    const webhook_headers = [{ name: "Token", value: "@contact.token" }, { name: "" }, null];
    const config = { webhook: "http://x.test/", webhook_headers };
    const [action] = nodeOf(ruleSet("one", status, { ruleset_type: "webhook", config }))?.actions ?? [];
    expect(action).toMatchObject({
      method: "POST",
      headers: { "Content-Type": "application/json", Token: "@fields.token" },
    });
    expect(action?.["body"]).toMatch(/^@\(json\(object\(\n {2}"contact", object\("uuid", contact\.uuid, /);
    expect(action?.["body"]).toContain('\n  "channel", default(input.channel, null)\n)))');
  });

  it("calls a resthook", () => {
    const node = nodeOf(ruleSet("one", status, { ruleset_type: "resthook", config: { resthook: "new-birth" } }));
    expect(node?.actions).toMatchObject([{ type: "call_resthook", resthook: "new-birth", result_name: "Answer" }]);
    expect(node?.router?.operand).toBe("@results.answer.category");
  });

  it("enters a flow and splits by how it ended", () => {
    const flow = { uuid: "flow-2", name: "Survey" };
    const done = rule("done", "Complete", { type: "subflow", exit_type: "completed" });
    const node = nodeOf(ruleSet("one", [done], { ruleset_type: "subflow", config: { flow } }));
    expect(node?.actions).toEqual([{ uuid: expect.any(String), type: "enter_flow", flow }]);
    expect(node?.router).toMatchObject({ operand: "@child.status", result_name: "Answer" });
  });

  it("splits at random", () => {
    const half = rule("half", "Half", { type: "between", min: "0", max: "0.5" });
    const node = nodeOf(ruleSet("one", [half, other], { ruleset_type: "random" }));
    expect(node?.router).toMatchObject({ type: "random", result_name: "Answer", categories: [{ name: "Half" }, {}] });
    expect(node?.router).not.toHaveProperty("operand");
  });

  it("transfers airtime by currency", () => {
    const config = { RW: { currency_code: "RWF", amount: 500 }, UG: { currency_code: "UGX", amount: "1000" } };
    const tests = [
      rule("a", "Success", { type: "airtime_status", exit_status: "success" }),
      rule("b", "Failure", { type: "airtime_status", exit_status: "failed" }),
    ];
    const node = nodeOf(ruleSet("one", tests, { ruleset_type: "airtime", config }));
    expect(node?.actions).toMatchObject([{ type: "transfer_airtime", amounts: { RWF: 500, UGX: 1000 } }]);
    expect(node?.router).toMatchObject({
      operand: "@results.answer",
      cases: [{ type: "has_category", arguments: ["Success"] }],
      default_category_uuid: node?.router?.categories[1]?.uuid,
    });
  });
});

it.each([
  [ruleSet("one", [], { ruleset_type: "dance" }), "rule set one-set: no native form for the rule set type 'dance'"],
  [ruleSet("one", [], { ruleset_type: "subflow" }), "rule set one-set, config: a subflow rule set needs a flow"],
  [
    ruleSet("one", [other, rule("a", "A", { type: "and" })]),
    "rule set one-set, rule 2: no native form for the test 'and'",
  ],
  [
    ruleSet("one", [], {
      ruleset_type: "airtime",
      config: { A: { currency_code: "USD", amount: 1 }, B: { currency_code: "USD", amount: 2 } },
    }),
    "two amounts in USD: 1 and 2",
  ],
])("refuses %j", (set, message) => {
  expect(() => nodeOf(set)).toThrow(message);
});
