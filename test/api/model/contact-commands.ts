import * as fc from "fast-check";
import { expect } from "vitest";
import type { Reply, Row } from "./api.js";
import {
  type Command,
  command,
  expectDone,
  expectFaults,
  index,
  mostly,
  pick,
  pickLiving,
  type Play,
  type Reference,
  reference,
  STRANGER,
  uuidIn,
  write,
  type Written,
} from "./command.js";
import { addContact, type ContactModel, deleteContact, type GroupModel, type Model, ownerOf } from "./model.js";

/** A URN in a request, and its stored form; null: it is refused. */
type Urn = readonly [given: string, normal: string | null];

const urn = mostly<Urn>(
  [
    ["tel:+254711000001", "tel:+254711000001"],
    ["tel:+254 711-000 001", "tel:+254711000001"],
    ["tel:254711000002", "tel:+254711000002"],
    ["tel:+254711000003", "tel:+254711000003"],
    ["tel:+254711000004", "tel:+254711000004"],
    ["twitter:@Amina_O", "twitter:amina_o"],
    ["mailto:Amina@Example.org", "mailto:amina@example.org"],
    ["ext:Amina/7", "ext:Amina/7"],
  ],
  [
    ["tel:0711000001", null],
    ["pigeon:7", null],
    ["no colon", null],
  ],
);

interface ContactDraft {
  readonly name?: string | null;
  readonly language?: string | null;
  readonly urns?: readonly Urn[];
  readonly groups?: readonly Reference[];
  /** Index of the field, and its value. */
  readonly fields?: readonly (readonly [number, string | null])[];
}

const values = ["12", "2.50", "-7.00", "about 12", "2018-03-01T06:00:00Z", "Ünal", "", null];

const contact: fc.Arbitrary<ContactDraft> = fc.record(
  {
    name: mostly<string | null>(["Amina", "Ünal 👩", null, "Baraka"], ["", "x".repeat(65)]),
    language: mostly<string | null>(["eng", "swa", null], ["english"]),
    urns: fc.array(urn, { maxLength: 3 }),
    groups: fc.array(reference, { maxLength: 3 }),
    fields: fc.array(fc.tuple(index, fc.constantFrom(...values)), { maxLength: 3 }),
  },
  { requiredKeys: [] },
);

const actions = ["add", "remove", "block", "unblock", "interrupt", "archive", "archive_messages", "delete"];

interface ActionDraft {
  readonly action: string;
  readonly at: readonly number[];
  readonly byUrn: boolean;
  readonly isGroupFitting: boolean;
  readonly group: Reference;
}

const action: fc.Arbitrary<ActionDraft> = fc.record({
  action: fc.constantFrom(...actions),
  at: fc.array(index, { minLength: 1, maxLength: 4 }),
  byUrn: fc.boolean(),
  isGroupFitting: mostly([true], [false]),
  group: reference,
});

export const contactCommands: readonly fc.Arbitrary<Command>[] = [
  contact.map((draft) => command("create contact", draft, createContact(draft))),
  fc.tuple(index, contact).map((draft) => command("update contact", draft, updateContact(...draft))),
  fc.tuple(index, contact).map((draft) => command("update contact", draft, updateContact(...draft))),
  fc.tuple(urn, contact).map((draft) => command("save contact by urn", draft, saveByUrn(...draft))),
  fc.tuple(index, fc.boolean()).map((draft) => command("delete contact", draft, removeContact(...draft))),
  ...Array.from({ length: 3 }, () => action.map((draft) => command("contact action", draft, actOn(draft)))),
];

export function createContact(draft: ContactDraft): Play {
  return async (model, { api }) => {
    const plan = planOf(model, draft);
    const reply = await api.call("POST", "contacts", {}, payloadOf(plan));
    const isTaken = (plan.urns ?? []).some(([, normal]) => normal !== null && ownerOf(model, normal) !== undefined);
    if (isRefused(reply, plan, { isUrnUnwanted: isTaken })) return;
    expect(reply.status).toBe(201);
    apply(model, addContact(model, uuidIn(reply)), plan);
  };
}

