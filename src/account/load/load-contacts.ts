import { type ContactData, distinctUrns } from "../../wire/index.js";
import { contactUrnsMax } from "../../flow/index.js";
import type { ContactRow } from "../tables/contact-table.js";
import type { GroupRow } from "../tables/group-table.js";
import { asUuid, type Resolver } from "./resolver.js";

/**
 * Adds a contact. An existing one with its UUID or one of its addresses is changed instead: addresses, groups and
 * fields are added to its own.
 */
export function loadContact(data: ContactData, resolver: Resolver): void {
  const { account } = resolver;
  const called = `contact '${data.name ?? data.urns[0] ?? data.uuid ?? ""}'`;
  const known = knownContact(data, resolver);
  if (known?.state === "deleted") return resolver.addProblem(`${called} was deleted and stays deleted`);
  const urns = distinctUrns([...data.urns, ...(known?.urns ?? [])]);
  if (urns.length > contactUrnsMax)
    resolver.addProblem(`${called} keeps ${contactUrnsMax} of its ${urns.length} addresses`);
  const content = {
    urns: urns.slice(0, contactUrnsMax),
    groups: groupsOf(data, called, resolver),
    fields: fieldsOf(data, called, resolver),
  };
  if (known === undefined) {
    const { name, language, state } = data;
    const added = account.contacts.add({ ...content, uuid: asUuid(data.uuid), name, language, state });
    resolver.countAdded("contacts");
    return resolver.rememberContact(data.uuid, added);
  }
  resolver.rememberContact(data.uuid, known);
  const own = resolver.tables.groups.groupsOf(known.row).filter(({ query }) => query === null);
  const changed = account.contacts.change(known, {
    name: data.name ?? known.name,
    language: data.language ?? known.language,
    urns: content.urns,
    groups: known.state === "active" ? [...own, ...content.groups] : own,
    fields: content.fields,
  });
  if (data.state === "deleted") account.contacts.remove(changed);
  else if (data.state !== "active") account.contacts.setState(changed, data.state);
}

/** Finds an existing contact by UUID, else by the first address that has an owner. */
function knownContact({ uuid, urns }: ContactData, { tables: { contacts } }: Resolver): ContactRow | undefined {
  const own = asUuid(uuid);
  const same = own === undefined ? undefined : contacts.byUuid(own);
  if (same !== undefined) return same;
  for (const urn of urns) {
    const owner = contacts.ownerOf(urn);
    if (owner !== undefined) return contacts.get(owner.contact);
  }
  return undefined;
}

function groupsOf({ groups, state }: ContactData, called: string, resolver: Resolver): GroupRow[] {
  if (groups.length > 0 && state !== "active") {
    resolver.addProblem(`${called} is ${state} and cannot be in a group`);
    return [];
  }
  return groups.flatMap((reference) => {
    const group = resolver.group(reference);
    if (group === undefined) return resolver.addProblem(`${called}: there is no group ${reference}`) ?? [];
    if (group.query === null) return [group];
    return resolver.addProblem(`${called} cannot be added to '${group.name}': a query selects its members`) ?? [];
  });
}

function fieldsOf({ fields }: ContactData, called: string, resolver: Resolver): Map<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(fields)) {
    if (resolver.ensureTextField(key)) values.set(key, value);
    else resolver.addProblem(`${called}: the value of '${key}' is left out`);
  }
  return values;
}
