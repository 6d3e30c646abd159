import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { accountOfDefinitions, type ContactRow, loadAccount, type LoadReport } from "../../src/account/index.js";
import { readAccount } from "../../src/index.js";
import { type AccountData, type ContactData, emptyAccount } from "../../src/wire/index.js";
import { flowData, legacyDefinition, nativeDefinition, node, uuidOf } from "./flow-samples.js";
import { Service } from "../gateway/service.js";

const nobody: ContactData = { name: null, language: null, urns: [], groups: [], fields: {}, state: "active" };
const event = {
  relativeTo: "first_dose",
  offset: 3,
  unit: "days",
  deliveryHour: 9,
  message: null,
  flow: null,
} as const;
const trigger = { type: "K", keyword: "join", matchType: "F", groups: [], excludeGroups: [], channel: null } as const;
const run = {
  flow: "stock CHECK",
  contact: "tel:+254711000222",
  agoMs: 10_000,
  lastedMs: 4000,
  exit: "completed",
  path: [node(1), node(2)],
  results: [{ name: "Nets left", value: "12", category: "Has number", input: "about 12", node: node(2) }],
} as const;

describe("an account that is loaded", () => {
  let service: Service;
  beforeEach(() => {
    service = new Service();
  });

  function load(data: Partial<AccountData>, isAllowed?: (url: string) => boolean): LoadReport {
    const { account, recording, kernel } = service;
    return recording.applyInput({ atMs: kernel.now, kind: "account", json: "{}" }, () =>
      loadAccount(account, recording.tables, { ...emptyAccount, ...data }, { ...(isAllowed && { isAllowed }) }),
    );
  }

  it("makes flows refer to its own groups and labels, where the names are the same", () => {
    const { account, recording } = service;
    const staff = account.groups.add({ name: "Field staff" });
    const urgent = account.labels.add({ name: "Urgent" });
    const mention = { uuid: uuidOf(1), name: "Field staff" };
    const definition = nativeDefinition(uuidOf(7), "Stock check", { groups: [mention] });
    const label = { type: "add_input_labels", labels: [{ uuid: uuidOf(2).toUpperCase(), name: "Urgent" }] };
    load({
      groups: [{ ...mention, query: null }],
      labels: [{ uuid: uuidOf(2), name: "urgent" }],
      flows: [flowData({ ...definition, extra: [label] })],
    });
    const stored = JSON.stringify(recording.tables.flows.definition(1));
    expect(stored).toContain(`"groups":[{"uuid":"${staff.uuid}","name":"Field staff"}]`);
    expect(stored).toContain(`"labels":[{"uuid":"${urgent.uuid}","name":"Urgent"}]`);
  });

  const whole: Partial<AccountData> = {
    organisation: { name: "Coast Depot", primaryLanguage: "swa" },
    tokens: [{ role: "editor", token: "secret-token", isActive: true }],
    fields: [
      { label: "First dose", type: "datetime" },
      { key: "nets", label: "Bed nets", type: "numeric" },
    ],
    groups: [
      { uuid: uuidOf(1), name: "Field staff", query: null },
      { name: "Many", query: "nets > 5" },
    ],
    labels: [{ name: "Urgent" }],
    contacts: [
      {
        ...nobody,
        name: "Amina",
        urns: ["tel:+254711000222", "mailto:amina@example.org"],
        groups: ["FIELD staff", "Newcomers"],
        fields: { nets: "12", village: "Likoni" },
      },
      { ...nobody, uuid: uuidOf(2), name: "Juma", state: "blocked" },
    ],
    flows: [
      flowData(nativeDefinition(uuidOf(3), "Stock check")),
      { ...flowData(legacyDefinition(uuidOf(4), "Old", 10)) },
    ],
    campaigns: [
      {
        name: "Doses",
        group: "Field staff",
        isArchived: false,
        events: [
          { ...event, flow: "stock check" },
          { ...event, relativeTo: "last_seen_on", message: { base: "Hello" } },
        ],
      },
    ],
    triggers: [
      { ...trigger, flow: uuidOf(3), groups: [uuidOf(1)], keyword: "Join" },
      { ...trigger, type: "M", keyword: null, flow: "Old" },
    ],
    resthooks: [{ slug: "stock-low", subscribers: ["http://127.0.0.1:9000/stock"] }],
    boundaries: [
      {
        osmId: "R1",
        name: "Pwani",
        aliases: [],
        geometry: null,
        parts: [{ osmId: "R2", name: "Likoni", aliases: [], geometry: null, parts: [] }],
      },
    ],
    runs: [run],
  };

  it("holds every entry, and groups and fields that only references name", () => {
    service.passTo(60_000);
    const { added, problems } = load(whole);
    expect(problems).toEqual([]);
    expect(added).toEqual({
      tokens: 1,
      fields: 3,
      groups: 3,
      labels: 1,
      contacts: 2,
      flows: 2,
      campaigns: 1,
      triggers: 2,
      resthooks: 1,
      boundaries: 2,
      runs: 1,
      orders: 0,
    });
    const { tables } = service.recording;
    const { account } = service;
    expect(account.organisation.get()).toMatchObject({ name: "Coast Depot", primaryLanguage: "swa" });
    expect(tables.tokens.all()).toEqual(whole.tokens);
    expect(tables.fields.all().map(({ key, type }) => [key, type])).toEqual([
      ["first_dose", "datetime"],
      ["nets", "numeric"],
      ["village", "text"],
    ]);
    const [amina, juma] = service.contacts;
    expect(amina).toMatchObject({
      name: "Amina",
      fields: { nets: "12", village: "Likoni" },
      urns: whole.contacts?.[0]?.urns,
    });
    expect(tables.groups.groupsOf(amina?.row ?? 0).map(({ name }) => name)).toEqual([
      "Field staff",
      "Many",
      "Newcomers",
    ]);
    expect(juma).toMatchObject({ uuid: uuidOf(2), state: "blocked" });
    const [stock, old] = tables.flows.all();
    expect(stock).toMatchObject({ uuid: uuidOf(3), name: "Stock check", results: [{ key: "nets_left" }] });
    expect(tables.campaigns.byName("doses")).toMatchObject({ group: 1, isArchived: false });
    expect(tables.campaignEvents.ofCampaign(1)).toMatchObject([
      { relativeTo: "first_dose", flow: stock?.id, message: null },
      { relativeTo: "last_seen_on", flow: null, message: { base: "Hello" } },
    ]);
    expect(tables.triggers.active()).toMatchObject([
      { type: "K", keyword: "join", flow: stock?.id, groups: [1], channel: null },
      { type: "M", keyword: null, flow: old?.id },
    ]);
    expect(tables.runs.get(1)).toMatchObject({
      flow: stock?.id,
      contact: amina?.row,
      hasResponded: true,
      path: [
        { node: node(1), atMs: 50_000 },
        { node: node(2), atMs: 52_000 },
      ],
      results: {
        nets_left: { name: "Nets left", value: "12", category: "Has number", input: "about 12", atMs: 52_000 },
      },
      answers: [{ label: "Nets left", category: "Has number", value: "12", text: "about 12", atMs: 52_000 }],
      createdAtMs: 50_000,
      exitedAtMs: 54_000,
      exit: "completed",
    });
  });

  it("can be loaded again: only runs and requests are added twice", () => {
    load(whole);
    const { added, problems } = load(whole);
    expect(problems).toEqual([]);
    expect(added).toMatchObject({
      fields: 0,
      groups: 0,
      labels: 0,
      contacts: 0,
      flows: 2,
      campaigns: 0,
      triggers: 0,
      resthooks: 0,
    });
    const { tables } = service.recording;
    expect(service.contacts).toHaveLength(2);
    expect(tables.flows.all()).toHaveLength(2);
    expect(tables.campaignEvents.ofCampaign(1)).toHaveLength(2);
    expect(tables.triggers.active()).toHaveLength(2);
    expect(tables.resthooks.subscribersOf(1)).toHaveLength(1);
  });

  it("adds to existing contacts, by UUID or by one of their addresses", () => {
    load(whole);
    const { problems } = load({
      runs: [{ ...run, contact: uuidOf(50) }],
      contacts: [
        {
          ...nobody,
          uuid: uuidOf(50),
          urns: ["tel:+254711000333", "tel:+254711000222"],
          groups: ["Late"],
          fields: { nets: "1" },
        },
        { ...nobody, uuid: uuidOf(2).toUpperCase(), name: "Juma K" },
      ],
    });
    expect(problems).toEqual([]);
    expect(service.contacts).toMatchObject([
      {
        name: "Amina",
        urns: ["tel:+254711000333", "tel:+254711000222", "mailto:amina@example.org"],
        fields: { nets: "1", village: "Likoni" },
      },
      { name: "Juma K", state: "blocked" },
    ]);
    expect(service.recording.tables.runs.get(2)).toMatchObject({ contact: 1 });
    const groups = service.recording.tables.groups.groupsOf(1).map(({ name }) => name);
    expect(groups).toEqual(["Field staff", "Newcomers", "Late"]);
  });

  it("replaces flows by UUID, or by name without a UUID, and keeps references to them", () => {
    load(whole);
    const changed = nativeDefinition(uuidOf(3), "Stock check 2");
    const { uuid: _uuid, ...nameless } = flowData(legacyDefinition(uuidOf(9), "x", 10), { name: "OLD" });
    const added = { ...flowData(nativeDefinition(uuidOf(5), "Stock check")) };
    load({ flows: [flowData(changed), nameless, added] });
    const { tables } = service.recording;
    expect(tables.flows.all()).toMatchObject([
      { id: 1, uuid: uuidOf(3), name: "Stock check 2" },
      { id: 2, uuid: uuidOf(4), name: "OLD" },
      { id: 3, uuid: uuidOf(5), name: "Stock check" },
    ]);
    expect(tables.flows.definition(1)).toEqual(changed);
    expect(tables.flows.definition(2)).toEqual(legacyDefinition(uuidOf(4), "OLD", 10));
    expect(tables.triggers.active()[0]?.flow).toBe(1);
  });

  it("adds the UUID and name that a definition lacks", () => {
    const { uuid: _uuid, name: _name, ...native } = nativeDefinition("", "");
    const { metadata: _metadata, ...legacy } = legacyDefinition("", "", 10);
    const flow = { type: "message", isArchived: false, expiresMinutes: 60, labels: [] } as const;
    load({
      flows: [
        { ...flow, name: "New", definition: native },
        { ...flow, name: "Older", definition: legacy },
      ],
    });
    const { flows } = service.recording.tables;
    expect(flows.definition(1)).toEqual({ ...native, uuid: flows.get(1)?.uuid, name: "New" });
    expect(flows.definition(2)).toEqual({ ...legacy, metadata: { uuid: flows.get(2)?.uuid, name: "Older" } });
  });

  it("leaves out entries with unknown references and reports them", () => {
    load(whole);
    const before = service.recording.tables.triggers.active();
    const { added, problems } = load(
      {
        fields: [
          { key: "nets", label: "Bed nets", type: "text" },
          { key: "2nd", label: "2nd", type: "text" },
        ],
        groups: [
          { name: "Many", query: "nets > 9" },
          { name: "Odd", query: "nets >" },
        ],
        contacts: [
          { ...nobody, name: "Ali", groups: ["Many", uuidOf(90)], fields: { "9": "x" } },
          { ...nobody, name: "Bo", groups: ["Field staff"], state: "stopped" },
        ],
        campaigns: [
          { name: "Lost", group: uuidOf(90), isArchived: false, events: [] },
          { name: "Doses", group: "Field staff", isArchived: false, events: [{ ...event, flow: "Gone" }] },
        ],
        triggers: [
          { ...trigger, flow: "Gone" },
          { ...trigger, flow: "Old", excludeGroups: [uuidOf(90)] },
          { ...trigger, keyword: "stop", flow: "Old", channel: uuidOf(91) },
        ],
        resthooks: [{ slug: "stock-low", subscribers: ["http://elsewhere.example/"] }],
        runs: [
          { ...run, flow: "Gone" },
          { ...run, contact: "tel:+254711000999" },
          { ...run, contact: uuidOf(90) },
        ],
      },
      (url) => url.startsWith("http://127.0.0.1"),
    );
    expect(problems).toEqual([
      "field 'nets' exists already and keeps its type numeric: text is ignored",
      "field '2nd' cannot have the key '2nd'",
      "group 'Many' exists already and keeps its query: nets > 9 is ignored",
      expect.stringMatching(/^group 'Odd' has an invalid query, which no contact matches: ./) as unknown,
      "contact 'Ali' cannot be added to 'Many': a query selects its members",
      `contact 'Ali': there is no group ${uuidOf(90)}`,
      "field '9' cannot have the key '9'",
      "contact 'Ali': the value of '9' is left out",
      "contact 'Bo' is stopped and cannot be in a group",
      `campaign 'Lost' is left out: there is no group ${uuidOf(90)}`,
      "campaign 'Doses': event 1 is left out: there is no flow Gone",
      "trigger K 'join' is left out: there is no flow Gone",
      `trigger K 'join' is left out: there is no group ${uuidOf(90)}`,
      `trigger K 'stop' applies to any channel: there is no channel ${uuidOf(91)}`,
      "resthook 'stock-low' does not post to http://elsewhere.example/: the address is not allowed",
      "run of 'Gone' by tel:+254711000222 is left out: there is no such flow",
      "run of 'stock CHECK' by tel:+254711000999 is left out: there is no such contact",
      `run of 'stock CHECK' by ${uuidOf(90)} is left out: there is no such contact`,
    ]);
    expect(added).toMatchObject({ fields: 0, groups: 1, contacts: 2, campaigns: 0, triggers: 1, runs: 0 });
    expect(service.recording.tables.triggers.active().slice(0, 2)).toEqual(before);
  });

  it("leaves out what is more than an account may have, and reports it", () => {
    const times = <T>(count: number, make: (index: number) => T): T[] =>
      Array.from({ length: count }, (_, index) => make(index));
    const urns = times(101, (index) => `tel:+254711${String(index).padStart(6, "0")}`);
    const due = { key: "due", label: "due", type: "datetime" } as const;
    const { problems } = load({
      fields: [due, ...times(1000, (index) => ({ key: `f${index}`, label: `f${index}`, type: "text" as const }))],
      groups: [{ name: "Staff", query: null }],
      contacts: [{ ...nobody, name: "Ali", urns }],
      campaigns: [
        {
          name: "Doses",
          group: "Staff",
          isArchived: false,
          events: times(1001, (offset) => ({ ...event, relativeTo: "due", offset, message: { eng: "Come" } })),
        },
      ],
      resthooks: [{ slug: "low", subscribers: times(1001, (index) => `http://127.0.0.1/${index}`) }],
    });
    expect(problems).toEqual([
      "field 'f999' cannot be added: there are 1000 fields, which is the limit",
      "contact 'Ali' keeps 100 of its 101 addresses",
      "campaign 'Doses': event 1001 is left out: the campaigns of a group have at most 1000 events",
      "resthook 'low' does not post to http://127.0.0.1/1000: it has 1000 subscribers",
    ]);
    const { tables } = service.recording;
    expect(service.contacts[0]?.urns).toEqual(urns.slice(0, 100));
    expect(tables.campaignEvents.ofCampaign(1)).toHaveLength(1000);
    expect(tables.resthooks.subscribersOf(1)).toHaveLength(1000);
  });

  it("counts each address of a contact once, and none of a deleted contact", () => {
    const urns = Array.from({ length: 100 }, (_, index) => `twitterid:${index}`);
    load({ contacts: [{ ...nobody, name: "Ali", urns }] });
    expect(load({ contacts: [{ ...nobody, name: "Ali", urns: ["twitterid:7#ali"] }] }).problems).toEqual([]);
    service.account.contacts.remove(service.contacts[0] as ContactRow);
    const gone = { ...nobody, name: "Ali", uuid: service.contacts[0]?.uuid };
    const { problems } = load({ contacts: [{ ...gone, urns: [...urns, "twitterid:100"] }] });
    expect(problems).toEqual(["contact 'Ali' was deleted and stays deleted"]);
  });

  it("archives the trigger with the same condition and no other", () => {
    load(whole);
    load({
      triggers: [
        { ...trigger, flow: "Old", groups: ["Field staff"] },
        { ...trigger, flow: "Old", keyword: "stop" },
      ],
    });
    expect(service.recording.tables.triggers.active()).toMatchObject([
      { id: 2, type: "M" },
      { id: 3, keyword: "join", flow: 2 },
      { id: 4, keyword: "stop" },
    ]);
    const { account } = service;
    const group = service.recording.tables.groups.byName("Field staff");
    if (group !== undefined) account.groups.remove(group);
    expect(service.recording.tables.triggers.active().map(({ id }) => id)).toEqual([2, 4]);
  });

  it("may come from an export of a real account", () => {
    const json: unknown = {
      version: "13",
      site: "https://app.example",
      flows: [nativeDefinition(uuidOf(3), "Stock check", { groups: [{ uuid: uuidOf(6), name: "Mothers" }] })],
      campaigns: [
        {
          uuid: uuidOf(7),
          name: "Doses",
          group: { uuid: uuidOf(6), name: "Mothers" },
          events: [
            {
              uuid: uuidOf(8),
              event_type: "F",
              relative_to: { key: "first_dose", label: "First dose" },
              offset: 1,
              unit: "W",
              delivery_hour: -1,
              flow: { uuid: uuidOf(3), name: "Stock check" },
            },
          ],
        },
      ],
      triggers: [
        {
          trigger_type: "K",
          keyword: "Join",
          flow: { uuid: uuidOf(3), name: "Stock check" },
          groups: [],
          channel: null,
        },
      ],
    };
    const { account, problems } = accountOfDefinitions(json);
    expect(problems).toEqual([]);
    expect(load(account)).toMatchObject({
      problems: [],
      added: { fields: 1, groups: 1, flows: 1, campaigns: 1, triggers: 1 },
    });
    const { tables } = service.recording;
    expect(tables.groups.byUuid(uuidOf(6))?.name).toBe("Mothers");
    expect(tables.campaignEvents.byUuid(uuidOf(8))).toMatchObject({ offset: 1, unit: "weeks", flow: 1 });
  });

  it("may be the shipped account, which loads without problems", async () => {
    const folder = new URL("../../scenarios/accounts/", import.meta.url);
    const readFile = (path: string): string => readFileSync(new URL(path, folder), "utf8");
    const { account, diagnostics } = await readAccount(readFile("ready.yaml"), { file: "ready.yaml", readFile });
    expect(diagnostics).toEqual([]);
    const { added, problems } = load(account ?? emptyAccount);
    expect(problems).toEqual([]);
    for (const kind of [
      "fields",
      "groups",
      "labels",
      "contacts",
      "flows",
      "campaigns",
      "triggers",
      "resthooks",
      "runs",
    ] as const) {
      expect(added[kind], kind).toBe(account?.[kind].length);
    }
    const { groups } = service.recording.tables;
    for (const group of groups.all()) expect(groups.membersOf(group.id).length, group.name).toBeGreaterThan(0);
  });
});
