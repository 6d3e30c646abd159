import { describe, expect, it } from "vitest";
import { exportsHave, lintExports, missingReferences, readExportFlows } from "../../../src/flow/index.js";
import { flowOf, flowUuid } from "../../account/flow-builder.js";
import { actionSet, flow as legacyFlow, rule, ruleSet } from "../legacy/definitions.js";
import { linted, say, textsOf } from "./linted.js";

const says = (text: string): object => flowOf(1, "Main", [{ actions: [say(text)] }]).definition;

describe("bad-template", () => {
  it.each([
    ["@(1 +", "@(1 +: its last ')' is missing, so contacts see the expression itself"],
    ["@(1 + )", "@(1 + ): the expression is not complete"],
    ["@(uper(contact.name))", "@(uper(contact.name)): there is no function uper()"],
    ["@(contat.name)", "@(contat.name): there is no 'contat'"],
    ["@(if(1 = 1, yes, no))", "@(if(1 = 1, yes, no)): there is no 'yes'"],
    ["@(upper(“x”))", "@(upper(“x”)): syntax error at “x”)"],
  ])("finds the mistake in %s", (text, said) => {
    expect(textsOf([says(text)], "bad-template")[0]).toBe(said);
  });

  it.each([
    "write to ann@example.org or @UNICEF",
    "price @@(5)",
    "@contact.name @fields.age @(upper(results.x)) @globals.org @trigger.params.x @legacy_extra.y @locals._z",
    '@(foreach(array(1, 2), (x) => x * 2)) @(default(nothing, "a"))',
    "@child.run.status @node.uuid @resume.type @ticket.topic @embed.code @webhook.body",
    '@(split(fields.list, " ")[0] & "(")',
  ])("finds nothing in %s", (text) => {
    expect(textsOf([says(text)], "bad-template")).toEqual([]);
  });

  it("names the nearest function or root", () => {
    expect(linted([says("@(uper(contat.name))")], "bad-template").map(({ fix }) => fix)).toEqual([
      "did you mean upper()?",
      "did you mean 'contact'?",
    ]);
  });
});

