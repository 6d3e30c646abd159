import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  AccountLoad,
  type ContactRow,
  type GroupRow,
  loadAccount,
  matchesQuery,
  parseContactQuery,
} from "../../src/account/index.js";
import { contactView } from "../../src/account/text/contact-view.js";
import { type ContactData, emptyAccount, type GroupData } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";
import { runs } from "../support/effort.js";

/** Names of the groups of each contact, by row. */
function memberships({ recording, contacts }: Service): string[][] {
  const { groups } = recording.tables;
  return contacts.map(({ row }) => groups.groupsOf(row).map(({ name }) => name));
}

/** The same, from all queries parsed and tested again; groups that queries name come before them. */
function expectedMemberships({ account, recording, contacts }: Service): string[][] {
  const { groups } = recording.tables;
  const { fieldContext: context } = account;
  const { timezone, dateStyle, currentYear, fields } = context;
  const boundaryName: typeof context.boundaryName = (type, text) => context.boundaryName(type, text);
  const schema = { timezone, dateStyle, currentYear, fields, boundaryName, isAnonymous: false };
  return contacts.map((contact) => {
    const own: GroupRow[] = groups.groupsOf(contact.row).filter(({ query }) => query === null);
    if (contact.state !== "active") return [];
    for (const group of groups.all()) {
      if (group.query === null) continue;
      const reading = parseContactQuery(group.query, schema);
      const view = { ...contactView(contact, { groups, startsAtMs }), groups: own };
      if (reading.ok && matchesQuery(reading.query, view, context)) own.push(group);
    }
    return own.toSorted((a, b) => a.id - b.id).map(({ name }) => name);
  });
}

type Act = (service: Service) => void;

const names = ["Ann", "Bob", "Old", "a"];
const keys = ["age", "due", "town"];
const queries = [
  "name = Ann",
  "name ~ a or language = swa",
  "age > 30",
  'town = "Old"',
  "due > 2026-03-05",
  "due < 05-03-2026",
  'age != "" and name != Bob',
  "tel ~ 788",
  "created_on > 2026-03-03",
];

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(items.length, 1)];
const value = fc.constantFrom("7", "31", "2026-03-04", "06-03-2026", "Old", "");
const contactChange: fc.Arbitrary<Act> = fc
  .tuple(fc.nat(20), fc.constantFrom(...names), fc.constantFrom(...keys), value, fc.nat(4))
  .map(([at, name, key, text, kind]) => ({ account, contacts, recording }) => {
    const contact = pick<ContactRow>(contacts, at);
    if (contact === undefined) return;
    if (kind === 0) account.contacts.change(contact, { name });
    else if (kind === 1) account.contacts.change(contact, { language: name === "Ann" ? "swa" : "eng" });
    else if (kind === 2) {
      const hand = recording.tables.groups.all().filter(({ query }) => query === null);
      account.contacts.change(contact, { groups: hand.filter(({ id }) => id % 2 === at % 2) });
    } else account.contacts.change(contact, { fields: new Map([[key, text === "" ? undefined : text]]) });
  });
const groupAct: fc.Arbitrary<Act> = fc
  .tuple(fc.nat(1000), fc.option(fc.constantFrom(...queries)), fc.nat(20), fc.nat(5))
  .map(([number, query, at, kind]) => ({ account, recording }) => {
    const all = recording.tables.groups.all();
    const other = pick(all, at);
    const isFree = recording.tables.groups.byName(`G${number}`) === undefined;
    if (kind === 0 && other !== undefined) return account.groups.remove(other);
    if (!isFree) return;
    if (kind === 1 && other !== undefined) account.groups.change(other, { name: `G${number}` });
    // Names an older group: there are no circles.
    else if (kind === 2 && other !== undefined)
      account.groups.add({ name: `G${number}`, query: `group = "${other.name}" or age = 7` });
    else account.groups.add({ name: `G${number}`, query });
  });
const settingsAct: fc.Arbitrary<Act> = fc
  .tuple(fc.constantFrom(...keys), fc.constantFrom("text", "numeric", "datetime"), fc.nat(3))
  .map(([key, type, kind]) => ({ account, recording }) => {
    const field = recording.tables.fields.byKey(key);
    if (kind === 0) account.organisation.set({ dateStyle: type === "text" ? "day_first" : "month_first" });
    else if (field === undefined) account.fields.add({ key, label: key, type: type as "text" });
    else account.fields.change(field, { label: key, type: type as "text" });
  });
const addContact: fc.Arbitrary<Act> = fc.tuple(fc.nat(999), fc.constantFrom(...names)).map(([number, name]) => {
  return ({ account, recording }) => {
    const urn = `tel:+250788${String(number).padStart(6, "0")}`;
    if (recording.tables.contacts.byUrn(urn) === undefined) account.contacts.add({ name, urns: [urn] });
  };
});

describe("members of smart groups", () => {
  it("are those that match, after any changes of contacts, groups, fields and settings", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(addContact, contactChange, groupAct, settingsAct), { minLength: 5, maxLength: 60 }),
        (acts) => {
          const service = new Service();
          for (const act of acts) {
            service.account.workload.beginInput();
            act(service);
          }
          service.passTo(service.kernel.now + 1000);
          // A change of the settings re-reads queries when contacts next change: change each.
          for (const contact of service.contacts) {
            if (contact.state === "active")
              service.account.contacts.change(contact, { fields: new Map([["seen", "1"]]) });
          }
          expect(memberships(service).map((own) => own.toSorted())).toEqual(
            expectedMemberships(service).map((own) => own.toSorted()),
          );
        },
      ),
      { numRuns: runs(75) },
    );
  });
});

