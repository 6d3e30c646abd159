import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ContactRow, GroupRow } from "../../src/account/index.js";
import { distinctUrns, withoutDisplay } from "../../src/wire/index.js";
import { Service, startsAtMs } from "../gateway/service.js";
import { runs } from "../support/effort.js";

const phones = ["+254711000221", "+254711000222", "+254711000223"];
const address = fc
  .tuple(fc.constantFrom(...phones.map((phone) => `tel:${phone}`), "ext:a", "ext:b"), fc.constantFrom("", "#x", "#y"))
  .map(([urn, display]) => urn + display);
const urns = fc.array(address, { maxLength: 4 });
interface Content {
  readonly name?: string | null;
  readonly language?: string | null;
  readonly urns?: string[];
  /** Indexes in the list of groups without a query. */
  readonly groups?: number[];
  readonly fields?: Readonly<Record<string, string>>;
}

const content: fc.Arbitrary<Content> = fc.record(
  {
    name: fc.option(fc.constantFrom("Amina", "Brian")),
    language: fc.option(fc.constantFrom("eng", "swa")),
    urns,
    groups: fc.subarray([0, 1]),
    fields: fc.record({ age: fc.constantFrom("", "9", "17.5", "18", "many") }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const who = fc.nat({ max: 5 });
const action = fc.oneof(
  fc.record({
    do: fc.constant("add" as const),
    content,
    state: fc.constantFrom("active", "blocked", "deleted" as const),
  }),
  fc.record({ do: fc.constant("change" as const), who, content }),
  fc.record({ do: fc.constantFrom("join" as const, "leave" as const), who, group: fc.nat({ max: 1 }) }),
  fc.record({
    do: fc.constant("state" as const),
    who,
    state: fc.constantFrom("active", "blocked", "stopped" as const),
  }),
  fc.record({ do: fc.constant("remove" as const), who }),
  fc.record({ do: fc.constant("text" as const), phone: fc.constantFrom(...phones) }),
  fc.record({ do: fc.constant("retype" as const), type: fc.constantFrom("text", "numeric" as const) }),
  fc.record({ do: fc.constant("regroup" as const), group: fc.nat({ max: 1 }) }),
);

/** A second implementation of each smart group's query. */
const smart: Readonly<Record<string, (contact: ContactRow, groups: readonly string[], isNumeric: boolean) => boolean>> =
  {
    "age >= 18": ({ fields }, _groups, isNumeric) => isNumeric && fields["age"] === "18",
    'language = "" AND tel != ""': (contact) =>
      contact.language === null && contact.urns.some((urn) => urn.startsWith("tel:")),
    "name = amina OR group = First": ({ name }, groups) => name === "Amina" || groups.includes("First"),
  };

describe("contacts after any sequence of actions", () => {
  it("own distinct addresses and are in exactly the groups that match", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 25 }), (actions) => {
        const service = new Service();
        const { account } = service;
        const { contacts, groups } = service.recording.tables;
        let age = account.fields.add({ key: "age", label: "Age", type: "numeric" });
        let type = "numeric";
        const manual: GroupRow[] = ["First", "Second"].map((name) => account.groups.add({ name }));
        for (const query of Object.keys(smart)) account.groups.add({ name: `All ${query.length}`, query });

        const at = (index: number): ContactRow | undefined => {
          const row = contacts.get(index + 1);
          return row?.state === "deleted" ? undefined : row;
        };
        const resolved = ({ groups: wanted, fields, ...rest }: Content) => ({
          ...rest,
          ...(wanted !== undefined && { groups: wanted.flatMap((index) => manual[index] ?? []) }),
          ...(fields !== undefined && { fields: new Map(Object.entries(fields)) }),
        });
        for (const [index, one] of actions.entries()) {
          service.kernel.advanceTo(index + 1);
          const contact = "who" in one ? at(one.who) : undefined;
          const group = "group" in one ? manual[one.group] : undefined;
          if (one.do === "add") account.contacts.add({ ...resolved(one.content), state: one.state });
          else if (one.do === "text") {
            service.sync(1, [{ type: "mo_sms", phone: one.phone, text: "hello", timeMs: startsAtMs }]);
            const writer = contacts.byUrn(`tel:${one.phone}`);
            expect(writer?.row).toBe(service.messages.at(-1)?.contact);
            expect(writer?.state).not.toBe("stopped");
          } else if (one.do === "retype") {
            type = one.type;
            age = account.fields.change(age, { label: "Age", type: one.type });
          } else if (one.do === "regroup" && group !== undefined) {
            account.groups.remove(group);
            manual[one.group] = account.groups.add({ name: group.name });
          } else if (contact !== undefined) {
            const isActive = contact.state === "active";
            if (one.do === "change") {
              const { groups: wanted, ...rest } = resolved(one.content);
              account.contacts.change(contact, {
                ...rest,
                ...(isActive && wanted !== undefined && { groups: wanted }),
              });
            } else if (one.do === "state") account.contacts.setState(contact, one.state);
            else if (one.do === "remove") account.contacts.remove(contact);
            else if (one.do === "join" && group !== undefined && isActive) account.contacts.join(contact, group);
            else if (one.do === "leave" && group !== undefined && isActive) account.contacts.leave(contact, group);
          }
        }

        const counted = new Map<number, number>();
        for (const contact of service.contacts) {
          for (const urn of contact.urns) expect(contacts.byUrn(urn)?.row).toBe(contact.row);
          expect(distinctUrns(contact.urns)).toEqual(contact.urns);
          const own = groups.groupsOf(contact.row);
          const names = own.map(({ name }) => name);
          for (const { id } of own) counted.set(id, (counted.get(id) ?? 0) + 1);
          if (contact.state !== "active") expect(own).toEqual([]);
          else {
            for (const [query, isMeant] of Object.entries(smart)) {
              expect(
                own.some((group) => group.query === query),
                query,
              ).toBe(isMeant(contact, names, type === "numeric"));
            }
          }
        }
        for (const phone of phones) {
          const owner = contacts.byUrn(`tel:${phone}`);
          if (owner !== undefined) expect(owner.urns.map(withoutDisplay)).toContain(`tel:${phone}`);
        }
        const { rows } = service.lists.groups.page({ order: "created", filters: [], size: 100 });
        for (const { id, members } of rows) {
          expect(members).toBe(counted.get(id) ?? 0);
          expect(groups.membersOf(id)).toHaveLength(members);
        }
        // The list of members is sorted by the contacts' own times of modification.
        for (const { id } of rows) {
          const listed = service.lists.members.page({ order: "modified", filters: [["group", id]], size: 100 }).rows;
          const sorted = listed.toSorted((a, b) => b.modifiedAtMs - a.modifiedAtMs || b.row - a.row);
          expect(listed.map(({ row }) => row)).toEqual(sorted.map(({ row }) => row));
        }
        service.recording.close();
      }),
      { numRuns: runs(30) },
    );
  });
});
