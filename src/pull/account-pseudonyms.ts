import { Keywords, Pseudonyms, secretName } from "../field/index.js";
import type { AccountData, ContactData, GroupData } from "../wire/index.js";
import type { PulledAccount } from "./account-of-records.js";
import { isMap } from "./json.js";
import { pseudonymousQuery, querySchemaOf } from "./query-pseudonyms.js";

/** What pseudonyms are made by. */
export interface AccountPseudonymOptions {
  readonly key: Buffer;
  /** Keys of text fields whose values stay. */
  readonly keep: ReadonlySet<string>;
}

/**
 * The same account with pseudonyms for its contacts: names, addresses, UUIDs, and values of text fields, wherever they
 * occur, also in flows, queries and texts of the account. Words that more than ten values have stay, as they name no
 * person. Secrets of flows, globals and subscribers are replaced, too. Everything else is the operator's and stays.
 */
export function pseudonymousAccount(account: PulledAccount, options: AccountPseudonymOptions): PulledAccount {
  const { data, brokenFlows, channels } = account;
  const of = new AccountPseudonyms(data, options);
  return {
    ...account,
    data: {
      ...data,
      globals:
        data.globals &&
        Object.fromEntries(Object.entries(data.globals).map(([key, value]) => [key, of.global(key, value)])),
      groups: data.groups.map((group) => of.group(group)),
      contacts: data.contacts.map((contact) => of.contact(contact)),
      flows: data.flows.map((flow) => ({ ...flow, definition: of.inside(flow.definition) })),
      campaigns: data.campaigns.map((campaign) => ({ ...campaign, events: of.inside(campaign.events) })),
      resthooks: data.resthooks.map(({ slug, subscribers }) => ({
        slug,
        subscribers: subscribers.map((url) => of.url(url)),
      })),
    },
    brokenFlows: brokenFlows.map((flow) => ({ ...flow, definition: of.inside(flow.definition) })),
    channels: channels.map((channel) => ({ ...channel, address: of.pseudonyms.address(channel.address) })),
  };
}

const anyUuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi;

