import fc from "fast-check";
import { expect, it } from "vitest";
import { generationOf, MigrationError, migrateDefinition } from "../../../src/flow/index.js";
import { actionSet, flow, migrate, other, rule, ruleSet } from "./definitions.js";
import { runs } from "../../support/effort.js";

it("writes the properties of a flow, and its notes", () => {
  const metadata = {
    uuid: "flow-1",
    name: "Clinic",
    revision: 4,
    expires: 1440,
    notes: [{ x: 12.7, y: "40", title: "To do", body: "Ask for the village" }],
  };
  const native = migrate(flow({ metadata }));
  expect(native).toEqual({
    uuid: "flow-1",
    name: "Clinic",
    spec_version: "13.0.0",
    language: "eng",
    type: "messaging",
    revision: 4,
    expire_after_minutes: 1440,
    localization: {},
    nodes: [],
    _ui: { nodes: {}, stickies: expect.any(Object) },
  });
  expect(Object.values(native._ui.stickies)).toEqual([
    { position: { left: 12, top: 40 }, title: "To do", body: "Ask for the village", color: "yellow" },
  ]);
});

it.each([
  ["M", "messaging"],
  ["F", "messaging"],
  ["", "messaging"],
  ["U", "messaging"],
  ["V", "voice"],
  ["S", "messaging_offline"],
])("writes the flow type %j as %s", (legacy, native) => {
  expect(migrate(flow({ flow_type: legacy }))["type"]).toBe(native);
});

it("reads uuid and name beside the metadata, and makes a uuid when there is none", () => {
  expect(migrate(flow({ metadata: { revision: 1 }, uuid: "flow-9", name: "Beside" }))).toMatchObject({
    uuid: "flow-9",
    name: "Beside",
  });
  const nameless = { flow_type: "M", base_language: "eng" };
  expect(migrate(nameless).uuid).toMatch(/^[0-9a-f-]{36}$/);
  expect(migrate(nameless).uuid).toBe(migrate({ ...nameless }).uuid);
  expect(migrate({ ...nameless, flow_type: "V" }).uuid).not.toBe(migrate(nameless).uuid);
});

it("puts the first set first and the others from top to bottom; destinations that do not exist end the flow", () => {
  const sets = [
    actionSet("low", [], { y: 900, destination: "gone-set" }),
    actionSet("entry", [], { y: 500, destination: "wait-set" }),
    actionSet("high", [], { y: 1, destination: "low-set" }),
  ];
  const wait = ruleSet("wait", [rule("a", "A", { type: "number" }, "gone-set"), other], { y: 400 });
  const { nodes } = migrate(flow({ entry: "entry-set", action_sets: sets, rule_sets: [wait] }));
  expect(nodes.map(({ uuid, exits }) => [uuid, exits[0]?.["destination_uuid"]])).toEqual([
    ["entry-set", "wait-set"],
    ["high-set", "low-set"],
    ["wait-set", undefined],
    ["low-set", undefined],
  ]);
  expect(nodes[0]).toEqual({ uuid: "entry-set", exits: [{ uuid: "entry-exit", destination_uuid: "wait-set" }] });
});

it("leaves native definitions as they are", () => {
  const native = { uuid: "flow-1", name: "New", spec_version: "13.1.0", nodes: [], extra: [1] };
  expect(migrateDefinition(native)).toBe(native);
});

it.each([
  [{ action_sets: [] }, "legacy"],
  [{ flow_type: "M" }, "legacy"],
  [{ definition: { rule_sets: [] } }, "legacy"],
  [{ nodes: [] }, "native"],
  [{ spec_version: "14.0.0" }, "native"],
  [{ name: "?" }, undefined],
  [[], undefined],
  [null, undefined],
])("finds the generation of %j: %s", (definition, generation) => {
  expect(generationOf(definition)).toBe(generation);
});

it.each([
  [null, "not a flow definition"],
  ["flow", "not a flow definition"],
  [{ name: "?" }, "not a flow definition"],
  [flow({ version: 2 }), "version 2 is older than 3"],
])("refuses %j", (definition, reason) => {
  expect(() => migrate(definition)).toThrow(MigrationError);
  expect(() => migrate(definition)).toThrow(reason);
});

it("refuses definitions nested too deep", () => {
  let deep: unknown = "x";
  for (let level = 0; level < 100_000; level++) deep = [deep];
  expect(() => migrate(flow({ rule_sets: deep }))).toThrow("nested deeper than 100 levels");
});

