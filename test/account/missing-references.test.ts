import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadAccount, missingInData } from "../../src/account/index.js";
import { missingLines, type MissingReference, missingSentences } from "../../src/flow/index.js";
import { type AccountData, emptyAccount, type FlowData } from "../../src/wire/index.js";
import { Service } from "../gateway/service.js";
import { flowOf, flowUuid, nodeUuid, say } from "./flow-builder.js";

const uuid = (number: number): string => `7e570000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const enter = (flow: number): Readonly<Record<string, unknown>> => ({
  type: "enter_flow",
  flow: { uuid: flowUuid(flow), name: `Sub ${flow}` },
});
const staff = { uuid: uuid(1), name: "Staff" };

/** A flow with everything that an account may lack. */
const needy: FlowData = flowOf(1, "Needy", [
  { actions: [enter(2)] },
  {
    ask: {
      result: "Where",
      cases: [
        ["has_state", [], "Place"],
        ["has_group", [staff.uuid, staff.name], "Staff"],
      ],
    },
  },
  {
    actions: [
      { type: "set_contact_field", field: { key: "age", name: "Age" }, value: "1" },
      { type: "add_contact_groups", groups: [staff] },
      { type: "add_input_labels", labels: [{ uuid: uuid(2), name: "Urgent" }] },
      { type: "set_contact_channel", channel: { uuid: uuid(3), name: "Old phone" } },
      { type: "send_broadcast", text: "Hi", contacts: [{ uuid: uuid(4), name: "Bob" }], groups: [staff] },
      say("Nick: @fields.nick, @(default(fields.other, 1)), org: @globals.org, @globals.org"),
    ],
  },
]);

/** All that it needs, but for a channel: those are handsets. */
const provisions: Partial<AccountData> = {
  flows: [flowOf(2, "Sub 2", [{ actions: [say("Hello")] }])],
  groups: [{ ...staff, query: null }],
  labels: [{ uuid: uuid(2), name: "Urgent" }],
  fields: [
    { key: "age", label: "Age", type: "numeric" },
    { key: "nick", label: "Nick", type: "text" },
  ],
  contacts: [{ uuid: uuid(4), name: "Bob", language: null, urns: [], groups: [], fields: {}, state: "active" }],
  globals: { org: "Depot" },
  boundaries: [
    {
      osmId: "1",
      name: "Velmara",
      aliases: [],
      geometry: null,
      parts: [{ osmId: "2", name: "Coast", aliases: [], geometry: null, parts: [] }],
    },
  ],
};

function dataOf(...parts: readonly Partial<AccountData>[]): AccountData[] {
  return parts.map((part) => ({ ...emptyAccount, ...part }));
}

/** What flows lack in the account that has loaded these data. */
function missingAfter(...parts: readonly Partial<AccountData>[]): readonly MissingReference[] {
  return searchAfter(...parts).result;
}

/** As `missingAfter`, with the number of steps of the search, and the most units of work of one. */
function searchAfter(...parts: readonly Partial<AccountData>[]): {
  readonly result: readonly MissingReference[];
  readonly steps: number;
  readonly most: number;
} {
  const { account, recording, kernel } = new Service();
  const flows = new Set<string>();
  for (const data of dataOf(...parts)) {
    const loaded = recording.applyInput({ atMs: kernel.now, kind: "account", json: "{}" }, () =>
      loadAccount(account, recording.tables, data),
    );
    for (const flow of loaded.flows) flows.add(flow);
  }
  const search = account.searchMissingReferences(flows);
  for (let steps = 0, most = 0; ; steps++) {
    const step = search.next();
    if (step.done === true) return { result: step.value, steps, most };
    most = Math.max(most, step.value);
  }
}

const shown = (missing: readonly MissingReference[]): string[] =>
  missing.map(({ kind, name, places }) => `${kind} ${name}: ${places.map(({ by }) => by).join(", ")}`);

const lacking = [
  "flow Sub 2: enter_flow",
  "boundaries state: has_state",
  "group Staff: has_group, add_contact_groups, send_broadcast",
  "field age: set_contact_field",
  "field nick: @fields.nick",
  "global org: @globals.org",
  "label Urgent: add_input_labels",
  "contact Bob: send_broadcast",
];

describe("what flows refer to and is not there", () => {
  it("is found before the account is loaded, and after", () => {
    const before = missingInData(...both({ flows: [needy] }));
    expect(shown(before)).toEqual(lacking);
    const after = missingAfter({ flows: [needy] });
    expect(shown(after)).toEqual([...lacking.slice(0, 7), "channel Old phone: set_contact_channel", lacking[7]]);
    expect(after[1]?.places).toEqual([
      { flow: { uuid: flowUuid(1), name: "Needy" }, node: nodeUuid(1, 1), by: "has_state", otherwise: "Other" },
    ]);
  });

  it("is nothing when the same load or another one has it", () => {
    expect(missingInData(...both({ ...provisions, flows: [needy, ...(provisions.flows ?? [])] }))).toEqual([]);
    expect(missingInData(dataOf({ flows: [needy] }), dataOf({ flows: [needy] }, provisions))).toEqual([]);
    expect(shown(missingAfter({ flows: [needy] }, provisions))).toEqual(["channel Old phone: set_contact_channel"]);
  });

  it("counts the groups and fields that loading makes", () => {
    const flow = flowOf(1, "Hello", [
      { actions: [say("@fields.nick @fields.due"), { type: "remove_contact_groups", groups: [staff] }] },
    ]);
    const people = { ...emptyAccount, people: [{ groups: ["staff"], fields: { nick: "x", due: "y" } }] };
    expect(missingInData(dataOf({ flows: [flow] }), [people])).toEqual([]);
  });

  it("has the depth of boundaries in mind", () => {
    const ask = (test: string): FlowData => flowOf(1, "Ask", [{ ask: { result: "R", cases: [[test, [], "Yes"]] } }]);
    expect(shown(missingAfter({ ...provisions, flows: [ask("has_state")] }))).toEqual([]);
    expect(shown(missingAfter({ ...provisions, flows: [ask("has_district")] }))).toEqual([
      "boundaries district: has_district",
    ]);
    const country = [{ osmId: "1", name: "Velmara", aliases: [], geometry: null, parts: [] }];
    expect(shown(missingAfter({ flows: [ask("has_state")], boundaries: country }))).toHaveLength(1);
  });

  it("is none of what a flow finds only when it runs, or does without", () => {
    const flow = flowOf(1, "Free", [
      {
        actions: [
          { type: "add_contact_groups", groups: [{ name_match: "@fields.team" }] },
          say("@(default(fields.nick, 1)) @results.constructor @contact.fields"),
        ],
        split: { operand: "@contact.groups", cases: [["has_group", ["@results.group"], "In"]] },
      },
    ]);
    expect(shown(missingAfter({ flows: [flow] }))).toEqual(["field team: @fields.team"]);
  });

  it("gives lines that name all, and sentences that name three", () => {
    const flow = flowOf(
      1,
      "Main",
      Array.from({ length: 11 }, (_, index) => ({ actions: [enter(index + 2)] })),
    );
    const missing = missingAfter({ flows: [flow] });
    const [lines] = missingLines(missing);
    expect(lines?.heading).toMatch(/^11 flows are missing: entering one fails the run/);
    expect(lines?.lines).toHaveLength(11);
    expect(lines?.lines[10]).toBe(`'Sub 12' (${flowUuid(12)}): flow 'Main', node ${nodeUuid(1, 10)}: enter_flow`);
    expect(missingSentences(missing)).toEqual([
      `11 flows are missing: 'Sub 2', 'Sub 3', 'Sub 4', and 8 others (first in flow 'Main', node ${nodeUuid(1, 0)}: ` +
        "enter_flow); entering one fails the run, and nobody is started in one; add them to the export, or load a " +
        "file that has them; handset check names all",
    ]);
  });

  it("is found in many small steps", () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `@fields.key_${index}`);
    const texts = Array.from({ length: 40 }, (_, index) => say(keys.slice(index * 500, (index + 1) * 500).join(" ")));
    const { result, steps, most } = searchAfter({ flows: [flowOf(1, "Long", [{ actions: texts }])] });
    expect(result).toHaveLength(20_000);
    expect(missingSentences(result)[0]).toMatch(
      /^20000 fields are missing: 'key_0', 'key_1', 'key_2', and 19997 others/,
    );
    expect(steps).toBeGreaterThan(20_000);
    expect(most).toBeLessThan(12_000);
  });

  it("ignores a template that is too long to be evaluated", () => {
    const text = (length: number): FlowData => flowOf(1, "Long", [{ actions: [say("@fields.nick".padEnd(length))] }]);
    expect(shown(missingAfter({ flows: [text(499_999)] }))).toEqual(["field nick: @fields.nick"]);
    expect(missingAfter({ flows: [text(500_000)] })).toEqual([]);
  });

  it("is nothing in the shipped exports", async () => {
    const { readAccount } = await import("../../src/index.js");
    for (const name of ["accounts/registration", "accounts/stock-check", "flows/clinic", "flows/poll"]) {
      const file = `scenarios/${name}.json`;
      const { account = emptyAccount } = await readAccount(readFileSync(file, "utf8"), { file });
      expect(account.flows.length, name).toBeGreaterThan(0);
      expect(missingAfter(account), name).toEqual([]);
    }
  });
});

function both(data: Partial<AccountData>): [AccountData[], AccountData[]] {
  return [dataOf(data), dataOf(data)];
}