/** What can be the path of an address in a text. A handle could be any word, so it counts where addresses are expected. */
const anyPath = /\+?\d{7,15}|[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

class AccountPseudonyms {
  readonly pseudonyms: Pseudonyms;
  readonly #keep: ReadonlySet<string>;
  readonly #data: AccountData;
  readonly #uuids: ReadonlySet<string>;
  /** Paths of addresses, phone numbers also without their plus, and their pseudonyms. */
  readonly #paths = new Map<string, string>();

  constructor(data: AccountData, { key, keep }: AccountPseudonymOptions) {
    const keywords = new Keywords();
    for (const { name, fields } of data.contacts) {
      if (name !== null) keywords.addName(name);
      for (const [field, value] of Object.entries(fields)) if (!keep.has(field)) keywords.addText(value);
    }
    this.pseudonyms = new Pseudonyms(key, keywords.found());
    this.#keep = keep;
    this.#data = data;
    this.#uuids = new Set(data.contacts.flatMap(({ uuid }) => uuid ?? []));
    for (const urn of data.contacts.flatMap(({ urns }) => urns)) {
      const [path, replaced] = [urn, this.pseudonyms.address(urn)].map(pathOf) as [string, string];
      if (/^\d{0,6}$/.test(path)) continue; // a short code, which is no person's
      this.#paths.set(path, replaced);
      if (path.startsWith("+")) this.#paths.set(path.slice(1), replaced.slice(1));
    }
  }

  contact(contact: ContactData): ContactData {
    const { pseudonyms } = this;
    const types = new Map(this.#data.fields.map(({ key = "", type }) => [key, type]));
    const isKept = (key: string): boolean =>
      this.#keep.has(key) || (types.get(key) !== "text" && types.get(key) !== "numeric");
    return {
      ...contact,
      uuid: contact.uuid === undefined ? undefined : pseudonyms.uuid(contact.uuid),
      name: contact.name === null ? null : pseudonyms.words(contact.name),
      urns: contact.urns.map((urn) => pseudonyms.address(urn)),
      fields: Object.fromEntries(
        Object.entries(contact.fields).map(([key, value]) => [key, isKept(key) ? value : pseudonyms.text(value)]),
      ),
    };
  }

  group(group: GroupData): GroupData {
    if (group.query === null) return group;
    const schema = querySchemaOf(this.#data);
    const query = pseudonymousQuery(group.query, { schema, pseudonyms: this.pseudonyms, keep: this.#keep });
    return query === undefined ? group : { ...group, query };
  }

  /** JSON in which contacts and secrets are replaced. */
  inside<T>(value: T): T {
    return this.#inside(value, "") as T;
  }

  #inside(value: unknown, key: string): unknown {
    if (typeof value === "string") return this.#underKey(key, value);
    if (Array.isArray(value)) return value.map((one: unknown) => this.#inside(one, key));
    if (!isMap(value)) return value;
    if (this.#isContact(value, key)) {
      const { uuid, name } = value;
      return {
        ...value,
        ...(typeof uuid === "string" && { uuid: this.pseudonyms.uuid(uuid) }),
        ...(typeof name === "string" && { name: this.pseudonyms.words(name) }),
      };
    }
    // A header of a legacy flow: { name, value }.
    const header = key === "webhook_headers" && typeof value["name"] === "string" ? value["name"] : undefined;
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [
        inner,
        this.#inside(one, header !== undefined && inner === "value" ? header : inner),
      ]),
    );
  }

  #isContact(value: Readonly<Record<string, unknown>>, key: string): boolean {
    if (key === "contacts" || key === "contact") return typeof value["name"] === "string";
    return typeof value["uuid"] === "string" && this.#uuids.has(value["uuid"].toLowerCase());
  }

  global(key: string, text: string): string {
    return secretName.test(key) ? this.pseudonyms.secret(text) : this.#plain(text);
  }

  /** A text of a definition, as the value of a key. Templates stay. */
  #underKey(key: string, text: string): string {
    if (secretName.test(key) && !definitionKeys.has(key) && !text.includes("@")) return this.pseudonyms.secret(text);
    if (key === "contact_query") return this.#query(text);
    if (key === "urns" && !text.includes("@(")) return this.pseudonyms.address(text);
    return this.#plain(text);
  }

  #plain(text: string): string {
    return this.#known(/^https?:\/\//i.test(text) ? this.url(text) : text);
  }

  #query(text: string): string {
    const schema = querySchemaOf(this.#data);
    return pseudonymousQuery(text, { schema, pseudonyms: this.pseudonyms, keep: this.#keep }) ?? this.#known(text);
  }

  /** A text in which contacts of the account are replaced, that is, their UUIDs and addresses. */
  #known(text: string): string {
    return text
      .replace(anyUuid, (uuid) => (this.#uuids.has(uuid.toLowerCase()) ? this.pseudonyms.uuid(uuid) : uuid))
      .replace(anyPath, (path) => this.#paths.get(path) ?? path);
  }

  /** An address in which a password and secrets of the query are replaced. Templates stay. */
  url(text: string): string {
    return text
      .replace(
        /^(https?:\/\/)([^/?#@\s]+)@/i,
        (_, scheme: string, user: string) => `${scheme}${this.pseudonyms.secret(user)}@`,
      )
      .replace(/([?&])([^=&#]+)=([^&#]*)/g, (pair, mark: string, name: string, value: string) =>
        secretName.test(name) && !value.includes("@") ? `${mark}${name}=${this.pseudonyms.secret(value)}` : pair,
      );
  }
}

/** Keys of definitions that look like those of secrets. */
const definitionKeys: ReadonlySet<string> = new Set(["key", "hash", "author", "created_by", "author_name"]);

/** The path of an address, without its display part. */
function pathOf(urn: string): string {
  return urn.slice(urn.indexOf(":") + 1).replace(/#.*$/s, "");
}