const nobody: ContactData = { name: null, language: null, urns: [], groups: [], fields: {}, state: "active" };

function groupData(count: number): GroupData[] {
  return Array.from({ length: count }, (_, index) => ({ name: `G${index}`, query: `age > ${index} and name ~ a` }));
}

function contactData(count: number): ContactData[] {
  return Array.from({ length: count }, (_, index) => ({
    ...nobody,
    name: "Ann",
    urns: [`tel:+2507881${String(index).padStart(5, "0")}`],
    fields: { age: String(index % 50) },
  }));
}

/** Loads in parts. @returns how many */
function partsOf(service: Service, groups: GroupData[], contacts: ContactData[]): number {
  const fields = [{ key: "age", label: "Age", type: "numeric" as const }];
  const load = new AccountLoad(service.account, service.recording.tables, {
    ...emptyAccount,
    fields,
    groups,
    contacts,
  });
  let parts = 0;
  while (!load.isDone) {
    load.loadSome();
    parts++;
  }
  expect(load.report.problems).toEqual([]);
  return parts;
}

describe("an account with many smart groups", () => {
  it("is loaded in parts, whose number grows as the account does", () => {
    const parts = (groups: number): number => partsOf(new Service(), groupData(groups), []);
    const one = parts(500);
    expect(one).toBeGreaterThan(0);
    expect(parts(1500)).toBeLessThanOrEqual(3 * one + 1);
  });

  it("is the same whether it was loaded in parts or between other work", () => {
    const whole = new Service();
    const fields = [{ key: "age", label: "Age", type: "numeric" as const }];
    const data = { ...emptyAccount, fields, groups: groupData(40), contacts: contactData(60) };
    loadAccount(whole.account, whole.recording.tables, data);
    const parted = new Service();
    const load = new AccountLoad(parted.account, parted.recording.tables, data);
    for (; !load.isDone; parted.passTo(parted.kernel.now + 20)) {
      // Each part finds most of its step used up.
      parted.account.workload.beginInput();
      load.loadSome();
    }
    whole.passTo(1000);
    parted.passTo(parted.kernel.now + 1000);
    expect(memberships(parted)).toEqual(memberships(whole));
    expect(memberships(parted)[49]).toHaveLength(40);
  });

  it("leaves what is too much for a step to later ones, also over a restart", () => {
    const service = new Service();
    partsOf(service, groupData(30), contactData(3));
    service.passTo(1000);
    const [contact] = service.contacts as [ContactRow];
    service.account.workload.beginInput();
    service.account.workload.add(60_000);
    service.account.contacts.change(contact, { fields: new Map([["age", "20"]]) });
    expect(memberships(service)[0]).toEqual([]);
    const { state } = service.account.backlog;
    expect(JSON.parse(state)).toEqual([{ kind: "contact", contact: contact.row }]);

    const again = new Service({}, { recording: service.recording });
    again.account.backlog.restore(state);
    again.passTo(again.kernel.now);
    expect(memberships(again)[0]).toHaveLength(20);
    expect(again.account.backlog.state).toBe("[]");
  });

  it("lets the members of a deleted group leave in steps, also over a restart", () => {
    const service = new Service();
    loadAccount(service.account, service.recording.tables, {
      ...emptyAccount,
      contacts: contactData(2500).map((contact) => ({ ...contact, groups: ["Big"] })),
    });
    service.passTo(1000);
    const { groups } = service.recording.tables;
    const big = groups.byName("Big") as GroupRow;
    expect(groups.membersOf(big.id)).toHaveLength(2500);
    service.account.workload.beginInput();
    service.account.groups.remove(big);
    // Nobody is in it from now on.
    expect(groups.membersOf(big.id)).toEqual([]);
    expect(memberships(service).flat()).toEqual([]);
    const modified = (of: Service): number => of.contacts.filter(({ modifiedAtMs }) => modifiedAtMs > 0).length;
    expect(modified(service)).toBeGreaterThan(0);
    expect(modified(service)).toBeLessThan(2500);
    const { state } = service.account.backlog;
    expect(JSON.parse(state)).toEqual([{ kind: "leavers", group: big.id }]);

    const again = new Service({}, { recording: service.recording });
    again.account.backlog.restore(state);
    again.passTo(again.kernel.now + 1000);
    expect(groups.formerMembers(big.id, 1)).toEqual([]);
    expect(again.account.backlog.state).toBe("[]");
    expect(modified(again)).toBe(2500);
  });

  it("parses no query beyond 50,000 conditions, and says which group has none", () => {
    const query = Array.from({ length: 700 }, (_, index) => `age = ${index}`).join(" or ");
    const groups = Array.from({ length: 75 }, (_, index) => ({ name: `G${index}`, query }));
    const service = new Service();
    const fields = [{ key: "age", label: "Age", type: "numeric" as const }];
    const { problems } = loadAccount(service.account, service.recording.tables, { ...emptyAccount, fields, groups });
    expect(problems).toHaveLength(4);
    expect(problems[0]).toMatch(/^group 'G71' has an invalid query, which no contact matches: .* 50,000 conditions$/);
  });
});
