import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfDefinitions } from "../../src/account/index.js";
import { readAccount } from "../../src/index.js";
import { type AccountFile, formatDiagnostics, kindOfFile, parseAccount } from "../../src/scenario/index.js";

const flow = {
  uuid: "7c7c2a4e-3f0d-4b0e-9a51-0d6f0a1b2c3d",
  name: "Ask",
  spec_version: "13.1.0",
  type: "messaging",
  nodes: [
    {
      uuid: "ask",
      actions: [
        {
          uuid: "a1",
          type: "add_contact_groups",
          groups: [{ uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f", name: "Mothers" }],
        },
      ],
      exits: [{ uuid: "e1" }],
    },
  ],
};
const files: Readonly<Record<string, unknown>> = {
  "flow.json": flow,
  "export.json": {
    version: "13",
    flows: [{ name: "Next", nodes: [] }],
    fields: [
      { key: "age", name: "Years", type: "text" },
      { key: "edd", name: "EDD", type: "datetime" },
    ],
    triggers: [{ trigger_type: "K", keyword: "next", flow: { name: "Next" } }],
  },
  "places.geojson": {
    type: "FeatureCollection",
    features: [
      {
        properties: { osm_id: "R2", name: "Ahuni", parent: "R1", aliases: ["Ahun"] },
        geometry: { type: "Polygon", coordinates: [[[0, 0], [1, 0], [0, 1], [0, 0]]] }, // prettier-ignore
      },
      { properties: { osm_id: "R1", name: "Velmara", parent: null } },
    ],
  },
};

/** The account that a text says; fails with its diagnostics when it is not sound. */
async function sound(text: string): Promise<AccountFile> {
  const { account, diagnostics } = await readAccount(text, {
    file: "test.yaml",
    readFile: (path) => (path.endsWith(".csv") ? "name\nUpper Mill\n" : JSON.stringify(files[path])),
  });
  if (account === undefined) throw new Error(formatDiagnostics(diagnostics, text));
  expect(diagnostics).toEqual([]);
  return account;
}

describe("an account file", () => {
  it("needs nothing but its first key", async () => {
    const account = await sound("account:\n");
    expect(account.organisation).toBeUndefined();
    expect(account.isAddition).toBe(false);
    expect([account.contacts, account.people, account.flows, account.boundaries]).toEqual([[], [], [], []]);
    expect((await sound("account: existing")).isAddition).toBe(true);
  });

  it("says what the organisation is", async () => {
    const { organisation } = await sound(
      "account: { name: Health line, country: XV, languages: [eng, fra], timezone: Africa/Kigali, date-style: year_first, anonymous: true, credits: { used: 3 } }",
    );
    expect(organisation).toEqual({
      name: "Health line",
      country: "XV",
      languages: ["eng", "fra"],
      primaryLanguage: "eng",
      timezone: "Africa/Kigali",
      dateStyle: "year_first",
      isAnonymous: true,
      credits: { used: 3, remaining: 0 },
    });
  });

  it("has fields, groups, labels and tokens in their short and long forms", async () => {
    const { fields, groups, labels, tokens } = await sound(`
account: {}
fields: { first_dose: datetime, weight: { label: Weight in kg, type: numeric } }
groups: [Mothers, { name: Elders, query: weight > 60, uuid: 9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f }]
labels: [Urgent, { name: Thanks }]
tokens: [{ role: viewer, token: 0123456789, active: false }]
`);
    expect(fields).toEqual([
      { key: "first_dose", label: "First dose", type: "datetime" },
      { key: "weight", label: "Weight in kg", type: "numeric" },
    ]);
    expect(groups).toEqual([
      { name: "Mothers", query: null },
      { name: "Elders", query: "weight > 60", uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f" },
    ]);
    expect(labels).toEqual([{ name: "Urgent" }, { name: "Thanks" }]);
    expect(tokens).toEqual([{ role: "viewer", token: "0123456789", isActive: false }]);
  });

  it("has contacts as a list or by name", async () => {
    const nothing = { language: null, groups: [], fields: {}, state: "active" };
    const { contacts } = await sound(`
account: {}
fields: { age: numeric }
groups: [Mothers]
contacts:
  Amina: "+12065550110"
  Bintu: { phone: "+12065550111", urns: ["twitter:@Bintu", tel:+12065550112], language: fra, groups: mothers, fields: { age: 07 } }
  Chidi: { name: Chidi Obi, state: deleted, phone: "+12065550110" }
`);
    expect(contacts).toEqual([
      { ...nothing, name: "Amina", urns: ["tel:+12065550110"] },
      {
        name: "Bintu",
        language: "fra",
        urns: ["tel:+12065550111", "twitter:bintu", "tel:+12065550112"],
        groups: ["mothers"],
        fields: { age: "07" },
        state: "active",
      },
      { ...nothing, name: "Chidi Obi", urns: ["tel:+12065550110"], state: "deleted" },
    ]);
    const list = await sound('account: {}\ncontacts: [{ phone: "+12065550110" }, { name: Nobody }]');
    expect(list.contacts).toEqual([
      { ...nothing, name: null, urns: ["tel:+12065550110"] },
      { ...nothing, name: "Nobody", urns: [] },
    ]);
  });

  it("may have a contact whose number only begins like those of its people", async () => {
    const { contacts } = await sound(`
account: {}
contacts: { Amina: "+250781100000001" }
people: [{ count: 2, phone: "+2507811{00000}" }]
`);
    expect(contacts.map(({ urns }) => urns)).toEqual([["tel:+250781100000001"]]);
  });

  it("has flows from files and in place, whose definitions stay as they were written", async () => {
    const { flows, groups } = await sound(`
account: {}
groups: [mothers]
flows:
  - { file: flow.json, labels: Supplies, archived: true }
  - definition:
      name: "12"
      expire_after_minutes: 90
      nodes: [{ uuid: a, actions: [], exits: [{ uuid: b, destination_uuid: null }] }]
      localization: { fra: {} }
      _ui: { nodes: { a: { position: { left: 1.5, top: 2 }, hidden: false } } }
`);
    expect(flows).toEqual([
      {
        uuid: flow.uuid,
        name: "Ask",
        type: "message",
        isArchived: true,
        expiresMinutes: 10_080,
        labels: ["Supplies"],
        definition: flow,
      },
      {
        name: "12",
        type: "message",
        isArchived: false,
        expiresMinutes: 90,
        labels: [],
        definition: {
          name: "12",
          expire_after_minutes: 90,
          nodes: [{ uuid: "a", actions: [], exits: [{ uuid: "b", destination_uuid: null }] }],
          localization: { fra: {} },
          _ui: { nodes: { a: { position: { left: 1.5, top: 2 }, hidden: false } } },
        },
      },
    ]);
    // The flow looks for it by UUID.
    expect(groups).toEqual([{ name: "mothers", query: null, uuid: "9c4e2d11-7b6a-4f2e-8d3c-1a2b3c4d5e6f" }]);
  });

  it("adds what exports have, and keeps what it has itself", async () => {
    const { flows, fields, triggers } = await sound(`
account: {}
fields: { age: numeric }
definitions: export.json
triggers: [{ type: catch-all, flow: next }]
`);
    expect(flows.map(({ name }) => name)).toEqual(["Next"]);
    expect(fields).toEqual([
      { key: "age", label: "Age", type: "numeric" },
      { key: "edd", label: "EDD", type: "datetime" },
    ]);
    expect(triggers.map(({ type, flow: name }) => [type, name])).toEqual([
      ["C", "next"],
      ["K", "Next"],
    ]);
  });

  it("has globals: texts by key", async () => {
    const account = await sound("account:\nglobals: { hotline: 112, office: Upper Mill }");
    expect(account.globals).toEqual({ hotline: "112", office: "Upper Mill" });
    expect((await sound("account:\nglobals:")).globals).toBeUndefined();
    const { diagnostics } = await readAccount("account:\nglobals: { Hot line: 112 }", { file: "test.yaml" });
    expect(diagnostics).toMatchObject([{ code: "bad-name", line: 2 }]);
  });

  it("has campaigns, triggers, resthooks, runs and orders", async () => {
    const account = await sound(`
account: { languages: [eng, fra] }
fields: { edd: datetime }
groups: [Mothers]
flows: [flow.json]
contacts: { Amina: "+12065550110" }
campaigns:
  - name: Visits
    group: Mothers
    events:
      - { relative-to: edd, offset: -1 day, delivery-hour: 9, message: Come }
      - { relative-to: created_on, offset: 90 minutes, message: { fra: Venez, eng: Come } }
      - { relative-to: edd, offset: 2 weeks, delivery-hour: same, flow: ask }
triggers:
  - { keyword: JOIN, match: only, flow: Ask, groups: Mothers, exclude-groups: [mothers] }
  - { type: missed-call, flow: ${flow.uuid} }
resthooks: { stock-low: http://127.0.0.1:9000/stock, stock-out: }
runs:
  - { flow: Ask, contact: "+12065550110", ago: 5m }
  - flow: Ask
    contact: tel:+12065550110
    ago: 1d
    lasted: 10m
    exit: completed
    path: ask
    results: { Age: { value: 12, category: Number, node: ask } }
orders:
  - broadcast: { text: Hello, groups: Mothers }
  - event: { resthook: stock-low, data: { left: 3, item: "3", list: [true] } }
`);
    const event = { relativeTo: "edd", message: null, flow: null, startMode: "interrupt" };
    expect(account.campaigns[0]?.events).toEqual([
      { ...event, offset: -1, unit: "days", deliveryHour: 9, message: { eng: "Come" } },
      {
        ...event,
        relativeTo: "created_on",
        offset: 90,
        unit: "minutes",
        deliveryHour: -1,
        message: { fra: "Venez", eng: "Come" },
      },
      { ...event, offset: 2, unit: "weeks", deliveryHour: -1, flow: "ask" },
    ]);
    expect(account.triggers).toEqual([
      {
        type: "K",
        keyword: "join",
        matchType: "O",
        flow: "Ask",
        groups: ["Mothers"],
        excludeGroups: ["mothers"],
        channel: null,
      },
      { type: "M", keyword: null, matchType: "F", flow: flow.uuid, groups: [], excludeGroups: [], channel: null },
    ]);
    expect(account.resthooks).toEqual([
      { slug: "stock-low", subscribers: ["http://127.0.0.1:9000/stock"] },
      { slug: "stock-out", subscribers: [] },
    ]);
    expect(account.runs).toEqual([
      {
        flow: "Ask",
        contact: "tel:+12065550110",
        agoMs: 86_400_000,
        lastedMs: 600_000,
        exit: "completed",
        path: ["ask"],
        results: [{ name: "Age", value: "12", category: "Number", input: "12", node: "ask" }],
      },
      { flow: "Ask", contact: "tel:+12065550110", agoMs: 300_000, lastedMs: 0, exit: null, path: [], results: [] },
    ]);
    expect(account.orders).toEqual([
      { kind: "broadcast", text: { eng: "Hello" }, groups: ["Mothers"], contacts: [] },
      { kind: "event", resthook: "stock-low", data: { left: 3, item: "3", list: [true] } },
    ]);
  });

  it("has boundaries in place or in a file", async () => {
    const triangle = [[0, 0], [1, 0], [0, 1], [0, 0]]; // prettier-ignore
    const expected = {
      osmId: "R1",
      name: "Velmara",
      aliases: [],
      geometry: null,
      parts: [
        {
          osmId: "R2",
          name: "Ahuni",
          aliases: ["Ahun"],
          geometry: { type: "MultiPolygon", coordinates: [[triangle]] },
          parts: [],
        },
      ],
    };
    const { boundaries } = await sound(`
account: {}
boundaries:
  - osm-id: R1
    name: Velmara
    parts:
      - { osm-id: R2, name: Ahuni, aliases: [Ahun], geometry: { type: Polygon, coordinates: [[[0, 0], [1, 0], [0, 1], [0, 0]]] } }
`);
    expect(boundaries).toEqual([expected]);
    expect((await sound("account: {}\nboundaries: { file: places.geojson }")).boundaries).toEqual([expected]);
  });

  it("has people to be made up", async () => {
    const { people } = await sound(`
account: {}
fields: { age: numeric, weight: numeric, edd: datetime, village: text, born: text }
people:
  - count: 5
    phone: "+12065550{100}"
    locale: [fr, ar]
    fields:
      age: 18..45
      weight: 2.5..4
      edd: 2026-01-01..2026-01-02
      village: [{ csv: villages.csv }, here, 7]
`);
    const texts = (value: string): object => ({ kind: "texts", of: { kind: "fixed", value } });
    expect(people).toEqual([
      {
        count: 5,
        phone: { prefix: "+12065550", first: 100, digits: 3, suffix: "" },
        locales: ["fr", "ar"],
        languages: [],
        groups: [],
        fields: {
          age: { kind: "numbers", min: 18, max: 45, decimals: 0 },
          weight: { kind: "numbers", min: 2.5, max: 4, decimals: 1 },
          edd: { kind: "instants", minMs: Date.UTC(2026, 0, 1), maxMs: Date.UTC(2026, 0, 2) },
          village: { kind: "pick", of: [{ kind: "pick", of: [texts("Upper Mill")] }, texts("here"), texts("7")] },
        },
      },
    ]);
  });

  it("may be an export", async () => {
    const account = await sound(JSON.stringify(files["export.json"], null, "\t"));
    expect(account.flows.map(({ name }) => name)).toEqual(["Next"]);
    expect(account.isAddition).toBe(true);
  });
});

describe("a corrupted account file", () => {
  const ready = readFileSync(new URL("../../scenarios/accounts/ready.yaml", import.meta.url), "utf8");
  const rules = { readDefinitions: accountOfDefinitions, queryChecker: () => () => undefined };

  it("never makes the parser throw, and every diagnostic has a position", () => {
    const lines = ready.split("\n");
    const spot = fc.nat(lines.length - 1);
    const junk = fc.constantFrom(
      "",
      "- ",
      "  x: y",
      "{",
      "]",
      "*a",
      "&a 1",
      "'",
      '"',
      "\t",
      "~",
      "null",
      "12",
      "[[]]",
      "__proto__: 1",
    );
    const slip = fc.record({ at: spot, drop: fc.nat(3), put: fc.array(junk, { maxLength: 2 }), column: fc.nat(60) });
    fc.assert(
      fc.property(fc.array(slip, { minLength: 1, maxLength: 4 }), (slips) => {
        const spoilt = [...lines];
        for (const { at, drop, put, column } of slips) {
          if (drop === 3)
            spoilt[at] = `${(spoilt[at] ?? "").slice(0, column)}${put.join("")}${(spoilt[at] ?? "").slice(column + 1)}`;
          else spoilt.splice(at, drop, ...put);
        }
        const text = spoilt.join("\n");
        const { account, diagnostics } = parseAccount(text, { file: "a.yaml", rules, readFile: () => "{}" });
        expect(account === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
        for (const { line, column, length } of diagnostics) {
          expect(line).toBeLessThanOrEqual(spoilt.length);
          expect(Math.min(line, column, length)).toBeGreaterThanOrEqual(1);
        }
        formatDiagnostics(diagnostics, text);
      }),
      { numRuns: 40 },
    );
  });
});

describe("kindOfFile", () => {
  it.each([
    ["account: { name: A }\n", "account"],
    ["\uFEFF# a comment\n'account':\n  name: A\nlasts: 3h\n", "account"],
    ["contacts: {}\naccount: {}\n", "account"],
    ["name: A\nlasts: 3h\naccount: x\n", "scenario"],
    ["handsets:\n  clinic:\n   account: x\n", "scenario"],
    ['{ "lasts": "3h", "handsets": {} }', "scenario"],
    ["{ account: { name: A }, groups: [B] }", "account"],
    ['{ "version": "13", "flows": [] }', "export"],
    [JSON.stringify(flow), "export"],
    ['{ "version": "13", "flows": [ }', "export"],
    ["contacts: []\n", undefined],
    ["", undefined],
    ["[]", undefined],
    ["SQLite format 3\u0000", undefined],
  ])("%j is %s", (text, kind) => expect(kindOfFile(text)).toBe(kind));
});
