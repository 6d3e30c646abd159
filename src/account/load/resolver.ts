import type { AccountData, FieldData, FlowData, GroupData } from "../../wire/index.js";
import { isFieldKey, keyOfLabel } from "../text/field-values.js";
import type { ContactRow } from "../tables/contact-table.js";
import type { Account } from "../account.js";
import type { FieldRow } from "../fields.js";
import type { FlowJson, FlowRow } from "../flows.js";
import type { GroupRow } from "../tables/group-table.js";
import type { AccountTables } from "../tables/account-tables.js";

/** The kinds of entries in an account's data. */
export type LoadedKind = Exclude<keyof AccountData, "organisation" | "globals">;

/** Numbers of entries by kind. */
export type LoadCounts = Readonly<Record<LoadedKind, number>>;

/** Most fields of an account after a load: each page of contacts lists them all. */
const FIELDS_MAX = 1000;

/** The state of loading an account: counts, problems, and the rows to which references resolve. */
export class Resolver {
  readonly account: Account;
  readonly tables: AccountTables;
  readonly problems: string[] = [];
  readonly #added = new Map<LoadedKind, number>();
  readonly #groups = new Map<string, GroupRow>();
  /** UUIDs of the account's groups and labels by their UUIDs in the data, where these differ. */
  readonly #localUuids = new Map<string, string>();
  readonly #flows = new Map<string, FlowRow>();
  readonly #contacts = new Map<string, number>();

  constructor(account: Account, tables: AccountTables) {
    this.account = account;
    this.tables = tables;
  }

  get added(): LoadCounts {
    const count = (kind: LoadedKind): number => this.#added.get(kind) ?? 0;
    return {
      tokens: count("tokens"),
      fields: count("fields"),
      groups: count("groups"),
      labels: count("labels"),
      contacts: count("contacts"),
      flows: count("flows"),
      campaigns: count("campaigns"),
      triggers: count("triggers"),
      resthooks: count("resthooks"),
      boundaries: count("boundaries"),
      runs: count("runs"),
      orders: count("orders"),
    };
  }

  countAdded(kind: LoadedKind): void {
    this.#added.set(kind, (this.#added.get(kind) ?? 0) + 1);
  }

  /** @param message - a sentence without its full stop */
  addProblem(message: string): undefined {
    this.problems.push(message);
  }

  /** Finds or adds a field. When that is impossible, adds a problem and returns undefined. */
  field({ key: given, label, type }: FieldData): FieldRow | undefined {
    const { fields } = this.tables;
    const key = given ?? fields.byLabel(label)?.key ?? keyOfLabel(label);
    const known = fields.byKey(key);
    if (known !== undefined) {
      if (known.type !== type)
        this.addProblem(`field '${key}' exists already and keeps its type ${known.type}: ${type} is ignored`);
      return known;
    }
    if (!isFieldKey(key)) return this.addProblem(`field '${label}' cannot have the key '${key}'`);
    if (fields.all().length >= FIELDS_MAX)
      return this.addProblem(`field '${key}' cannot be added: there are ${FIELDS_MAX} fields, which is the limit`);
    const free = [label, key.replaceAll("_", " ")].find((text) => fields.byLabel(text) === undefined);
    if (free === undefined)
      return this.addProblem(`field '${key}' cannot be added: another one has the label '${label}'`);
    this.countAdded("fields");
    return this.account.fields.add({ key, label: free, type });
  }

  /**
   * Adds a text field with this key unless it exists.
   * @returns false when it cannot be added
   */
  ensureTextField(key: string): boolean {
    if (this.tables.fields.byKey(key) !== undefined) return true;
    return this.field({ key, label: key.replaceAll("_", " "), type: "text" }) !== undefined;
  }

  /** Finds or adds a group. */
  addGroup({ uuid, name, query }: GroupData): GroupRow {
    const { groups } = this.tables;
    const own = asUuid(uuid);
    const known = (own === undefined ? undefined : groups.byUuid(own)) ?? groups.byName(name);
    if (known !== undefined && query !== null && known.query !== query) {
      this.addProblem(`group '${known.name}' exists already and keeps its query: ${query} is ignored`);
    }
    const group = known ?? this.account.groups.add({ name, query, uuid: own });
    if (known === undefined) {
      this.countAdded("groups");
      const fault = this.account.groups.faultOf(group);
      if (fault !== undefined)
        this.addProblem(`group '${name}' has an invalid query, which no contact matches: ${fault}`);
    }
    if (uuid !== undefined) this.#groups.set(referenceKey(uuid), group);
    this.rememberUuid(uuid, group.uuid);
    return group;
  }