describe("unknown-result", () => {
  const asks = { ask: { result: "Baby's Age ", cases: [["has_number", [], "Number"] as const] } };
  const webhook = { type: "call_webhook", method: "GET", url: "http://x.test/", result_name: "Stock" };

  it("finds a result that no node saves, with its place and the nearest one", () => {
    const flow = flowOf(1, "Main", [asks, { actions: [say("a"), say("@results.babys_age")] }]).definition;
    expect(linted([flow], "unknown-result")).toEqual([
      expect.objectContaining({
        level: "error",
        at: "action 2",
        path: "nodes[1].actions[1].text",
        text: "@results.babys_age: no node of this flow saves the result 'babys_age'",
        fix: "did you mean 'baby_s_age'?",
      }),
    ]);
  });

  it("knows all that saves results: questions, calls, actions that the engine lacks", () => {
    const actions = [
      webhook,
      { type: "set_run_result", name: "Score", value: "1" },
      { type: "call_llm", result_name: "Answer" },
      say("@results.baby_s_age.category @results.stock @results.score @results.answer @run.results.score @results"),
    ];
    expect(textsOf([flowOf(1, "Main", [asks, { actions }]).definition], "unknown-result")).toEqual([]);
  });

  it("names a template once, also if the flow has texts for its own language", () => {
    const { definition } = flowOf(1, "Main", [{ actions: [say("@results.x", { uuid: flowUuid(51) })] }]);
    const texts = { [flowUuid(51)]: { text: ["@results.x"] } };
    const found = linted([{ ...definition, localization: { eng: texts, fra: texts } }], "unknown-result");
    expect(found.map(({ at }) => at)).toEqual(["action 1", "action 1 in fra"]);
  });

  it("leaves templates alone that do without the result", () => {
    const guarded =
      '@(default(results.x, "")) @(if(is_error(results.x), 1, 2)) @(results["x"]) @(foreach(results, upper))';
    expect(textsOf([says(guarded)], "unknown-result")).toEqual([]);
  });

  it("looks for results of child and parent in their flows, if all of them are there", () => {
    const enter = {
      actions: [{ type: "enter_flow", flow: { uuid: flowUuid(2), name: "Sub" } }],
      split: { operand: "@child.status", cases: [["has_only_text", ["completed"], "Complete"] as const] },
    };
    const parent = flowOf(1, "Main", [asks, enter, { actions: [say("@child.results.colour @child.results.color")] }]);
    const child = flowOf(2, "Sub", [
      { ask: { result: "Colour", cases: [["has_text", [], "Any"] as const] } },
      { actions: [say("@parent.results.baby_s_age @parent.results.name")] },
    ]);
    const older = flowOf(2, "Sub", []);
    const alone = flowOf(3, "Alone", [{ actions: [say("@parent.results.x @child.results.y")] }]);
    expect(textsOf([parent.definition, child.definition, alone.definition], "unknown-result")).toEqual([
      "@child.results.color: flow 'Sub' does not save the result 'color'",
      "@parent.results.name: flow 'Main' does not save the result 'name', and nothing else here enters this flow",
    ]);
    expect(textsOf([child.definition], "unknown-result")).toEqual([]);
    expect(textsOf([parent.definition], "unknown-result")).toEqual([]);
    // A file's own version of a flow counts for it.
    const files = [[parent, child], [older]].map((flows) =>
      readExportFlows({ version: "13", flows: flows.map(({ definition }) => definition) }),
    );
    const [found] = lintExports(files, { missing: [] });
    expect(found?.findings.filter(({ rule }) => rule === "unknown-result")).toHaveLength(2);
  });

  it("shows titles, texts and expressions of legacy flows as their authors wrote them", () => {
    const sets = {
      version: 7,
      action_sets: [
        actionSet("one", [
          { type: "reply", msg: { eng: "Hi @contact.name|upper_case, it is @date.today, @(flow.x.y.z)" } },
          { type: "reply", msg: { eng: "@contact.agee" } },
        ]),
      ],
    };
    expect(linted([legacyFlow(sets)], "bad-template")).toEqual([
      expect.objectContaining({
        node: { uuid: "one-set", title: '"Hi @contact.name|upper_case, it is @date.today, @(flow.x.y…' },
        text: "@(flow.x.y.z): there is no 'flow'",
        fix: expect.stringContaining("no counterpart"),
      }),
    ]);
    const fields = [{ key: "age", name: "Age", type: "number" }];
    expect(textsOf([legacyFlow(sets)], "unknown-field", { fields })).toEqual([
      "@contact.agee: the field 'agee' does not exist: the file lists its fields without it, and no flow sets it",
    ]);
  });

  it("shows paths of legacy flows as their authors wrote them, and not those that the migration wrote", () => {
    const sets = {
      action_sets: [actionSet("one", [{ type: "reply", msg: { base: "@flow.age @flow.agee @extra.x" } }])],
      rule_sets: [
        ruleSet("two", [rule("done", "Success", { type: "webhook_status", status: "success" })], {
          ruleset_type: "webhook",
          label: "",
          config: { webhook: "http://x.test/", webhook_action: "GET" },
        }),
        ruleSet("three", [rule("all", "All Responses", { type: "true" })], { label: "Age" }),
      ],
    };
    expect(textsOf([legacyFlow(sets)], "unknown-result")).toEqual([
      "@flow.agee: no node of this flow saves the result 'agee'",
    ]);
    expect(textsOf([legacyFlow(sets)], "bad-template")).toEqual([]);
  });
});

