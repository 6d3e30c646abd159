import { type AccountTables, type ContactRow, type FlowRow, type GroupRow, resultKey } from "../../account/index.js";
import type { AccountStateReader, MembershipReading, ResultReading } from "../../expect/index.js";
import { ownValue, phoneOfUrn, telUrn } from "../../wire/index.js";
import type { World } from "../../world/index.js";

/** The account's data about people of the world, for expectations. */
export class AccountState implements AccountStateReader {
  readonly #tables: AccountTables;
  readonly #population: World["population"];

  constructor(options: { readonly tables: AccountTables; readonly population: World["population"] }) {
    this.#tables = options.tables;
    this.#population = options.population;
  }

  readResult(person: number, wanted: { readonly result: string; readonly flow?: string | undefined }): ResultReading {
    const { flow } = wanted;
    const row = flow === undefined ? undefined : flowNamed(this.#tables, flow);
    if (flow !== undefined && row === undefined) return { kind: "no-flow" };
    const contact = this.#contactOf(person);
    if (contact === undefined) return { kind: "no-contact" };
    const runs = this.#tables.runs.ofContact(contact.row).filter((run) => row === undefined || run.flow === row.id);
    if (runs.length === 0) return { kind: "no-run" };
    const key = resultKey(wanted.result);
    for (const { results } of runs) {
      const result = ownValue(results, key);
      if (result !== undefined) return { kind: "saved", value: result.value, category: result.category };
    }
    return { kind: "unanswered" };
  }

  readMembership(person: number, group: string): MembershipReading {
    const row = groupNamed(this.#tables, group);
    if (row === undefined) return "no-group";
    const contact = this.#contactOf(person);
    if (contact === undefined) return "no-contact";
    return this.#tables.groups.groupsOf(contact.row).some(({ id }) => id === row.id) ? "member" : "not-member";
  }

  /** The person who has one of a contact's numbers; undefined: nobody in the world. */
  personOf(contact: number): number | undefined {
    const urns = this.#tables.contacts.get(contact)?.urns ?? [];
    for (const urn of urns) {
      const phone = phoneOfUrn(urn);
      const person = phone === undefined ? undefined : this.#population.personByPhone(phone);
      if (person !== undefined) return person;
    }
    return undefined;
  }

  #contactOf(person: number): ContactRow | undefined {
    return this.#tables.contacts.byUrn(telUrn(this.#population.phoneOfPerson(person)));
  }
}

/** The flow with a name or UUID. */
export function flowNamed({ flows }: Pick<AccountTables, "flows">, reference: string): FlowRow | undefined {
  return flows.byUuid(reference.toLowerCase()) ?? flows.byName(reference);
}

function groupNamed({ groups }: Pick<AccountTables, "groups">, reference: string): GroupRow | undefined {
  return groups.byUuid(reference.toLowerCase()) ?? groups.byName(reference);
}