function updateContact(at: number, draft: ContactDraft): Play {
  return async (model, { api }) => {
    const found = living(model, at);
    const plan = planOf(model, draft);
    const reply = await api.call("POST", "contacts", { uuid: found?.uuid ?? STRANGER }, payloadOf(plan));
    if (found === undefined || found.deleted) return expect(reply.status).toBe(404);
    if (isRefused(reply, plan, { contact: found })) return;
    expect(reply.status).toBe(200);
    expect(uuidIn(reply)).toBe(found.uuid);
    for (const [, normal] of plan.urns ?? []) takeOver(model, found, normal);
    apply(model, found, plan);
  };
}

function saveByUrn([given, normal]: Urn, draft: ContactDraft): Play {
  return async (model, { api }) => {
    const plan = planOf(model, draft);
    const reply = await api.call("POST", "contacts", { urn: given }, payloadOf(plan));
    if (normal === null) {
      // The service may report either of two faults.
      const fault = plan.urns === undefined ? { detail: expect.any(String) as string } : expect.anything();
      return expect(reply).toEqual({ status: 400, body: fault });
    }
    const found = ownerOf(model, normal);
    if (isRefused(reply, plan, { contact: found, isUrnUnwanted: plan.urns !== undefined })) return;
    expect(reply.status).toBe(found === undefined ? 201 : 200);
    apply(model, found ?? addContact(model, uuidIn(reply), [normal]), plan);
  };
}

function removeContact(at: number, isByUrn: boolean): Play {
  return async (model, { api }) => {
    const found = living(model, at);
    const [first] = found?.urns ?? [];
    const query: Record<string, string> =
      isByUrn && first !== undefined ? { urn: first } : { uuid: found?.uuid ?? STRANGER };
    const reply = await api.call("DELETE", "contacts", query);
    if (found === undefined || found.deleted) return expect(reply.status).toBe(404);
    expectDone(reply);
    deleteContact(model, found);
  };
}

function actOn(draft: ActionDraft): Play {
  return async (model, { api }) => {
    const contacts = draft.at.flatMap((each) => living(model, each) ?? []);
    const names = contacts.map(({ uuid, urns }) => (draft.byUrn ? (urns[0] ?? uuid) : uuid));
    const needsGroup = draft.action === "add" || draft.action === "remove";
    const group = needsGroup === draft.isGroupFitting ? write(model.groups, draft.group) : undefined;
    const reply = await api.call(
      "POST",
      "contact_actions",
      {},
      {
        contacts: names.length === 0 ? [STRANGER] : names,
        action: draft.action,
        ...(group === undefined ? {} : { group: group.text }),
      },
    );
    const faults = new Set<string>();
    if (contacts.length === 0 || contacts.some(({ deleted }) => deleted)) faults.add("contacts");
    if (group !== undefined && group.meant === undefined) faults.add("group");
    const isBarred = draft.action === "add" && contacts.some(({ blocked }) => blocked);
    if (faults.size === 0 && (!draft.isGroupFitting || isBarred)) faults.add("non_field_errors");
    if (faults.size > 0) return expectFaults(reply, faults);
    expectDone(reply);
    for (const each of contacts) act(model, each, draft.action, group?.meant);
  };
}

/** Applies an action to one contact (docs/reference/service-api.md#contact-actions). */
function act(model: Model, contact: ContactModel, action: string, group: GroupModel | undefined): void {
  switch (action) {
    case "add":
      if (group !== undefined) contact.groups.add(group.uuid);
      break;
    case "remove":
      if (group !== undefined) contact.groups.delete(group.uuid);
      break;
    case "block":
      Object.assign(contact, { blocked: true, groups: new Set() });
      break;
    case "unblock":
      contact.blocked = false;
      break;
    case "delete":
      deleteContact(model, contact);
      break;
    case "archive":
    case "archive_messages":
      for (const message of model.messages.values()) {
        if (message.contact !== contact.uuid || message.visibility !== "visible") continue;
        message.visibility = "archived";
        model.touched.add(message.id);
      }
      return; // The contact itself is not touched.
    case "interrupt":
      return;
  }
  model.touched.add(contact.uuid);
}

