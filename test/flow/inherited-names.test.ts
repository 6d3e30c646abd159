import { describe, expect, it } from "vitest";
import { migrateDefinition } from "../../src/flow/index.js";
import { act, ask, message, play, split } from "./player.js";

/** Names that every JavaScript object inherits; here they are as good as any other name. */
const inherited = ["constructor", "__proto__", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"];

/** A name that no object has: what a session does with it, it does with the others. */
const plain = "plainname";

/** All that a session does in which users' names for things are this one. */
function playWith(name: string): unknown {
  const key = name.toLowerCase();
  const quoted = JSON.stringify(name);
  const field = { key, name };
  const sprints = play({
    flow: { localization: { [name]: { "ask-name": { text: ["other"] } } } },
    assets: { fields: [{ ...field, type: "text" }], globals: [{ key: name, value: "global" }] },
    trigger: { params: { [name]: { inner: 1 } } },
    contact: { fields: {} },
    mocks: { "http://example.org/": [{ status: 200, body: `{${quoted}: {"x": 1}, "y": 2}` }] },
    nodes: [
      act(
        "start",
        [
          { type: "set_contact_field", field, value: "" },
          { type: "send_msg", text: `@fields.${name} @contact.fields.${name} @(default(fields[${quoted}], "none"))` },
          { type: "set_contact_field", field, value: "old" },
          { type: "set_contact_field", field, value: "new" },
          { type: "send_msg", text: `@fields.${name} @fields @results.${name} @(results[${quoted}])` },
          { type: "send_msg", text: `@${name} @(${name}) @(${name}(1)) @((${name}) => 1) @(is_error(${name}))` },
          { type: "send_msg", text: `@globals.${name} @trigger.params.${name} @legacy_extra.${name}.inner` },
          { type: "set_run_local", local: name, operation: "increment", value: "2" },
          { type: "set_run_local", local: name, operation: "increment", value: "3" },
          { type: "send_msg", text: `@locals.${name} @(json(locals))` },
          {
            type: "call_webhook",
            method: "GET",
            url: "http://example.org/",
            headers: { [name]: "a" },
            result_name: "zz",
          },
          { type: "send_msg", text: `@webhook.${name}.x @legacy_extra.${name}.x @(json(results.zz.extra))` },
          { type: "send_msg", text: `@(json(object(${quoted}, 1))) @(object(${quoted}, 1).${name})` },
          {
            type: "send_msg",
            text: `@(json(extract_object(webhook, ${quoted}))) @(json(foreach_value(webhook, json)))`,
          },
        ],
        "ask",
      ),
      ask("ask", name, { to: { All: "route" } }),
      split("route", {
        operand: `@results.${name}`,
        cases: [["has_only_text", ["yes"], name]],
        result_name: name,
        to: { [name]: "end" },
      }),
      act("end", [{ type: "send_msg", text: `@results.${name} @results.${name}.category @results @(json(results))` }]),
    ],
    resumes: [message("yes")],
  });
  return JSON.parse(JSON.stringify(sprints).replaceAll(name, plain).replaceAll(key, plain)) as unknown;
}

describe("names that objects inherit", () => {
  it.each(inherited)("%s is a field, result, global, parameter, header, category and key of JSON", (name) => {
    expect(playWith(name)).toEqual(playWith(plain));
  });

  it.each(inherited)("%s is no type of a legacy flow or rule set", (name) => {
    const migrated = (legacy: object): string =>
      JSON.stringify(migrateDefinition(legacy)).replace(/[0-9a-f]{8}(-[0-9a-f]{4,}){4}/g, "derived from the content");
    const flow = { metadata: { uuid: "a", name: "A" }, action_sets: [], rule_sets: [] };
    expect(migrated({ ...flow, flow_type: name })).toBe(migrated({ ...flow, flow_type: plain }));
    const set = { uuid: "r", label: "R", operand: "@step.value", rules: [] };
    const old = (response_type: string): string =>
      migrated({ version: 4, definition: { entry: "r", action_sets: [], rule_sets: [{ ...set, response_type }] } });
    expect(old(name)).toBe(old(plain));
  });
});