it("reads messy definitions", () => {
  const messy = {
    flow_type: null,
    version: null,
    base_language: null,
    entry: 5,
    metadata: "none",
    action_sets: {
      "0": { uuid: "a", x: "12", y: null, actions: { "0": { type: "reply", msg: ["?"] }, "1": null } },
      "1": { uuid: "a", actions: null, destination: 7 },
      "2": "not a set",
    },
    rule_sets: [{ rules: [{}, null, { test: { type: "eq" }, category: 5 }], config: [], y: "3.9" }],
  };
  const { nodes, language } = migrate(messy);
  expect(language).toBe("base");
  expect(nodes).toHaveLength(3);
  expect(new Set(nodes.map(({ uuid }) => uuid)).size).toBe(3);
  expect(nodes.find(({ router }) => router !== undefined)?.router?.categories.map(({ name }) => name)).toEqual([
    undefined,
    "5",
  ]);
});

/** A definition that uses all parts of the format. */
const full = flow({
  version: 7,
  entry: "say-set",
  action_sets: [
    actionSet("say", [
      { type: "reply", msg: { eng: "Hi @contact.name|upper_case", fra: "=UPPER(contact)" }, media: { eng: "a.png" } },
      { type: "api", webhook: "http://x.test/?a=@flow.a", action: "GET" },
      { type: "send", msg: { eng: "x" }, contacts: [{ id: 1 }], groups: ["@flow.x"], variables: [{ id: "@flow.x" }] },
      { type: "save", field: "age", label: "Age", value: "@(date.now + 5)" },
      { type: "flow", id: 5, name: "Next" },
    ]),
    actionSet("empty", []),
  ],
  rule_sets: [
    ruleSet("wait", [rule("r1", { eng: "Yes", fra: "Oui" }, { type: "contains_any", test: { eng: "yes" } }), other]),
    ruleSet("hook", [other], { ruleset_type: "webhook", webhook: "http://x.test", webhook_action: "POST" }),
    ruleSet("old", [rule("r2", "A", { type: "between", min: "1", max: "2" }), other], {
      ruleset_type: null,
      response_type: "C",
      operand: "=(step.value)",
    }),
    ruleSet("sub", [rule("r3", "A", { type: "in_group", test: { id: 4, name: "x" } })], { ruleset_type: "group" }),
  ],
});

type Path = readonly (string | number)[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([key, one]) => pathsIn(one, [...path, Array.isArray(value) ? Number(key) : key]))];
}

function replaceAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
  const at = copy as Record<string | number, unknown>;
  at[key] = replaceAt(at[key], rest, replacement);
  return copy;
}

it("throws nothing but migration errors, whatever a part is replaced by", () => {
  const replacement = fc.oneof(
    fc.constantFrom(undefined, null, "", "@", 0, -1, 1e21, true, [], {}, [null], [[]], { "": "" }, { __proto__: 1 }),
    fc.jsonValue({ maxDepth: 3 }),
  );
  const paths = pathsIn(full).filter((path) => path.length > 0);
  const change = fc.tuple(fc.constantFrom(...paths), replacement);
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const definition = changes.reduce<unknown>((one, [path, value]) => {
        try {
          return replaceAt(one, path, value);
        } catch {
          return one;
        }
      }, full);
      try {
        const native = migrateDefinition(definition);
        expect(JSON.parse(JSON.stringify(native))).toEqual(migrateDefinition(structuredClone(definition)));
      } catch (error) {
        if (!(error instanceof MigrationError)) throw error;
      }
    }),
    { numRuns: runs(250) },
  );
});

it("writes unique UUIDs, exits of every category, and destinations that exist", () => {
  const { nodes } = migrate(full);
  const uuids = nodes.flatMap(({ uuid, exits, actions = [] }) => [
    uuid,
    ...[...exits, ...actions].map((one) => one["uuid"]),
  ]);
  expect(new Set(uuids).size).toBe(uuids.length);
  const known = new Set(nodes.map(({ uuid }) => uuid));
  for (const { exits, router } of nodes) {
    expect(exits.length).toBeGreaterThan(0);
    for (const { destination_uuid: to } of exits) if (to !== undefined) expect(known).toContain(to);
    const exitUuids = exits.map(({ uuid }) => uuid);
    for (const category of router?.categories ?? []) expect(exitUuids).toContain(category.exit_uuid);
  }
});