/** A draft with its references resolved. */
interface Plan {
  readonly name: string | null | undefined;
  readonly language: string | null | undefined;
  readonly urns: readonly Urn[] | undefined;
  readonly groups: readonly Written[] | undefined;
  /** By key; undefined for an unknown field. */
  readonly fields: ReadonlyMap<string, string | null> | undefined;
  readonly hasStrangeField: boolean;
}

function planOf(model: Model, { name, language, urns, groups, fields }: ContactDraft): Plan {
  const keys = [...model.fields.keys()];
  const named = fields?.flatMap(([at, value]): [string, string | null][] => {
    const key = at === 30 ? "strange" : pick(keys, at);
    return key === undefined ? [] : [[key, value]];
  });
  return {
    name,
    language,
    urns,
    // Without groups every reference is refused.
    groups: groups
      ?.filter(({ how }) => how === "stranger" || model.groups.size > 0)
      .map((each) => write(model.groups, each)),
    fields: named === undefined ? undefined : new Map(named),
    hasStrangeField: named?.some(([key]) => key === "strange") ?? false,
  };
}

function payloadOf({ name, language, urns, groups, fields }: Plan): object {
  return {
    ...(name === undefined ? {} : { name }),
    ...(language === undefined ? {} : { language }),
    ...(urns === undefined ? {} : { urns: urns.map(([given]) => given) }),
    ...(groups === undefined ? {} : { groups: groups.map(({ text }) => text) }),
    ...(fields === undefined ? {} : { fields: Object.fromEntries(fields) }),
  };
}

/** Checks a refusal. Returns whether one was required (docs/reference/service-api.md#contacts). */
function isRefused(
  reply: Reply,
  { name, language, urns, groups, hasStrangeField }: Plan,
  { contact, isUrnUnwanted = false }: { contact?: ContactModel | undefined; isUrnUnwanted?: boolean },
): boolean {
  const faults = new Set<string>();
  if (typeof name === "string" && (name === "" || name.length > 64)) faults.add("name");
  if (typeof language === "string" && language.length !== 3) faults.add("language");
  if (urns?.some(([, normal]) => normal === null)) faults.add("urns");
  if (groups?.some(({ meant }) => meant === undefined)) faults.add("groups");
  if (hasStrangeField) faults.add("fields");
  const isBarred = contact?.blocked === true && (groups ?? []).length > 0;
  if (faults.size === 0 && !isUrnUnwanted && !isBarred) return false;
  expect(reply.status).toBe(400);
  const named = new Set(Object.keys(reply.body as Row));
  // The service may report a taken or misplaced URN, or a contact that cannot join groups, together with other faults
  // or only after they are corrected.
  const late = new Set([...(isUrnUnwanted ? ["urns"] : []), ...(isBarred ? ["groups", "non_field_errors"] : [])]);
  if (faults.size === 0) expect(late).toEqual(new Set([...late, ...named]));
  else expect(new Set([...named].filter((key) => faults.has(key) || !late.has(key)))).toEqual(faults);
  return true;
}

function apply(model: Model, contact: ContactModel, { name, language, urns, groups, fields }: Plan): void {
  model.touched.add(contact.uuid);
  if (name !== undefined) contact.name = name;
  if (language !== undefined) contact.language = language;
  if (urns !== undefined) contact.urns = [...new Set(urns.flatMap(([, normal]) => normal ?? []))];
  if (groups !== undefined) contact.groups = new Set(groups.flatMap(({ meant }) => meant?.uuid ?? []));
  for (const [key, value] of fields ?? []) {
    if (value === null || value === "") contact.values.delete(key);
    else contact.values.set(key, value);
  }
}

/** An update silently takes over the URNs of other contacts (docs/reference/service-api.md#contacts). */
function takeOver(model: Model, contact: ContactModel, urn: string | null): void {
  const owner = urn === null ? undefined : ownerOf(model, urn);
  if (owner === undefined || owner === contact) return;
  owner.urns = owner.urns.filter((each) => each !== urn);
  model.touched.add(owner.uuid);
}

function living(model: Model, at: number): ContactModel | undefined {
  return pickLiving([...model.contacts.values()], at, ({ deleted }) => !deleted);
}
