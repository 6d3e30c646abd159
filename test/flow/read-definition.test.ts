import { expect, it } from "vitest";
import { DefinitionError, inspectDefinition, readDefinition } from "../../src/flow/index.js";
import { act, ask, definition, split } from "./player.js";

function problemsOf(json: unknown): readonly string[] {
  try {
    readDefinition(json);
    return [];
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return error.problems.map(({ place, text }) => `${place}: ${text}`);
  }
}

it.each<[string, unknown, string]>([
  ["no object", 5, "flow: must be an object, got a number"],
  [
    "an old version",
    definition([], { spec_version: "12.0" }),
    'flow "Main": spec_version must be 13.0 to 14.x, got 12.0',
  ],
  ["a type that is none", definition([], { type: "email" }), 'flow "Main": type must be one of messaging, '],
  [
    "a uuid that is used twice",
    definition([act("a", []), act("a", [])]),
    'flow "Main", node a: node uuid a is used twice',
  ],
  ["a missing destination", definition([act("a", [], "b")]), "exit a-exit leads to b, which is no node of the flow"],
  ["a node without exits", definition([{ uuid: "a", actions: [], exits: [] }]), "node a: has no exit"],
  [
    "a voice action in a messaging flow",
    definition([act("a", [{ type: "say_msg", text: "Hi" }])]),
    "action say_msg is not allowed in a flow of type messaging",
  ],
  [
    "a wait in a background flow",
    definition([ask("a", "A")], { type: "messaging_background" }),
    "wait msg is not allowed in a flow of type messaging_background",
  ],
  ["a missing category", withCase("nowhere"), "case has_text names nowhere, which is no category of the router"],
  [
    "an action without its flow",
    definition([act("a", [{ type: "enter_flow" }])]),
    "action a-action-0: flow is missing",
  ],
])("refuses %s and says where", (_name, json, expected) => {
  expect(problemsOf(json).join("\n")).toContain(expected);
});

function withCase(category: string): unknown {
  const node = split("a", { cases: [["has_text", [], "All"]] });
  const text = JSON.stringify(node).replace('"category_uuid":"a-All"', `"category_uuid":"${category}"`);
  return definition([JSON.parse(text) as Readonly<Record<string, unknown>>]);
}

it("accepts every version from 13.0 on, also none, and the names of an unset language", () => {
  for (const version of [undefined, "13.0.0", "13", "13.6.1", "14.4.0"]) {
    expect(problemsOf(definition([], version === undefined ? {} : { spec_version: version }))).toEqual([]);
  }
  expect(readDefinition(definition([], { language: "base" })).language).toBe("und");
});

it("fills in the expiry of the type", () => {
  const expiry = (properties: Readonly<Record<string, unknown>>) =>
    readDefinition(definition([], properties)).expireAfterMinutes;
  expect([expiry({}), expiry({ type: "voice" }), expiry({ expire_after_minutes: 60 })]).toEqual([10_080, 5, 60]);
});

it("lists what the engine does not execute, by node and name", () => {
  const flow = readDefinition(
    definition([
      act("a", [{ type: "sing" }, { type: "transfer_airtime", amounts: {} }, { type: "send_msg", text: "Hi" }]),
      ask("b", "B", { cases: [["has_joy", [], "Joy"]], wait: { type: "dance" } }),
    ]),
  );
  expect(inspectDefinition(flow).map(({ node, kind, name, isUnknown }) => [node, kind, name, isUnknown])).toEqual([
    ["a", "action", "sing", true],
    ["a", "action", "transfer_airtime", false],
    ["b", "wait", "dance", true],
    ["b", "test", "has_joy", true],
  ]);
});

it("takes groups by name where a file lacks their uuid", () => {
  const groups = [{ name: "Farmers" }, { uuid: null, name: "Mothers" }, { uuid: "boys", name: "Boys" }];
  const flow = readDefinition(definition([act("a", [{ type: "add_contact_groups", groups }])]));
  expect(flow.nodes[0]?.actions[0]).toMatchObject({
    groups: [{ nameMatch: "Farmers" }, { nameMatch: "Mothers" }, { uuid: "boys", name: "Boys" }],
  });
});