  /** Records the account's group or label for a UUID in the data, so that flows refer to it. */
  rememberUuid(given: string | undefined, own: string): void {
    const foreign = asUuid(given);
    if (foreign !== undefined && foreign !== own) this.#localUuids.set(foreign, own);
  }

  /** Finds a group by name or UUID; adds it when the reference is an unknown name. */
  group(reference: string): GroupRow | undefined {
    const mark = referenceKey(reference);
    const { groups } = this.tables;
    const known = this.#groups.get(mark) ?? groups.byUuid(mark) ?? groups.byName(reference.trim());
    if (known !== undefined || asUuid(mark) !== undefined || mark === "") return known;
    return this.addGroup({ name: reference.trim(), query: null });
  }

  /** Records the contact for a UUID in the data, because its UUID in this account may differ. */
  rememberContact(uuid: string | undefined, contact: ContactRow): void {
    if (uuid !== undefined) this.#contacts.set(referenceKey(uuid), contact.row);
  }

  /** Finds a contact that is not deleted, by UUID or URN. */
  contact(reference: string): ContactRow | undefined {
    const { contacts } = this.tables;
    const mark = referenceKey(reference);
    const row = this.#contacts.get(mark) ?? contacts.ownerOf(reference)?.contact;
    const contact = row === undefined ? contacts.byUuid(mark) : contacts.get(row);
    return contact?.state === "deleted" ? undefined : contact;
  }

  /** Adds a flow, or replaces the one with the same UUID; data without a UUID replaces the one with the same name. */
  addFlow(data: FlowData): FlowRow {
    const { flows } = this.tables;
    const uuid = asUuid(data.uuid) ?? (data.uuid === undefined ? flows.byName(data.name)?.uuid : undefined);
    const { uuid: _, ...rest } = data;
    const definition = withLocalUuids(data.definition, this.#localUuids);
    const flow = this.account.flows.add({ ...rest, definition, uuid });
    this.countAdded("flows");
    // A name refers to the first flow with this name.
    for (const mark of [data.uuid, flow.uuid, data.name]) {
      if (mark !== undefined && !this.#flows.has(referenceKey(mark))) this.#flows.set(referenceKey(mark), flow);
    }
    return flow;
  }

  /** Finds a flow by name or UUID; flows of this load take precedence. */
  flow(reference: string): FlowRow | undefined {
    const mark = referenceKey(reference);
    const { flows } = this.tables;
    return this.#flows.get(mark) ?? flows.byUuid(mark) ?? flows.byName(reference.trim());
  }
}

/** A UUID in lower case; undefined for other texts: exports before version 9 have numbers in the same place. */
export function asUuid(text: string | undefined): string | undefined {
  const uuid = text?.trim().toLowerCase();
  return uuid !== undefined && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid) ? uuid : undefined;
}

function referenceKey(reference: string): string {
  return reference.normalize("NFC").trim().toLowerCase();
}

/**
 * A definition that refers to the account's own groups and labels (docs/reference/flows.md#import-order).
 *
 * @param uuids - the account's UUIDs by those of the file, in lower case
 * @returns the same object when it mentions none of them
 */
function withLocalUuids(definition: FlowJson, uuids: ReadonlyMap<string, string>): FlowJson {
  if (uuids.size === 0) return definition;
  let isRewritten = false;
  const rewritten = rewrite(definition, (text) => {
    const own = uuids.get(text) ?? uuids.get(text.toLowerCase());
    if (own === undefined) return text;
    isRewritten = true;
    return own;
  });
  return isRewritten ? (rewritten as FlowJson) : definition;
}

/** The same JSON with some texts replaced. */
function rewrite(json: unknown, replace: (text: string) => string): unknown {
  if (typeof json === "string") return replace(json);
  if (Array.isArray(json)) return json.map((item) => rewrite(item, replace));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, rewrite(value, replace)]));
}