describe("unknown-field and unknown-property", () => {
  it("finds a field that the export does not list; where it lists none, only an account can tell", () => {
    const fields = [{ key: "age", name: "Age", type: "number" }];
    const level = (more: object): readonly unknown[] =>
      linted([says("@fields.age @fields.agee @contact.fields.agee")], "unknown-field", more).map((one) => [
        one.level,
        one.text,
      ]);
    expect(level({ fields })).toEqual([
      [
        "warning",
        "@fields.agee: the field 'agee' does not exist: the file lists its fields without it, and no flow sets it",
      ],
      [
        "warning",
        "@contact.fields.agee: the field 'agee' does not exist: the file lists its fields without it, and no flow sets it",
      ],
    ]);
    expect(level({}).every((one) => Array.isArray(one) && one[0] === "info")).toBe(true);
  });

  it("only mentions flows and groups that the files lack: the account may have them", () => {
    const { definition } = flowOf(1, "Main", [
      { actions: [{ type: "enter_flow", flow: { uuid: flowUuid(9), name: "Elsewhere" } }] },
      {
        split: { operand: "@contact.groups", cases: [["has_group", [flowUuid(8)], "Members"]] },
      },
    ]);
    expect(linted([definition], "missing-flow").map(({ level }) => level)).toEqual(["info"]);
    expect(linted([definition], "missing-group")).toEqual([
      expect.objectContaining({ level: "info", text: expect.stringContaining("must exist in the account") }),
    ]);
  });

  it("names the address of a contact that a legacy flow would read as a property", () => {
    const fixes = linted([says("@contact.tel_e164 @contact.facebook")], "unknown-property").map(({ fix }) => fix);
    expect(fixes).toEqual([
      "write @(urn_parts(urns.tel).path) for this address of the contact",
      "write @(urn_parts(urns.facebook).path) for this address of the contact",
    ]);
  });

  it("only mentions a field where the flow's own file lists none, whatever other files list", () => {
    const read = readExportFlows({ version: "13", flows: [says("@fields.agee")] });
    const other = readExportFlows({ version: "13", flows: [], fields: [{ key: "age", name: "Age", type: "number" }] });
    const has = exportsHave([read, other]);
    const [found] = lintExports([read, other], { missing: [missingReferences(read.flows, has), []] });
    expect(found?.findings.map(({ rule, level }) => [rule, level])).toEqual([["unknown-field", "info"]]);
  });

  it("tells a mail address whose domain is a name of the language how to be sent", () => {
    expect(linted([says("write to ann@contact.org")], "unknown-property").map(({ fix }) => fix)).toEqual([
      "if it is an email address, write it with two @: @@contact.org",
    ]);
  });

  it("finds an action that no service knows, and only mentions those of forks", () => {
    const actions = ["send_interactive_msg", "call_wenigpt", "send_mesage"].map((type) => ({ type }));
    expect(linted([flowOf(1, "Main", [{ actions }]).definition], "unknown-part").map(({ level }) => level)).toEqual([
      "info",
      "info",
      "error",
    ]);
  });

  it("only mentions names that a flow of another service may have", () => {
    const { definition } = flowOf(1, "Main", [
      {
        actions: [
          { type: "call_webhook", method: "FUNCTION", url: "parse" },
          say("@contact.phone @results.x.y @(foo(1))"),
        ],
      },
    ]);
    const found = ["unknown-property", "unknown-result", "bad-template"].flatMap((rule) => linted([definition], rule));
    expect(found.map(({ level }) => level)).toEqual(["info", "info", "info", "info"]);
  });

  it("finds a field written as a property of the contact", () => {
    expect(
      linted([says("@contact.age @contact.nam @results.x.vale @contact.name @input.text")], "unknown-property"),
    ).toEqual([
      expect.objectContaining({
        text: "@contact.age: 'contact' has no 'age'",
        fix: "write @fields.age for a field of the contact",
      }),
      expect.objectContaining({ text: "@contact.nam: 'contact' has no 'nam'", fix: "did you mean 'name'?" }),
      expect.objectContaining({ text: "@results.x.vale: 'results.x' has no 'vale'" }),
    ]);
  });
});
